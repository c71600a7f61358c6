#!/usr/bin/env bash
# Makes the facts of samples anew: store-facts.sh [SAMPLE...] runs each sample until READY, dumps it, and stores NAME.facts.json.gz here.
# .NET samples need the installed .NET 10 with its createdump, C samples the Windows lab (tests/Lab/lab.sh install).
# Afterwards: UPDATE_GOLDEN=1 with the unit tests (-class "*StoredSample*"), and look at the difference.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repo=$(cd "$here/../../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

triage() { dotnet "$repo/artifacts/bin/triage/debug/triage.dll" "$@"; }

store() {
    triage capture "$1" -o "$scratch/facts.json"
    gzip -9n < "$scratch/facts.json" > "$here/$2.facts.json.gz"
    rm -f "$1" "$scratch/facts.json"
}

dump_managed() {
    local project=$1 name runtime process
    name=$(basename "$project" .csproj)
    dotnet build "$project" --nologo -v quiet -p:SampleFramework=net10.0 -o "$scratch/$name"
    runtime=$(dotnet --list-runtimes | sed -n 's/^Microsoft.NETCore.App \(10[^ ]*\) \[\(.*\)\]$/\2\/\1/p' | tail -1)
    # Its input stays open and empty, so that a program that reads it waits.
    mkfifo "$scratch/in"
    "$scratch/$name/$name" <> "$scratch/in" > "$scratch/out" &
    process=$!
    until grep -q ^READY "$scratch/out"; do
        kill -0 "$process"
        sleep 0.2
    done
    "$runtime/createdump" --full -f "$scratch/core" "$process" > /dev/null
    pkill -KILL -P "$process" || true
    kill -KILL "$process"
    wait "$process" 2> /dev/null || true
    rm -f "$scratch/in"
    store "$scratch/core" "$name"
}

if [ $# -eq 0 ]; then
    set -- $(cd "$repo/samples" && ls -d */*.csproj Linux/*/*.csproj */main.c | xargs -n 1 dirname | xargs -n 1 basename | sort)
fi

dotnet build "$repo/host-cli" --nologo -v quiet
for sample in "$@"; do
    project=$(ls "$repo"/samples/"$sample"/"$sample".csproj "$repo"/samples/Linux/"$sample"/"$sample".csproj 2> /dev/null || true)
    if [ -n "$project" ]; then
        dump_managed "$project"
    else
        "$repo/tests/Lab/lab.sh" dump "$sample" 0x1806 "$scratch/dump.dmp" > /dev/null
        store "$scratch/dump.dmp" "$sample"
    fi
done
