#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No file needs, by way of others, a file that needs it: no circle in what the
# objects of the library and the program take from each other.
# usage: OBJECTS=FOLDER circles.sh, in the folder of the sources
set -u
here=$(dirname "$0")

# The strongly connected components of more than one file (Tarjan, 1972), a
# line each, from lines "FILE FILE SYMBOL".
components() {
    awk '
    function visit(v,    i, w, parts, line) {
        index_of[v] = low[v] = ++visited
        stack[++depth] = v
        on_stack[v] = 1
        for (i = 1; i <= out[v]; i++) {
            w = edge[v, i]
            if (!(w in index_of)) {
                visit(w)
                low[v] = low[w] < low[v] ? low[w] : low[v]
            } else if (on_stack[w] && index_of[w] < low[v]) {
                low[v] = index_of[w]
            }
        }
        if (low[v] != index_of[v])
            return
        do {
            w = stack[depth--]
            on_stack[w] = 0
            line = w " " line
            parts++
        } while (w != v)
        if (parts > 1)
            print line
    }
    !seen[$1, $2]++ { edge[$1, ++out[$1]] = $2 }
    END { for (v in out) if (!(v in index_of)) visit(v) }' |
        while read -r line; do
            # shellcheck disable=SC2086
            printf '%s\n' $line | LC_ALL=C sort | paste -s -d ' '
        done | LC_ALL=C sort
}

"$here/../links.sh" | components | awk '
    { print "a circle of files: " $0 }
    END { printf "circles: %d passed, %d failed\n", NR == 0, NR; exit NR > 0 }'
