# shellcheck shell=bash
# Getting the lab's parts, and saying in one line why they cannot be had.

DBGENG_VERSION=20260109.1235.0
STAMP=$LAB/installed
PREFIX_SETTINGS=$LAB_SOURCE/tools/prefix.reg
INSTALLED_FROM=("$LAB_SOURCE/packages/LabPackages.csproj" "$LAB_SOURCE/lib/install.sh" "$PREFIX_SETTINGS" "$LAB_SOURCE"/tools/*.[ch])

missing_programs() {
    [ -x "$WINE" ] || echo wine64 wine
    command -v "$MINGW" >/dev/null || echo gcc-mingw-w64-x86-64
    command -v cmake >/dev/null || echo cmake
    command -v make >/dev/null || echo make
}

# One line, empty when all is there. Starts no program: tests ask this before each use.
reason_not_ready() {
    if [ ! -x "$WINE" ]; then
        echo "the Windows lab is not installed: no Wine ($WINE); run tests/Lab/lab.sh install"
    elif ! command -v "$MINGW" >/dev/null; then
        echo "the Windows lab is not installed: no $MINGW; run tests/Lab/lab.sh install"
    elif ! is_stamped "$STAMP" "${INSTALLED_FROM[@]}"; then
        echo "the Windows lab is not installed, or older than its scripts; run tests/Lab/lab.sh install"
    fi
}

lab_status() {
    local reason
    reason=$(reason_not_ready)
    [ -z "$reason" ] && return 0
    echo "$reason"
    exit 3
}

require_lab() {
    local reason
    reason=$(reason_not_ready)
    [ -z "$reason" ] && return 0
    echo "$reason" >&2
    exit 3
}

cannot_be_had() {
    echo "the lab cannot be had here: $*" >&2
    exit 3
}

install_programs() {
    local missing
    missing=$(missing_programs | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    [ "$(uname -m)" = x86_64 ] || cannot_be_had "it needs an x86-64 machine, this is $(uname -m)"
    command -v apt-get >/dev/null || cannot_be_had "no apt-get to install: $missing"
    [ "$(id -u)" -eq 0 ] || cannot_be_had "not root, and these are not installed: $missing"
    echo "lab: installing $missing" >&2
    apt-get -qq update >&2 || cannot_be_had "apt-get update failed"
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing >"$LAB/apt.log" 2>&1 ||
        cannot_be_had "apt-get could not install $missing (see $LAB/apt.log)"
}

restore_packages() {
    local project=$LAB_SOURCE/packages/LabPackages.csproj
    command -v dotnet >/dev/null || cannot_be_had "no dotnet to restore packages with"
    dotnet restore "$project" >"$LAB/restore.log" 2>&1 || cannot_be_had "NuGet restore failed (see $LAB/restore.log)"
    dotnet msbuild "$project" -getProperty:NuGetPackageRoot >"$LAB/packages.path"
}

package_root() {
    cat "$LAB/packages.path"
}

lay_out_engine() {
    local package
    package=$(package_root)/microsoft.debugging.platform.dbgeng/$DBGENG_VERSION
    mkdir -p "$LAB/engine"
    cp -f "$package"/content/amd64/*.dll "$LAB/engine/"
    local options=(-std=c11 -O2 -Wall -Wextra -s) tools=$LAB_SOURCE/tools
    # The package's headers have what mingw's own lack (the wide interfaces), and an annotation that mingw lacks.
    local headers=(-isystem "$package/build/native/inc" -D_Analysis_noreturn_=)
    "$MINGW" "${options[@]}" -o "$LAB/engine/dump.exe" "$tools/dump.c" "$tools/sample.c"
    "$MINGW" "${options[@]}" -o "$LAB/engine/live.exe" "$tools/live.c" "$tools/sample.c"
    "$MINGW" "${options[@]}" -o "$LAB/engine/crowd.exe" "$tools/crowd.c"
    "$MINGW" "${options[@]}" "${headers[@]}" -municode -o "$LAB/engine/engine.exe" "$tools/engine.c" "$tools/sample.c" -luuid
    # In a folder of its own: the engine finds extensions beside itself.
    mkdir -p "$LAB/engine/standin"
    "$MINGW" "${options[@]}" "${headers[@]}" -municode -shared -o "$LAB/engine/standin/sos.dll" "$tools/sos.c" -luuid
}

# Without mscoree and mshtml while it is made: no offers to download Mono or Gecko.
make_prefix() {
    is_stamped "$PREFIX/made" "$PREFIX_SETTINGS" && return 0
    mkdir -p "$LAB/home"
    local started=(in_wine_alone WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe=" timeout 120 "$WINE")
    "${started[@]}" wineboot -i >"$LAB/wineboot.log" 2>&1 || die "wineboot failed (see $LAB/wineboot.log)"
    "${started[@]}" reg import "$(winpath "$PREFIX_SETTINGS")" >>"$LAB/wineboot.log" 2>&1 ||
        die "the prefix does not take its settings (see $LAB/wineboot.log)"
    in_wine_alone /usr/bin/wineserver -w
    stamp "$PREFIX/made" "$PREFIX_SETTINGS"
}

install_now() {
    [ -n "$(reason_not_ready)" ] || return 0
    install_programs
    restore_packages
    lay_out_engine
    make_prefix
    stamp "$STAMP" "${INSTALLED_FROM[@]}"
}

lab_install() {
    [ -n "$(reason_not_ready)" ] || return 0
    with_lock install install_now
}
