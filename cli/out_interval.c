/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/out_interval.h"

#include "cli/formats.h"
#include "cli/interrupt.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void put_real(FILE *f, double value)
{
    if (isfinite(value))
        fprintf(f, ",%.6f", value);
    else
        fputc(',', f);
}

static void put_interval(void *file, const struct estimate_interval *i)
{
    FILE *f = file;
    fprintf(f, "%" PRIu64 ",%" PRIu64 ",%.0f", i->from, i->to, i->warp_insts);
    put_real(f, i->ipc);
    put_real(f, i->stall.issued);
    put_real(f, i->stall.idle);
    put_real(f, i->stall.sb_mem);
    put_real(f, i->stall.sb_alu);
    put_real(f, i->stall.pipe_mem);
    put_real(f, i->stall.pipe_alu);
    put_real(f, i->l1_miss);
    put_real(f, i->l2_miss);
    put_real(f, i->dram_gbps);
    fprintf(f, ",%" PRIu64 "\n", i->resident_warps);
}

static bool run(FILE *f, const struct options *o, const struct plan *p,
                struct estimate_error *e)
{
    struct estimate_study *s = plan_study(p, e);
    if (s == NULL)
        return false;
    fputs("from,to,warp_insts,ipc,stall_issued,stall_idle,stall_sb_mem,"
          "stall_sb_alu,stall_pipe_mem,stall_pipe_alu,l1_miss,l2_miss,"
          "dram_gbps,resident_warps\n",
          f);
    bool ok = estimate_over_time(s, o->interval, interrupt_flag(), put_interval,
                                 f, e);
    estimate_study_free(s);
    return ok;
}

struct text {
    const char *bytes;
};

static void write_text(FILE *f, const struct format *format, const void *what)
{
    (void)format;
    fputs(((const struct text *)what)->bytes, f);
}

bool write_intervals(const struct options *o, const struct plan *p,
                     struct estimate_error *e)
{
    char *bytes = NULL;
    size_t size;
    FILE *f = open_memstream(&bytes, &size);
    if (f == NULL)
        return fail_no_memory(e);
    bool ok = run(f, o, p, e);
    fclose(f);
    const struct text text = {bytes};
    const struct written w = {.write = write_text, .what = &text};
    if (ok && o->interval_out != NULL)
        ok = write_file(o->interval_out, NULL, &w, e);
    else if (ok)
        printf("\n%s", bytes);
    free(bytes);
    return ok;
}
