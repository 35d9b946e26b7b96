#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# How much of the library's inside the program takes: symbols that are not of
# include/ (those of charts come with the program). Their number stays 0: the program is linked with what other programs
# get.
# usage: OBJECTS=FOLDER program.sh, in the folder of the sources; --list: them
set -u
most=0
here=$(dirname "$0")
inside=$("$here/../links.sh" | awk '$1 ~ /^cli\// && $2 !~ /^(cli|chart)\// &&
    $3 !~ /^estimate_/ { print $3, $2 }' | LC_ALL=C sort -u)
count=$(printf '%s' "$inside" | grep -c '')
[ "${1-}" != --list ] || printf '%s\n' "$inside"
if [ "$count" -le $most ]; then
    echo "program: 1 passed, 0 failed"
    exit 0
fi
echo "the program takes $count symbols of the inside, more than $most"
echo "program: 0 passed, 1 failed"
exit 1
