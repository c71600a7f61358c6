# shellcheck shell=bash
# The debugger engine on a dump or a live sample, and the native half of our extension to it.

run_engine() {
    local environment=() options=() target program root
    while [ $# -gt 0 ]; do
        case $1 in
            --dotnet)
                [ $# -ge 3 ] || usage_error
                root=$(dotnet_root "$2")
                environment+=(DOTNET_ROOT="$(winpath "$root")")
                shift 2
                ;;
            --sos)
                [ $# -ge 3 ] || usage_error
                root=$(dotnet_root "$2")
                environment+=(STANDIN_DOTNET="$(winpath "$root/shared/Microsoft.NETCore.App/$2")")
                shift 2
                ;;
            --path)
                [ $# -ge 3 ] || usage_error
                environment+=(WINEPATH="$(winpath "$2")")
                shift 2
                ;;
            --dml)
                options=(--dml)
                shift
                ;;
            --attach | --debug)
                [ $# -ge 3 ] || usage_error
                if [[ $2 =~ ^[0-9]+$ ]]; then
                    target=("$1" "$2")
                else
                    program=$(sample_program "$2")
                    target=("$1" "$(winpath "$program")")
                fi
                shift 2
                break
                ;;
            -*) usage_error ;;
            *)
                [ -f "$1" ] || die "no such dump: $1"
                target=("$(winpath "$1")")
                shift
                break
                ;;
        esac
    done
    [ $# -gt 0 ] || usage_error
    in_wine "${environment[@]}" timeout -k 5 400 "$WINE" "$(winpath "$LAB/engine/engine.exe")" "${options[@]}" "${target[@]}" "$@"
}

build_shim_now() {
    local source=$REPO/extension/DbgEng/native build=$LAB/shim-build
    may_compile "the shim"
    mkdir -p "$LAB/shim"
    if [ ! -e "$build/Makefile" ]; then
        cmake -S "$source" -B "$build" -G "Unix Makefiles" -DCMAKE_BUILD_TYPE=Release -DCMAKE_SYSTEM_NAME=Windows \
            -DCMAKE_C_COMPILER="$MINGW" -DCMAKE_RC_COMPILER=x86_64-w64-mingw32-windres >"$LAB/shim.log" 2>&1 ||
            die "cmake failed (see $LAB/shim.log)"
    fi
    cmake --build "$build" --clean-first >>"$LAB/shim.log" 2>&1 || die "the shim does not build (see $LAB/shim.log)"
    cp -f "$build/triage.dll" "$LAB/shim/triage.dll"
    stamp "$LAB/shim/built" "$source"/*
}

build_shim() {
    local source=$REPO/extension/DbgEng/native
    is_stamped "$LAB/shim/built" "$source"/* && return 0
    with_lock shim build_shim_now
}
