# shellcheck shell=bash
# Dumps that are to be published: made where this machine cannot be seen. A full dump holds environment, paths and names.

neutral_dump() {
    local sample=$1 flags=$2 out
    out=$(realpath -m -- "$3")
    [ "$(id -u)" -eq 0 ] || die "a dump to publish is made in namespaces of its own, which needs root"
    build_sample "$sample"
    unshare --uts --mount --net --ipc --pid --fork --mount-proc \
        env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 \
        bash "$LAB_SOURCE/lib/neutral-inside.sh" "$WINE" "$LAB/engine" "$PREFIX_SETTINGS" "$(sample_folder "$sample")" "$sample" "$flags" "$out.making" ||
        { rm -f "$out.making"; die "no dump of $sample to publish"; }
    mv "$out.making" "$out"
}
