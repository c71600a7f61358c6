#!/usr/bin/env bash
# Builds everything and runs the tests of the gate; with --all or --quick first, all tests or the fast ones (tests/README.md).
# What cannot run here is skipped with its reason; with CI=true that is a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# all: everything; gate: what tests/README.md does not list as left out; quick: no lab, no root, no network, no programs, nothing slow.
tier=gate
case ${1:-} in
    --all) tier=all; shift ;;
    --quick) tier=quick; shift ;;
esac

results=artifacts/test-results
rm -rf "$results" artifacts/matrix.txt artifacts/truth.txt artifacts/truth-optimised.txt
mkdir -p "$results"
code=0

# In the run of all one test judges 170 programs, beside others.
longest=15m
[ "$tier" = all ] && longest=60m

# Runs the tests of a project, or of all, for which a filter holds. Where for long no test begins or ends, those that run are named, and a
# dump is left.
run() {
    local project=$1 filter=$2
    shift 2
    dotnet test "$project" --no-build --nologo --results-directory "$results" --logger trx --blame-hang-timeout "$longest" --blame-hang-dump-type full \
        --filter "$filter" "$@" || code=$?
}

dotnet build Extension.sln --nologo -v quiet
if [ "$tier" = quick ]; then
    run tests/Unit 'Tier!=all&Tier!=live' "$@"
    run tests/Capture 'FullyQualifiedName~Capture.Windows|FullyQualifiedName~Capture.Symbols' "$@"
    run tests/EndToEnd 'FullyQualifiedName~EndToEnd.Layers' "$@"
else
    without='Tier!=all&'
    if [ "$tier" = all ]; then
        without=
        export HANGTRIAGE_TESTS=all
    fi

    # Nothing is compiled beside a test.
    dotnet run --project tests/Prepare --no-build
    run Extension.sln "${without}Tier!=live" "$@"

    # What measures moments and shares of processors, with nothing beside it.
    for project in tests/EndToEnd tests/Lab; do
        run "$project" "${without}Tier=live" "$@"
    done
fi

# What hung is our own matter, too.
find "$results" -name '*_hangdump.dmp' | while read -r dump; do
    echo "A test run hung: $dump"
    dotnet artifacts/bin/triage/debug/triage.dll analyze "$dump" || true
done

# Each .trx states its counts once, and the reason of each test that was not run.
sum() { cat "$results"/*.trx | { grep -o "<Counters [^>]*" || true; } | { grep -o " $1=\"[0-9]*\"" || true; } | tr -dc '0-9\n' | awk '{ n += $1 } END { print n + 0 }'; }
total=$(sum total)
passed=$(sum passed)
failed=$(sum failed)
skipped=$((total - passed - failed))

# A test process that crashed counts as a failed test, since no file of results counts the tests that it did not come to. A failed test is an
# error of the run, too: only the words tell.
crashed=$( (grep -lE 'Test process crashed|\[FATAL ERROR\]|[Tt]est host process crashed' "$results"/*.trx || true) | wc -l)
failed=$((failed + crashed))

# The name and the first words of each test of one outcome.
tests() { cat "$results"/*.trx | tr '\n' ' ' | { grep -o "<UnitTestResult [^>]*outcome=\"$1\"[^>]*>.\{0,1500\}" || true; } \
    | sed -E 's/.*testName="([^"]*)".*<Message>([^<]{0,600}).*/  \1: \2/; s/&#xD;|&#xA;/ /g' | sort | uniq; }

if [ "$skipped" -gt 0 ]; then
    echo "Skipped:"
    tests NotExecuted
fi

for table in artifacts/matrix.txt artifacts/truth.txt artifacts/truth-optimised.txt; do
    if [ -e "$table" ]; then
        cat "$table"
    fi
done

# Last, so that they are in sight where only the end of the output is kept.
if [ "$failed" -gt 0 ]; then
    echo "Failed:"
    tests Failed
fi

# What had begun and not ended there.
if [ "$crashed" -gt 0 ]; then
    echo "Test processes that crashed: $crashed. Tests that were running:"
    find "$results" -path '*/In/*' -prune -o -name 'Sequence_*.xml' -print0 | xargs -0 -r cat | { grep -o '<Test [^>]*Completed="False"[^>]*' || true; } \
        | sed -E 's/.* Name="([^"]*)".*/  \1/'
    grep -h -o 'Test process crashed[^&<]*' "$results"/*.trx || true
fi

if [ "$total" -eq 0 ]; then
    echo "no test ran" >&2
    code=1
fi

echo "Disk: $(du -sh artifacts | cut -f1) in artifacts, $(df -h --output=avail . | tail -1 | tr -d ' ') free"
echo "$passed passed, $failed failed, $skipped skipped"
exit "$code"
