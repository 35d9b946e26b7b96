#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The libraries give other programs the symbols of include/estimate.h and none
# besides: every one that they define and show begins with estimate_.
# usage: symbols.sh, in the folder of the libraries
set -u

# Names of what library $1 defines for others, by nm and its option $2. The
# linker adds the ends of the sections to a shared library.
shown() {
    nm ${2:+"$2"} --extern-only --defined-only "$1" | awk '
        NF == 3 && $3 !~ /^(__bss_start|_edata|_end)$/ { print $3 }'
}

failed=0
check() { # LIBRARY OPTION
    others=$(shown "$1" "$2" | grep -v '^estimate_')
    if [ -n "$others" ]; then
        echo "$1 shows what is not of its API:" "$others"
        failed=$((failed + 1))
    elif ! shown "$1" "$2" | grep -q '^estimate_version$'; then
        echo "$1 has no API"
        failed=$((failed + 1))
    fi
}

check libestimate.a ''
check libestimate.so -D
echo "symbols: $((2 - failed)) passed, $failed failed"
[ $failed -eq 0 ]
