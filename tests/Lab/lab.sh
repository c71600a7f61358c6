#!/usr/bin/env bash
# The Windows lab: real Windows processes, dumps and the real debugger engine on Linux, under Wine.
# See README.md beside this file. Every step is idempotent; two calls may run at once.
set -euo pipefail
shopt -s inherit_errexit

LAB_SOURCE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=$(cd "$LAB_SOURCE/../.." && pwd)
# shellcheck disable=SC2034
LAB=${HANGTRIAGE_LAB:-$REPO/artifacts/lab}

for part in common install samples managed engine dotnet triage prepare neutral; do
    # shellcheck source=/dev/null
    . "$LAB_SOURCE/lib/$part.sh"
done

usage() {
    cat <<'TEXT'
usage: lab.sh COMMAND ...

  install                              gets Wine, mingw and the packages, makes the Wine prefix
  status                               exit 0 when installed, else one line that says why and exit 3
  prepare all|gate PROGRAM...          builds all that the tests of that tier start, so that none of them compiles; PROGRAM...: its .NET programs
  build SAMPLE                         compiles samples/SAMPLE and prints the folder of its program; of .NET samples all
                                       are published at once, with one runtime beside them
  dump SAMPLE FLAGS OUT [-- ARGS]      runs the sample until READY, writes a minidump (0x1806 full, 0x1101 small)
  neutral-dump SAMPLE FLAGS OUT.gz     the same for publishing: nothing of this machine gets into it (needs root)
  engine [OPTIONS] DUMP CMD...         opens a dump in the debugger engine and prints what the commands print
  engine [OPTIONS] --attach SAMPLE|PID CMD...
                                       the same on a live sample, or on what "live" runs, attached to without stopping it for good
      CMD is a debugger command, or one of four of the lab's own:
      stacks:                          every stack, a line a frame, tab separated, all numbers hexadecimal but the frame's:
                                       thread id, frame number, instruction, stack pointer, return address, symbol or ?
      call: NAME ARGS                  as !NAME ARGS, and what the extension returns counts
      interrupt MS: NAME ARGS          the same, with Ctrl+Break after so many ms
      running: NAME ARGS               the same while the program runs (--debug), which then is broken into again
      --dotnet VERSION                 with DOTNET_ROOT set to that .NET
      --sos VERSION                    with a stand-in for SOS that will start that .NET: .load .../engine/standin/sos.dll
      --path FOLDER                    with that folder on PATH
      --dml                            the output takes links, and prints them as they come
      --debug SAMPLE                   as --attach, but the debugger debugs the sample and has broken in
  managed-frames DUMP SAMPLE           every managed frame of a dump of that .NET sample, as .NET itself walks them: a line a
                                       frame, tab separated, numbers hexadecimal: thread id, instruction, stack pointer, method
  managed-state DUMP...                the same of each dump for a sample's state: its threads with their names and methods, and
                                       the monitors that are held
  run SAMPLE [-- ARGS]                 runs a Windows program under the lab's Wine (to look at it by hand)
  live SAMPLE [-- ARGS]                runs the sample until READY, prints "PID n" and what it prints then, answers each line
                                       of its input with "COUNTS threads highest-suspend-count", ends it at the input's end
  triage ARGS                          runs the tool under the lab's Wine, where it reads the managed half of dumps
  dotnet-root [VERSION]                lays out a Windows .NET (10.0.14 unless told) and prints where
  shim                                 builds the native half of the debugger extension: artifacts/lab/shim/triage.dll
  winpath PATH                         prints PATH as a program in the lab sees it

SAMPLE is the name of a folder in samples/, or the path of a Windows .exe. Nothing here needs a display.
A command that takes a sample takes --framework net8.0 (or net9.0) first: a .NET sample for that .NET.
Exit codes: 0 done, 1 failed, 3 the lab cannot be had on this machine, 64 wrong usage.
TEXT
}

main() {
    local command=${1:---help}
    shift || true
    if [ "${1:-}" = --framework ]; then
        [ $# -ge 3 ] || usage_error
        # shellcheck disable=SC2034
        FRAMEWORK=$2
        shift 2
    fi
    case $command in
        install) lab_install ;;
        status) lab_status ;;
        build) [ $# -eq 1 ] || usage_error; require_lab; build_sample "$1"; sample_folder "$1" ;;
        dump) [ $# -ge 3 ] || usage_error; require_lab; dump_sample "$@" ;;
        neutral-dump) [ $# -eq 3 ] || usage_error; require_lab; neutral_dump "$@" ;;
        engine) [ $# -ge 2 ] || usage_error; require_lab; run_engine "$@" ;;
        prepare) [ $# -ge 1 ] || usage_error; require_lab; prepare_lab "$@" ;;
        managed-state) [ $# -ge 1 ] || usage_error; require_lab; managed_state "$@" ;;
        managed-frames) [ $# -eq 2 ] || usage_error; require_lab; managed_frames "$@" ;;
        run) [ $# -ge 1 ] || usage_error; require_lab; run_sample "$@" ;;
        live) [ $# -ge 1 ] || usage_error; require_lab; live_sample "$@" ;;
        triage) [ $# -ge 1 ] || usage_error; require_lab; run_triage "$@" ;;
        dotnet-root) [ $# -le 1 ] || usage_error; require_lab; dotnet_root "${1:-10.0.14}" ;;
        shim) require_lab; build_shim ;;
        winpath) [ $# -eq 1 ] || usage_error; winpath "$1" ;;
        -h | --help | help) usage ;;
        *) usage_error ;;
    esac
}

main "$@"
