# SPDX-License-Identifier: GPL-3.0-or-later
# The CSV of the microbenchmarks as keys of a GPU configuration:
#
#     awk -f keys.awk h100.csv
#     awk -v schedulers=4 -v icnt=4 -v row=49 -v l2_kb=51200 -f keys.awk h100.csv
#
# schedulers: of an SM; icnt: one way, cycles; row: tRCD + CL in core cycles;
# l2_kb: what separates footprints of the L2 from those of memory. README.md
# has the rules.

function set(key, value, from) {
    printf "%-24s = %s; # %s\n", key, value, from
}

# Cycles from one dependent instruction to the next, less one.
function latency(key, name) {
    if (("chain", name, 1) in at)
        set("latency." key, sprintf("%.0f", at["chain", name, 1]) - 1,
            "dependent chain, one warp: " at["chain", name, 1])
}

# Cycles between two instructions that one scheduler's unit starts.
function interval(key, name, v) {
    if (!(("interval", name, 32) in at))
        return
    v = at["interval", name, 32] * schedulers
    set("interval." key, sprintf("%.0f", v), "32 warps: " v " a scheduler")
}

BEGIN {
    FS = ","
    if (schedulers == "") schedulers = 4
    if (icnt == "") icnt = 4
    if (row == "") row = 49
}

NR == 1 {
    if ($8 != "suite" || $12 != "value") {
        print "keys.awk: found no microbenchmark CSV" > "/dev/stderr"
        failed = 1
        exit 1
    }
    next
}

NR == 2 {
    printf "# %s, compute capability %s, driver %s, runtime %s\n", $1, $2, $4, $5
    sms = $3
    mhz = $6
}

{ at[$8, $9, $10] = $12 }
$8 == "shared_latency" && $11 == 1 { shared = $12 }
$9 == "load_ca" && $11 == 8192 { l1 = $12 }
# An eighth of the L2 hits; eight times as much as it holds does not.
$9 == "load_cg" { if ($11 <= l2_kb * 128 || l2_kb == "" && $11 == 1048576) l2 = $12; dram = $12 }
$9 == "block_slot" && $10 == 1 { slot = $12 }
$9 == "block_period" { period = $12 }
$9 == "back_to_back" { kernel = $12 * mhz / 1000 }
$9 == "dram_read" { gbps = $12 }

END {
    if (failed)
        exit 1
    set("sms", sms, "device")
    set("clock.core_mhz", mhz, "while busy")
    n = split("int imul sp sfu dp tensor", class, " ")
    for (i = 1; i <= n; i++)
        latency(class[i], class[i])
    for (i = 1; i <= n; i++)
        interval(class[i], class[i])
    set("shared.latency", sprintf("%.0f", shared - 2), shared " load to use")
    set("l1.latency", sprintf("%.0f", l1 - 2), l1 " load to use")
    set("l2.latency", sprintf("%.0f", l2 - 4 - 2 * icnt), l2 " load to use")
    set("dram.latency", sprintf("%.0f", dram - l2 - row), dram " load to use")
    set("launch.kernel_cycles", sprintf("%.0f", kernel - slot),
        "back to back: " kernel ", with the first block's start")
    set("launch.block_cycles", sprintf("%.0f", slot), "slot empty: " slot)
    set("launch.block_period", period, "starts of short blocks")
    printf "# dram.gbps is the data sheet's; %s were read\n", gbps
}
