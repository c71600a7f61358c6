# shellcheck shell=bash
# Samples. For Windows alone: samples/Windows/NAME is published by itself. Native: samples/NAME/main.c becomes NAME.exe, every other X.c becomes X.dll beside it. Managed: all are
# published at once for Windows into one folder, with one runtime beside them.

# What a managed sample is built for (--framework).
FRAMEWORK=
NEWEST_FRAMEWORK=net10.0
# The .NET programs that are to be built, with semicolons between them; empty for all.
ONLY=

sample_folder() {
    if is_for_windows "$1"; then
        echo "$LAB/samples/$1"
    elif is_managed "$1"; then
        managed_folder
    else
        echo "$LAB/samples/$1"
    fi
}

managed_folder() {
    echo "$LAB/samples/managed-${FRAMEWORK:-$NEWEST_FRAMEWORK}"
}

is_for_windows() {
    [ -e "$REPO/samples/Windows/$1/$1.csproj" ]
}

is_native() {
    [ -e "$REPO/samples/$1/main.c" ]
}

is_managed() {
    [ -e "$REPO/samples/$1/$1.csproj" ]
}

build_native_now() {
    local name=$1 source=$REPO/samples/$1 out
    local made_from=("$source"/*.[ch] "$REPO"/samples/Shared/*.h "$LAB_SOURCE/lib/samples.sh")
    # Like real programs: optimised and stripped. The same sources give the same files, time stamp included.
    export SOURCE_DATE_EPOCH=1700000000
    # GCC 12 takes reading the TEB through gs for a null array: -Wno-array-bounds.
    local options=(-std=c11 -O2 -Wall -Wextra -Werror -Wno-array-bounds -s)
    local file module
    out=$(sample_folder "$name")
    is_stamped "$out/built" "${made_from[@]}" && return 0
    may_compile "samples/$name"
    mkdir -p "$out"
    for file in "$source"/*.c; do
        module=$(basename "$file" .c)
        if [ "$module" = main ]; then
            "$MINGW" "${options[@]}" -o "$out/$name.exe" "$file" -lrpcrt4
        else
            "$MINGW" "${options[@]}" -shared -o "$out/$module.dll" "$file"
        fi
    done
    stamp "$out/built" "${made_from[@]}"
}

managed_sources() {
    find "$REPO/samples" "$REPO/tests/Targets" -type f \( -name '*.cs' -o -name '*.*proj' \) | LC_ALL=C sort
}

# Whether what is there are all .NET programs, or those that are asked for. A test takes what was made for it.
is_enough() {
    local made
    made=$(cat "$1/only")
    [ -n "${HANGTRIAGE_LAB_PREPARED:-}" ] || [ -z "$made" ] || [ "$made" = "$ONLY" ]
}

build_managed_now() {
    local framework=${FRAMEWORK:-$NEWEST_FRAMEWORK} made_from out log
    mapfile -t made_from < <(managed_sources)
    made_from+=("$REPO/Directory.Build.props" "$REPO/global.json" "$LAB_SOURCE/lib/samples.sh")
    out=$(managed_folder)
    log=$out.log
    is_stamped "$out/built" "${made_from[@]}" && is_enough "$out" && return 0
    may_compile "the .NET samples for $framework"
    command -v dotnet >/dev/null || die "no dotnet to publish the samples with"
    rm -rf "$out"
    mkdir -p "$out"
    # A test run is itself inside MSBuild, whose variables mislead another one.
    unset "${!MSB@}"
    dotnet msbuild "$REPO/tests/Targets/Programs.proj" -maxCpuCount:2 -nodeReuse:false -nologo -verbosity:quiet \
        -p:SampleFramework="$framework" -p:RuntimeIdentifier=win-x64 -p:SelfContained=true -p:RunAnalyzers=false \
        -p:Only="${ONLY//;/%3B}" -p:PublishDir="$out/" -p:ArtifactsPath="$LAB/samples-build/$framework" >"$log" 2>&1 ||
        die "the .NET samples do not build for $framework (see $log): $(grep -m1 'error' "$log" || true)"
    echo "$ONLY" >"$out/only"
    stamp "$out/built" "${made_from[@]}"
}

build_for_windows_now() {
    local name=$1 source=$REPO/samples/Windows/$1 out made_from
    out=$(sample_folder "$name")
    made_from=("$source"/*.cs "$source"/*.csproj "$REPO/Directory.Build.props" "$REPO/global.json" "$LAB_SOURCE/lib/samples.sh")
    is_stamped "$out/built" "${made_from[@]}" && return 0
    may_compile "samples/Windows/$name"
    command -v dotnet >/dev/null || die "no dotnet to publish samples/Windows/$name with"
    rm -rf "$out"
    unset "${!MSB@}"
    mkdir -p "$LAB/samples"
    dotnet publish "$source/$name.csproj" --configuration Debug --output "$out" -p:ArtifactsPath="$LAB/samples-build/$name" \
        -nodeReuse:false --nologo >"$out.log" 2>&1 || die "samples/Windows/$name does not build (see $out.log)"
    stamp "$out/built" "${made_from[@]}"
}

build_sample() {
    if is_for_windows "$1"; then
        [ -z "$FRAMEWORK" ] || die "samples/Windows/$1 is built for one .NET alone"
        with_lock "sample-$1" build_for_windows_now "$1"
    elif is_managed "$1"; then
        with_lock "$(basename "$(managed_folder)")" build_managed_now
        [ -e "$(managed_folder)/$1.exe" ] || die "samples/$1 was published no program"
    elif is_native "$1"; then
        [ -z "$FRAMEWORK" ] || die "samples/$1 is not a .NET program; there is no --framework for it"
        with_lock "sample-$1" build_native_now "$1"
    else
        die "samples/$1 has neither main.c nor $1.csproj"
    fi
}

# Prints the path of the sample's program, built if it is a sample of this repository.
sample_program() {
    case $1 in
        *.exe) realpath -- "$1" ;;
        *)
            build_sample "$1"
            echo "$(sample_folder "$1")/$1.exe"
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
    in_wine timeout 400 "$WINE" "$(winpath "$LAB/engine/dump.exe")" \
        "$flags" "$(winpath "$out")" "$(winpath "$program")" "$@"
    # Its zeros need no disk.
    fallocate --dig-holes "$out" 2>/dev/null || true
}

live_sample() {
    local program
    program=$(sample_program "$1")
    shift
    if [ "${1:-}" = -- ]; then shift; fi
    in_wine "$WINE" "$(winpath "$LAB/engine/live.exe")" "$(winpath "$program")" "$@"
}
