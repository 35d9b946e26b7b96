#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The names of the rules of advice that hold for a kernel of a few words.
# usage: rules.sh 'grid = [160]; block = [256]' 'PROGRAM' [OPTION...]
launch=$1 program=$2
shift 2
printf '%s\n' "launch: { registers = 16; $launch; };" \
    'buffers: { x = { bytes = 1073741824; }; y = { bytes = 1073741824; }; };' \
    "program = \"$(echo "$program" | tr ';' '\n')
exit\";" >rules.kernel
estimate explain --format json --gpu v100 "$@" rules.kernel |
    sed -n 's/.*"rule": "\([^"]*\)".*/\1/p' | paste -sd ' '
