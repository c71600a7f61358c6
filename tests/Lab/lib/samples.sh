# shellcheck shell=bash
# Samples. Native: samples/NAME/main.c becomes NAME.exe, every other X.c becomes X.dll beside it. Managed:
# samples/NAME/NAME.csproj is published for Windows with its runtime beside it.

# What a managed sample is built for (--framework); empty for what its project says.
FRAMEWORK=

sample_folder() {
    echo "$LAB/samples/$1${FRAMEWORK:+-$FRAMEWORK}"
}

is_native() {
    [ -e "$REPO/samples/$1/main.c" ]
}

is_managed() {
    [ -e "$REPO/samples/$1/$1.csproj" ]
}

build_native_now() {
    local name=$1 source=$REPO/samples/$1 out
    local made_from=("$source"/*.[ch] "$REPO"/samples/*.h "$LAB_SOURCE/lib/samples.sh")
    # Like real programs: optimised and stripped. The same sources give the same files, time stamp included.
    export SOURCE_DATE_EPOCH=1700000000
    # GCC 12 takes reading the TEB through gs for a null array: -Wno-array-bounds.
    local options=(-std=c11 -O2 -Wall -Wextra -Werror -Wno-array-bounds -s)
    local file module
    out=$(sample_folder "$name")
    is_stamped "$out/built" "${made_from[@]}" && return 0
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

build_managed_now() {
    local name=$1 source=$REPO/samples/$1 out log
    local made_from=("$source"/*.cs "$source"/*.csproj "$REPO/Directory.Build.props" "$REPO/global.json" "$LAB_SOURCE/lib/samples.sh")
    out=$(sample_folder "$name")
    log=$out.log
    is_stamped "$out/built" "${made_from[@]}" && return 0
    command -v dotnet >/dev/null || die "no dotnet to publish samples/$name with"
    rm -rf "$out"
    mkdir -p "$out"
    # A test run is itself inside MSBuild, whose variables mislead another one.
    unset "${!MSB@}"
    dotnet publish "$source/$name.csproj" --runtime win-x64 --self-contained --configuration Debug --output "$out" \
        ${FRAMEWORK:+-p:SampleFramework=$FRAMEWORK} -p:ArtifactsPath="$LAB/samples-build/$(basename "$out")" \
        --disable-build-servers --nologo >"$log" 2>&1 || die "samples/$name does not build (see $log)"
    [ -z "$FRAMEWORK" ] || grep -q "\"tfm\": \"$FRAMEWORK\"" "$out/$name.runtimeconfig.json" ||
        die "samples/$name cannot be built for $FRAMEWORK: its project does not take SampleFramework"
    stamp "$out/built" "${made_from[@]}"
}

build_sample() {
    local lock
    lock=sample-$(basename "$(sample_folder "$1")")
    if is_managed "$1"; then
        with_lock "$lock" build_managed_now "$1"
    elif is_native "$1"; then
        [ -z "$FRAMEWORK" ] || die "samples/$1 is not a .NET program; there is no --framework for it"
        with_lock "$lock" build_native_now "$1"
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
    in_wine timeout 150 "$WINE" "$(winpath "$LAB/engine/dump.exe")" \
        "$flags" "$(winpath "$out")" "$(winpath "$program")" "$@"
}
