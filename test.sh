#!/usr/bin/env bash
# Builds everything and runs the tests of the gate; with --all first, everything (tests/README.md).
# What cannot run here is skipped with its reason; with CI=true that is a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

tier=(--filter 'Tier!=all')
if [ "${1:-}" = --all ]; then
    shift
    tier=()
    export HANGTRIAGE_TESTS=all
fi

results=artifacts/test-results
rm -rf "$results" artifacts/matrix.txt artifacts/truth.txt
mkdir -p "$results"

dotnet build Extension.sln --nologo -v quiet

# Nothing is compiled beside a test.
dotnet run --project tests/Prepare --no-build

code=0
dotnet test Extension.sln --no-build --nologo --results-directory "$results" --logger trx "${tier[@]}" "$@" || code=$?

# Each .trx states its counts once, and the reason of each test that was not run.
sum() { cat "$results"/*.trx | { grep -o "<Counters [^>]*" || true; } | { grep -o " $1=\"[0-9]*\"" || true; } | tr -dc '0-9\n' | awk '{ n += $1 } END { print n + 0 }'; }
total=$(sum total)
passed=$(sum passed)
failed=$(sum failed)
skipped=$((total - passed - failed))

# The name and the first words of each test of one outcome.
tests() { cat "$results"/*.trx | tr '\n' ' ' | { grep -o "<UnitTestResult [^>]*outcome=\"$1\"[^>]*>.\{0,1500\}" || true; } \
    | sed -E 's/.*testName="([^"]*)".*<Message>([^<]{0,600}).*/  \1: \2/; s/&#xD;|&#xA;/ /g' | sort | uniq; }

if [ "$skipped" -gt 0 ]; then
    echo "Skipped:"
    tests NotExecuted
fi

for table in artifacts/matrix.txt artifacts/truth.txt; do
    if [ -e "$table" ]; then
        cat "$table"
    fi
done

# Last, so that they are in sight where only the end of the output is kept.
if [ "$failed" -gt 0 ]; then
    echo "Failed:"
    tests Failed
fi

if [ "$total" -eq 0 ]; then
    echo "no test ran" >&2
    code=1
fi

echo "Disk: $(du -sh artifacts | cut -f1) in artifacts, $(df -h --output=avail . | tail -1 | tr -d ' ') free"
echo "$passed passed, $failed failed, $skipped skipped"
exit "$code"
