#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No file needs, by way of others, a file that needs it: no circle in what the
# objects of the library and the program take from each other. Lines of known()
# hold files among which one is known to be left; one without is to be struck
# out.
# usage: OBJECTS=FOLDER circles.sh, in the folder of the sources
set -u
here=$(dirname "$0")
known() {
    sed '/^$/d' <<'END'
configs/gpgpusim/gpgpusim_import.c configs/gpgpusim/gpgpusim_memory.c configs/gpgpusim/gpgpusim_network.c configs/gpu_load.c
sampler/counts.c sampler/sampler.c sampler/sm/collect.c sampler/sm/front.c sampler/sm/icache.c sampler/sm/issue.c sampler/sm/l1.c sampler/sm/l1_coherence.c sampler/sm/l1_queue.c sampler/sm/ldst.c sampler/sm/sm.c sampler/sm/writeback.c
END
}

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

{ known; echo; "$here/../links.sh" | components; } | awk '
    NF == 0 { finding = 1; next }
    !finding { line[++lines] = $0; next }
    {
        for (l = 1; l <= lines; l++) {
            out = 0
            for (i = 1; i <= NF; i++)
                out += index(" " line[l] " ", " " $i " ") == 0
            if (out == 0) { left[l] = 1; next }
        }
        print "a circle of files: " $0
        failed++
    }
    END {
        for (l = 1; l <= lines; l++)
            if (!(l in left)) {
                print "no circle is left among: " line[l]
                failed++
            }
        printf "circles: %d passed, %d failed\n", !failed, failed
        exit failed > 0
    }'
