#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints "FILE FILE SYMBOL" for every symbol that the object of the first source
# file takes from that of the second, of the library and the program.
# usage: OBJECTS=FOLDER links.sh, in the folder of the sources
set -eu
find base kernels configs sampler model calib api cli chart cuda -name '*.c' 2>/dev/null |
    LC_ALL=C sort | sed "s|\(.*\)\.c$|${OBJECTS:-build}/\1.o|" |
    xargs nm -A -g | awk -v prefix="${OBJECTS:-build}/" '
    {
        file = substr($1, length(prefix) + 1)
        sub(/\.o:.*/, ".c", file)
        type = $(NF - 1)
        if (type == "U")
            needs[file, $NF] = 1
        else if (type ~ /[TDBRC]/)
            home[$NF] = file
    }
    END {
        for (need in needs) {
            split(need, part, SUBSEP)
            if (part[2] in home && home[part[2]] != part[1])
                print part[1], home[part[2]], part[2]
        }
    }' | LC_ALL=C sort
