# shellcheck shell=bash
# Builds before the first test what tests start. Where HANGTRIAGE_LAB_PREPARED is set, as tests do, nothing is compiled any more.

prepare_lab() {
    local source framework tier=$1
    shift
    # Of .NET programs the gate names those that it starts; "A;B".
    ONLY=$(IFS=';' && echo "$*")
    build_shim
    with_lock triage build_triage_now
    build_sample MonitorDeadlock
    with_lock managed-frames build_managed_frames_now
    for source in "$REPO"/samples/*/main.c; do
        build_sample "$(basename "$(dirname "$source")")"
    done
    for source in "$REPO"/samples/Windows/*/*.csproj; do
        build_sample "$(basename "$(dirname "$source")")"
    done
    [ "$tier" = all ] || return 0
    for framework in net9.0 net8.0; do
        FRAMEWORK=$framework build_sample MonitorDeadlock
    done
}

# Called where something is about to be compiled.
may_compile() {
    [ -z "${HANGTRIAGE_LAB_PREPARED:-}" ] || die "$1 is not built, or older than its sources; run: dotnet run --project tests/Prepare"
}
