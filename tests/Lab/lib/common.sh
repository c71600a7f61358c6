# shellcheck shell=bash
# What every part of the lab uses. Expects LAB, LAB_SOURCE and REPO to be set.

WINE=/usr/lib/wine/wine64
MINGW=x86_64-w64-mingw32-gcc
# Our engine instead of Wine's own dbghelp; no offers to download Mono or Gecko, except that .NET needs mscoree.
ENGINE_OVERRIDES="dbghelp,dbgcore,dbgeng,dbgmodel=n;mshtml,winemenubuilder.exe="
PREFIX=$LAB/prefix

die() {
    echo "lab: $*" >&2
    exit 1
}

usage_error() {
    usage >&2
    exit 64
}

# Runs "$@" while holding the lock NAME, so that two calls do not do the same work at once.
with_lock() {
    local name=$1
    shift
    mkdir -p "$LAB/locks"
    (
        flock 9
        "$@" 9>&-
    ) 9>"$LAB/locks/$name"
}

# Wine sees a fixed, small environment: what it runs must not depend on the caller's variables, nor carry them.
# Further NAME=VALUE pairs may come before the program.
in_wine() {
    env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME="$LAB/home" WINEPREFIX="$PREFIX" \
        WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="$ENGINE_OVERRIDES" "$@"
}

winpath() {
    local path
    path=$(realpath -m -- "$1")
    printf 'Z:%s\n' "${path//\//\\}"
}

# newer_than TARGET SOURCE...: true when TARGET exists and no SOURCE is newer than it.
newer_than() {
    local target=$1 source
    shift
    [ -e "$target" ] || return 1
    for source in "$@"; do
        if [ "$source" -nt "$target" ]; then return 1; fi
    done
}
