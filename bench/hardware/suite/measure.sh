#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The suite's launches under Nsight Compute, twice, with the caches emptied
# before each: a table of cycles and counters on standard output.
# usage: measure.sh SUITE >TABLE
#        on a machine with the GPU, to itself; NCU: the profiler (default ncu)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
suite=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

counters=gpc__cycles_elapsed.max,sm__cycles_active.avg
counters=$counters,smsp__inst_executed.sum,sm__warps_active.avg.per_cycle_active
counters=$counters,launch__registers_per_thread,launch__shared_mem_config_size
counters=$counters,dram__bytes_read.sum,dram__bytes_write.sum
counters=$counters,lts__t_sectors_srcunit_tex.sum
counters=$counters,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum
counters=$counters,l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum

profile() { # LOG COUNTERS
    "${NCU:-ncu}" --csv --page raw --print-units base --clock-control none \
        --metrics "$2" --log-file "$1" "$suite" >"$scratch/points"
}

profile "$scratch/first" "$counters"
profile "$scratch/second" gpc__cycles_elapsed.max
python3 "$here/../../suite.py" measured "$scratch/points" "$scratch/first" \
    "$scratch/second"
