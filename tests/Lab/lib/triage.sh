# shellcheck shell=bash
# The tool as a Windows program, with its extensions.

build_triage_now() {
    local out=$LAB/triage made_from
    mapfile -t made_from < <(find "$REPO/host-cli" "$REPO/analyzers" "$REPO/extension" "$REPO/docs/rules" -type f \
        \( -name '*.cs' -o -name '*.*proj' -o -name '*.props' -o -name '*.md' -o -path '*/native/*' \) -not -path '*/obj/*' | LC_ALL=C sort)
    made_from+=("$REPO/Directory.Build.props" "$REPO/Directory.Packages.props" "$REPO/global.json" "$LAB_SOURCE/lib/triage.sh")
    is_stamped "$out/built" "${made_from[@]}" && return 0
    may_compile "the tool for Windows"
    command -v dotnet >/dev/null || die "no dotnet to publish the tool with"
    rm -rf "$out"
    unset "${!MSB@}"
    dotnet publish "$REPO/host-cli/triage.csproj" --configuration Release --runtime win-x64 --self-contained --output "$out" \
        -p:RunAnalyzers=false -p:PublishReadyToRun=false -p:PublishReadyToRunComposite=false -p:DisableTransitiveFrameworkReferenceDownloads=true \
        -p:EngineLibrary="$LAB/shim/triage.dll" -p:ArtifactsPath="$LAB/triage-build" -nodeReuse:false --nologo >"$out.log" 2>&1 ||
        die "the tool does not build for Windows (see $out.log)"
    stamp "$out/built" "${made_from[@]}"
}

run_triage() {
    build_shim
    with_lock triage build_triage_now
    in_wine timeout 400 "$WINE" "$(winpath "$LAB/triage/triage.exe")" "$@"
}
