# shellcheck shell=bash
# A Windows .NET installation, laid out from the runtime pack as its installer would.

dotnet_root_now() {
    local version=$1 root=$LAB/dotnet/$1 making=$LAB/dotnet/$1.making pack framework
    [ -e "$root/made" ] && return 0
    pack=$(package_root)/microsoft.netcore.app.runtime.win-x64/$version/runtimes/win-x64
    [ -d "$pack" ] || die "no runtime pack $version; known: $(cd "$pack/../../.." && echo *)"
    framework=$making/shared/Microsoft.NETCore.App/$version
    rm -rf "$making" "$root"
    mkdir -p "$making/host/fxr/$version" "$framework"
    cp "$pack"/native/* "$pack"/lib/net*/* "$framework/"
    mv "$framework/hostfxr.dll" "$making/host/fxr/$version/"
    touch "$making/made"
    mv "$making" "$root"
}

dotnet_root() {
    [ -e "$LAB/dotnet/$1/made" ] || with_lock "dotnet-$1" dotnet_root_now "$1"
    echo "$LAB/dotnet/$1"
}
