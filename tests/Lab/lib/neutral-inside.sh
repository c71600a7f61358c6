#!/usr/bin/env bash
# Runs inside the namespaces that neutral.sh makes: a host called "host", a user called "user", no network, a fresh
# Wine prefix, and C:\hang as the program's folder. Leaves nothing behind: all of it lies in memory.
set -euo pipefail
shopt -s inherit_errexit

wine=$1 engine=$2 settings=$3 program=$4 sample=$5 flags=$6 out=$7

hide_the_machine() {
    hostname host
    mount -t tmpfs -o mode=755 none /mnt
    mkdir -p /mnt/out /mnt/etc /mnt/user
    exec 3>"$out"
    echo "user:x:$(id -u):$(id -g)::/mnt/user:/bin/sh" >/mnt/etc/passwd
    printf '127.0.0.1 localhost host\n' >/mnt/etc/hosts
    : >/mnt/etc/empty
    local file
    mount --bind /mnt/etc/passwd /etc/passwd
    mount --bind /mnt/etc/hosts /etc/hosts
    for file in /etc/resolv.conf /etc/machine-id /etc/fstab /etc/hostname; do
        if [ -e "$file" ]; then mount --bind /mnt/etc/empty "$file"; fi
    done
    cp -r "$engine" /mnt/engine
    cp -r "$program" /mnt/program
    cp "$settings" /mnt/prefix.reg
    mount -t tmpfs none /tmp
}

run() {
    env -i PATH=/usr/bin:/bin LANG=C.UTF-8 TZ=UTC HOME=/mnt/user USER=user WINEPREFIX=/mnt/prefix WINEDEBUG=-all \
        timeout 150 "$@"
}

# No namespace hides the kernel's release, and Wine keeps it for its version: it becomes as many x.
without_kernel_release() {
    local release
    release=$(uname -r)
    LC_ALL=C sed "s/${release//./\\.}/${release//?/x}/g"
}

hide_the_machine
cd /mnt/user
run env WINEDLLOVERRIDES="mscoree,mshtml,winemenubuilder.exe=" "$wine" wineboot -i >/mnt/out/log 2>&1 ||
    { cat /mnt/out/log >&2; exit 1; }
run "$wine" reg import 'Z:\mnt\prefix.reg' >/dev/null 2>&1
cp -r /mnt/program /mnt/prefix/drive_c/hang
rm -f /mnt/prefix/drive_c/hang/built
cd /mnt/prefix/drive_c/hang
run "$wine" 'Z:\mnt\engine\dump.exe' "$flags" 'Z:\mnt\out\hang.dmp' "C:\\hang\\$sample.exe"
without_kernel_release </mnt/out/hang.dmp | gzip -9n >&3
