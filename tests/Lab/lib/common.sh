# shellcheck shell=bash
# What every part of the lab uses. Expects LAB, LAB_SOURCE and REPO to be set.
# shellcheck disable=SC2034

WINE=/usr/lib/wine/wine64
MINGW=x86_64-w64-mingw32-gcc
PREFIX=$LAB/prefix
# Seconds.
WINE_STAYS=60

# Wine's loader lies at 0x7d000000, and Linux puts its heap anywhere in the gigabyte behind that: in one of some thousand starts on the
# page that Windows has at 0x7ffe0000. Wine then ends with 1 and without a word (with WINEDEBUG=err+all: "failed to map the shared user
# data"). So nothing is put at random; where a container forbids to say so, a start fails now and then.
AT_FIXED_ADDRESSES=()
if setarch --addr-no-randomize true 2>/dev/null; then
    AT_FIXED_ADDRESSES=(setarch --addr-no-randomize)
fi

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
    # Wine's own services start with the first program and end with the last: a second or two of both processors. They stay
    # for a while, so that a row of programs starts them once. Where they run already this does nothing.
    # None of them gets this call's pipes, or who reads those would wait for their end, too.
    if in_wine_alone /usr/bin/wineserver -p"$WINE_STAYS" </dev/null >/dev/null 2>&1; then
        in_wine_alone timeout 120 "$WINE" cmd /c exit </dev/null >/dev/null 2>&1 || true
    fi
    in_wine_alone "$@"
}

in_wine_alone() {
    "${AT_FIXED_ADDRESSES[@]}" env -i PATH=/usr/bin:/bin LANG=C.UTF-8 HOME="$LAB/home" WINEPREFIX="$PREFIX" \
        WINEDEBUG="${WINEDEBUG:--all}" "$@"
}

winpath() {
    local path
    path=$(realpath -m -- "$1")
    printf 'Z:%s\n' "${path//\//\\}"
}

# A stamp holds the checksum of what its step was made from: contents, since git sets file times as it likes.
is_stamped() {
    local stamp=$1
    shift
    [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$(cat -- "$@" | sha256sum)" ]
}

stamp() {
    local stamp=$1
    shift
    cat -- "$@" | sha256sum >"$stamp"
}
