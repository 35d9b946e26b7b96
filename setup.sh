#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what the build needs and the machine lacks (Debian and Ubuntu). Without
# root or sudo it prints the one command to type and fails.
set -eu

missing=''
need() { # PACKAGE TEST...
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

need gcc command -v cc
need make command -v make
if command -v pkg-config >/dev/null 2>&1; then
    need libgsl-dev pkg-config --exists gsl
    need libconfig-dev pkg-config --exists libconfig
    need check pkg-config --exists check
    need liblzma-dev pkg-config --exists liblzma
    need libsqlite3-dev pkg-config --exists sqlite3
    need liblz4-dev pkg-config --exists liblz4
    need libzstd-dev pkg-config --exists libzstd
else
    missing="$missing pkg-config libgsl-dev libconfig-dev check"
    missing="$missing liblzma-dev libsqlite3-dev liblz4-dev libzstd-dev"
fi
[ -n "$missing" ] || exit 0

install="apt-get install -y --no-install-recommends$missing libc6-dev"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "setup: install these packages by hand:$missing" >&2
    exit 1
elif [ "$(id -u)" -eq 0 ]; then
    sudo=''
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo='sudo'
else
    echo "setup: packages are missing; type: sudo $install" >&2
    exit 1
fi
echo "setup: installing$missing"
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive $install >/dev/null
