#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What README.md prints comes out as printed. Without python3 there is nothing to
# test. The program is ./estimate where it was built, for one with sanitizers
# takes minutes.
# usage: [ESTIMATE=PROGRAM] [README=FILE] readme.sh [--update], in the folder of the
#        sources
#        --update rewrites README.md to what the program prints now
set -u
if ! command -v python3 >/dev/null; then
    echo "readme: 0 passed, 0 failed"
    exit 0
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${ESTIMATE:-./estimate}
[ -x ./estimate ] && program=./estimate
program=$(cd "$(dirname "$program")" && pwd)/$(basename "$program")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/bin" "$scratch/work"
ln -s "$program" "$scratch/bin/estimate"
ln -s "$root/kernels" "$root/tests" "$scratch/work"
export PATH="$scratch/bin:$PATH" LC_ALL=C COLUMNS=80 NO_COLOR=1
export XDG_CACHE_HOME="$scratch/cache" ESTIMATE_PTXAS=none
cd "$scratch/work" || exit 1
python3 "$root/tests/structure/readme.py" "$@" "${README:-$root/README.md}"
