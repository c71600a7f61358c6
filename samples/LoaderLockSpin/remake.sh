#!/usr/bin/env bash
# Makes hang.dmp.gz anew, in the Windows lab (needs root).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
../../tests/Lab/lab.sh install
../../tests/Lab/lab.sh neutral-dump LoaderLockSpin 0x1806 hang.dmp.gz
