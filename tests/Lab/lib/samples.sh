# shellcheck shell=bash
# Native samples: samples/NAME/main.c becomes NAME.exe, every other X.c becomes X.dll beside it.

build_sample_now() {
    local name=$1 source=$REPO/samples/$1 out=$LAB/samples/$1
    local shared=("$REPO"/samples/*.h "$LAB_SOURCE/lib/samples.sh")
    # Like real programs: optimised and stripped. The same sources give the same files, time stamp included.
    export SOURCE_DATE_EPOCH=1700000000
    # GCC 12 takes reading the TEB through gs for a null array: -Wno-array-bounds.
    local options=(-std=c11 -O2 -Wall -Wextra -Werror -Wno-array-bounds -s)
    local file module
    newer_than "$out/built" "$source"/*.[ch] "${shared[@]}" && return 0
    mkdir -p "$out"
    for file in "$source"/*.c; do
        module=$(basename "$file" .c)
        if [ "$module" = main ]; then
            "$MINGW" "${options[@]}" -o "$out/$name.exe" "$file"
        else
            "$MINGW" "${options[@]}" -shared -o "$out/$module.dll" "$file"
        fi
    done
    touch "$out/built"
}

build_sample() {
    [ -e "$REPO/samples/$1/main.c" ] || die "samples/$1 has no main.c"
    with_lock "sample-$1" build_sample_now "$1"
}

# Prints the path of the sample's program, built if it is a sample of this repository.
sample_program() {
    case $1 in
        *.exe) realpath -- "$1" ;;
        *)
            build_sample "$1"
            echo "$LAB/samples/$1/$1.exe"
            ;;
    esac
}

run_sample() {
    local program
    program=$(sample_program "$1")
    shift
    if [ "${1:-}" = -- ]; then shift; fi
    in_wine "$WINE" "$(winpath "$program")" "$@"
}

dump_sample() {
    local sample=$1 flags=$2 out=$3 program
    shift 3
    if [ "${1:-}" = -- ]; then shift; fi
    program=$(sample_program "$sample")
    in_wine timeout 150 "$WINE" "$(winpath "$LAB/engine/dump.exe")" \
        "$flags" "$(winpath "$out")" "$(winpath "$program")" "$@"
}
