#!/usr/bin/env bash
# Builds everything and runs every test. What cannot run here is skipped with its reason; with CI=true that is a failure.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

results=artifacts/test-results
rm -rf "$results" artifacts/matrix.txt artifacts/truth.txt
mkdir -p "$results"

dotnet build Extension.sln --nologo -v quiet

code=0
dotnet test Extension.sln --no-build --nologo --results-directory "$results" --logger trx "$@" || code=$?

# Each .trx states its counts once, and the reason of each test that was not run.
sum() { cat "$results"/*.trx | { grep -o "<Counters [^>]*" || true; } | { grep -o " $1=\"[0-9]*\"" || true; } | tr -dc '0-9\n' | awk '{ n += $1 } END { print n + 0 }'; }
total=$(sum total)
passed=$(sum passed)
failed=$(sum failed)
skipped=$((total - passed - failed))

if [ "$skipped" -gt 0 ]; then
    echo "Skipped:"
    cat "$results"/*.trx | tr '\n' ' ' | { grep -o '<UnitTestResult [^>]*outcome="NotExecuted"[^>]*>.\{0,400\}' || true; } \
        | sed -E 's/.*testName="([^"]*)".*<Message>([^<]*).*/  \1: \2/' | sort | uniq
fi

for table in artifacts/matrix.txt artifacts/truth.txt; do
    if [ -e "$table" ]; then
        cat "$table"
    fi
done

if [ "$total" -eq 0 ]; then
    echo "no test ran" >&2
    code=1
fi

echo "$passed passed, $failed failed, $skipped skipped"
exit "$code"
