# shellcheck shell=bash
# What .NET itself says of a dump's managed stacks: ClrMD and the sample's own mscordaccore.dll, both under Wine.

build_managed_frames_now() {
    local source=$LAB_SOURCE/tools/ManagedFrames out=$LAB/managed-frames
    local made_from=("$source"/*.cs "$source"/*.csproj "$REPO/Directory.Packages.props" "$LAB_SOURCE/lib/managed.sh")
    is_stamped "$out/built" "${made_from[@]}" && return 0
    may_compile "tools/ManagedFrames"
    rm -rf "$out"
    mkdir -p "$out"
    unset "${!MSB@}"
    dotnet publish "$source/ManagedFrames.csproj" --runtime win-x64 --self-contained --configuration Release --output "$out" \
        -p:ArtifactsPath="$LAB/samples-build/managed-frames" -nodeReuse:false --nologo >"$out.log" 2>&1 ||
        die "tools/ManagedFrames does not build (see $out.log)"
    stamp "$out/built" "${made_from[@]}"
}

managed_frames() {
    local dump=$1 sample=$2
    [ -f "$dump" ] || die "no such dump: $dump"
    with_lock managed-frames build_managed_frames_now
    in_wine timeout 400 "$WINE" "$(winpath "$LAB/managed-frames/ManagedFrames.exe")" \
        "$(winpath "$dump")" "$(winpath "$(sample_folder "$sample")/mscordaccore.dll")" | tr -d '\r'
}

managed_state() {
    local dump dumps=()
    for dump in "$@"; do
        [ -f "$dump" ] || die "no such dump: $dump"
        dumps+=("$(winpath "$dump")")
    done
    with_lock managed-frames build_managed_frames_now
    in_wine timeout 400 "$WINE" "$(winpath "$LAB/managed-frames/ManagedFrames.exe")" --state "${dumps[@]}" | tr -d '\r'
}
