#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What GPUs' files say of kernels that were measured on hardware is what the
# tables in bench/ have. Without python3 there is nothing to test.
# usage: measured.sh, in the folder of the sources
set -u
if ! command -v python3 >/dev/null; then
    echo "measured: 0 passed, 0 failed"
    exit 0
fi
group=measured
# shellcheck source=../count.sh
. "$(dirname "$0")/../count.sh"

python3 bench/measured.py --check
count $? "a group measured in configs/ is not that of bench/measured.py"
count_end
