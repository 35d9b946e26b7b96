/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The body of a trace: blocks of warps of instruction lines, packed into the
 * spool as they are read. */
#include "kernels/trace/trace_parse.h"

#include "kernels/trace/trace_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of the trace by its linear number. */
struct traced_block {
    uint64_t number, directory;
};

struct parser {
    struct trace_text text;
    struct trace_header header;
    struct error *e;
    struct trace_steps steps;
    struct sass_op unknown_as;
    struct trace_spool *spool;
    uint64_t blocks; /* of the grid the trace was taken with */
    uint32_t warps;  /* of a block of it */
    bool partial;    /* blocks and warps may be missing */
    struct traced_block *block;
    uint64_t block_count, block_room;

    bool in_block, has_number;
    uint64_t number, block_line;
    uint32_t warps_seen;
    struct trace_extent extent[MAX_WARPS_A_BLOCK];
    uint64_t warp_line[MAX_WARPS_A_BLOCK]; /* 0: not seen in this block */

    int warp;          /* -1: none since the block began */
    bool counted;      /* its "insts" line was read */
    uint64_t expected; /* instructions by that line */
    uint64_t found, insts_line;
};

/* ---- warps and blocks --------------------------------------------------- */

/* The number behind "= " of a line that starts with `key`. */
static bool key_number(struct parser *p, struct span line, const char *key,
                       int64_t *out)
{
    char shown[SHOWN_SIZE];
    struct span rest = {line.at + strlen(key), line.end};

    if (!span_empty(&rest) && *rest.at == '=') {
        rest.at++;
        if (span_decimal(&rest, out) && span_empty(&rest))
            return true;
    }
    return trace_fail(&p->text, p->e, "found \"%s\", expected \"%s = N\"",
                      trace_show(shown, line), key);
}

static bool begin_warp(struct parser *p, struct span line)
{
    int64_t n;

    if (!key_number(p, line, "warp", &n))
        return false;
    if (!p->has_number)
        return trace_fail(&p->text, p->e, "warp outside of a thread block");
    if (n < 0 || n >= p->warps)
        return trace_fail(
            &p->text, p->e,
            "warp %lld in blocks of %u threads, expected 0 to %u", (long long)n,
            p->header.block.x * p->header.block.y * p->header.block.z,
            p->warps - 1);
    if (p->warp_line[n] != 0)
        return trace_fail(&p->text, p->e,
                          "warp %lld again, its first is in line %llu",
                          (long long)n, (unsigned long long)p->warp_line[n]);
    p->warp = (int)n;
    p->warp_line[n] = p->text.line;
    p->counted = false;
    return true;
}

static bool begin_instructions(struct parser *p, struct span line)
{
    int64_t n;

    if (!key_number(p, line, "insts", &n))
        return false;
    if (p->warp < 0 || p->counted)
        return trace_fail(&p->text, p->e, "\"insts\" without \"warp\" before");
    if (n < 0 || (n == 0 && !p->partial))
        return trace_fail(&p->text, p->e,
                          "insts = %lld, expected at least one instruction",
                          (long long)n);
    p->counted = true;
    p->expected = (uint64_t)n;
    p->found = 0;
    p->insts_line = p->text.line;
    if (n > 0) {
        trace_steps_begin(&p->steps, p->spool);
        p->extent[p->warp].start = trace_spool_offset(p->spool);
    }
    return true;
}

static bool begin_block(struct parser *p)
{
    if (p->in_block)
        return trace_fail(&p->text, p->e,
                          "#BEGIN_TB, expected the end of the block before");
    p->in_block = true;
    p->has_number = false;
    p->warp = -1;
    p->counted = false;
    p->expected = p->found = 0;
    p->warps_seen = 0;
    p->block_line = p->text.line;
    memset(p->extent, 0, sizeof(p->extent));
    memset(p->warp_line, 0, sizeof(p->warp_line));
    return true;
}

/* "thread block = x,y,z" */
static bool number_block(struct parser *p, struct span line)
{
    const struct dim3 *grid = &p->header.grid;
    const uint32_t size[3] = {grid->x, grid->y, grid->z};
    const char *at = memchr(line.at, '=', (size_t)(line.end - line.at));
    char shown[SHOWN_SIZE];
    uint64_t at_dim[3];

    if (!p->in_block || p->has_number)
        return trace_fail(&p->text, p->e,
                          "thread block without #BEGIN_TB before");
    for (int i = 0; i < 3; i++) {
        uint64_t n = 0;
        const char *first;

        at = at != NULL && at < line.end && *at == "=,,"[i] ? at + 1 : line.end;
        while (at < line.end && *at == ' ')
            at++;
        for (first = at; at < line.end && *at >= '0' && *at <= '9'; at++)
            n = n > UINT32_MAX ? n : n * 10 + (uint64_t)(*at - '0');
        if (at == first || n >= size[i])
            return trace_fail(&p->text, p->e,
                              "found \"%s\", expected a block of the grid "
                              "(%u,%u,%u)",
                              trace_show(shown, line), size[0], size[1],
                              size[2]);
        at_dim[i] = n;
    }
    p->number = (at_dim[2] * size[1] + at_dim[1]) * size[0] + at_dim[0];
    p->has_number = true;
    return true;
}

static bool add_block(struct parser *p)
{
    if (p->block_count == p->block_room) {
        uint64_t room = p->block_room != 0 ? 2 * p->block_room : 256;
        void *grown = realloc(p->block, room * sizeof(*p->block));

        if (grown == NULL)
            return error_no_memory(p->e);
        p->block = grown;
        p->block_room = room;
    }
    p->block[p->block_count++] =
        (struct traced_block){p->number, trace_spool_offset(p->spool)};
    trace_spool_put(p->spool, &p->block_line, sizeof(p->block_line));
    trace_spool_put(p->spool, p->extent,
                    p->warps * (uint32_t)sizeof(p->extent[0]));
    return true;
}

static bool end_block(struct parser *p)
{
    if (!p->in_block || !p->has_number)
        return trace_fail(&p->text, p->e, "#END_TB without a thread block");
    if (p->warps_seen < p->warps && !p->partial)
        return trace_fail(
            &p->text, p->e,
            "block has %u of its %u warps (--grid takes the trace "
            "all the same)",
            p->warps_seen, p->warps);
    if (p->spool->failure != 0)
        return trace_spool_flush(p->spool, p->e);
    p->in_block = p->has_number = false;
    p->warp = -1;
    return p->warps_seen == 0 || add_block(p);
}

static bool instruction(struct parser *p, struct span line)
{
    if (!trace_steps_line(&p->steps, line))
        return false;
    if (++p->found < p->expected)
        return true;
    trace_steps_end(&p->steps);
    p->extent[p->warp].end = trace_spool_offset(p->spool);
    p->warps_seen++;
    return true;
}

/* ---- lines -------------------------------------------------------------- */

static bool too_few(struct parser *p)
{
    return trace_fail_at(
        &p->text, p->insts_line, p->e, "insts = %llu, found %llu instructions",
        (unsigned long long)p->expected, (unsigned long long)p->found);
}

static bool other_line(struct parser *p, struct span line)
{
    char shown[SHOWN_SIZE];

    if (span_starts(line, "#BEGIN_TB"))
        return begin_block(p);
    if (span_starts(line, "#END_TB"))
        return end_block(p);
    if (span_starts(line, "thread block"))
        return number_block(p, line);
    if (span_starts(line, "warp"))
        return begin_warp(p, line);
    if (span_starts(line, "insts"))
        return begin_instructions(p, line);
    if (*line.at == '#' || span_starts(line, "cluster "))
        return true;
    if (p->warp >= 0 && p->counted)
        return trace_fail(
            &p->text, p->e, "one more line than insts = %llu in line %llu says",
            (unsigned long long)p->expected, (unsigned long long)p->insts_line);
    return trace_fail(&p->text, p->e,
                      "found \"%s\", expected a block, warp or number of "
                      "instructions",
                      trace_show(shown, line));
}

static bool read_body(struct parser *p)
{
    struct span line;

    for (;;) {
        enum trace_line got = trace_text_line(&p->text, &line, p->e);

        if (got == TRACE_ERROR)
            return false;
        if (got == TRACE_END)
            break;
        if (span_empty(&line))
            continue;
        if (p->found == p->expected) {
            if (!other_line(p, line))
                return false;
        } else if (*line.at == '#' || *line.at > 'f')
            return too_few(p);
        else if (!instruction(p, line))
            return false;
    }
    if (p->in_block)
        return trace_fail(&p->text, p->e,
                          "file ends inside a thread block, expected #END_TB");
    return true;
}

/* ---- the whole ---------------------------------------------------------- */

static bool no_unknown(const struct parser *p)
{
    const struct trace_insts *t = &p->steps.insts;
    char others[64] = "";

    if (t->unknown_count == 0)
        return true;
    if (t->unknown_count > 1)
        snprintf(others, sizeof(others), " (and %u other unknown opcode%s)",
                 t->unknown_count - 1, t->unknown_count > 2 ? "s" : "");
    return trace_fail_at(&p->text, t->unknown_line, p->e,
                         "unknown opcode %s for sm_%d%s, expected one of sm_35 "
                         "to sm_90 (--unknown-op takes it for a class)",
                         t->unknown[0], t->arch, others);
}

static int compare_blocks(const void *a, const void *b)
{
    const struct traced_block *x = a, *y = b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->directory < y->directory ? -1 : 1;
}

static bool sort_blocks(struct parser *p)
{
    bool ascending = true;

    for (uint64_t i = 1; i < p->block_count; i++)
        ascending = ascending && p->block[i - 1].number < p->block[i].number;
    if (ascending)
        return true;
    qsort(p->block, p->block_count, sizeof(*p->block), compare_blocks);
    for (uint64_t i = 1; i < p->block_count; i++) {
        uint64_t line = 1;

        if (p->block[i - 1].number != p->block[i].number)
            continue;
        trace_spool_read(p->spool, p->block[i].directory, &line, sizeof(line));
        return trace_fail_at(&p->text, line, p->e,
                             "block %llu of the grid is in the trace twice",
                             (unsigned long long)p->block[i].number);
    }
    return true;
}

static bool complete(const struct parser *p)
{
    if (p->block_count == 0)
        return trace_fail(&p->text, p->e, "no thread block in the trace");
    if (p->block_count != p->blocks && !p->partial)
        return trace_fail_at(&p->text, p->header.grid_line, p->e,
                             "grid of %llu blocks, %llu in the trace (--grid "
                             "repeats them)",
                             (unsigned long long)p->blocks,
                             (unsigned long long)p->block_count);
    return true;
}

static bool set_unknown_op(struct parser *p, const char *name)
{
    if (name == NULL || strcmp(name, "error") == 0)
        return true;
    p->steps.insts.unknown_as = &p->unknown_as;
    return sass_class_named(&p->unknown_as, name) ||
           error_set(p->e, STATUS_USAGE,
                     "--unknown-op %s, expected error, int, imul, sp, sfu, dp "
                     "or tensor",
                     name);
}

static bool read_trace(struct parser *p, const struct load_options *o)
{
    const struct trace_header *h = &p->header;

    if (!set_unknown_op(p, o->trace.unknown_op) ||
        !trace_header_read(&p->header, &p->text, p->e))
        return false;
    if (!trace_known_init(&p->steps.known))
        return error_no_memory(p->e);
    p->steps.insts.arch = h->arch;
    p->steps.insts.version = h->version;
    p->blocks = (uint64_t)h->grid.x * h->grid.y * h->grid.z;
    p->warps =
        (h->block.x * h->block.y * h->block.z + WARP_LANES - 1) / WARP_LANES;
    p->partial = o->launch.grid.x != 0;
    p->steps.local_low = UINT64_MAX;
    p->warp = -1;
    if (h->in_block)
        begin_block(p);
    return read_body(p) && no_unknown(p) && trace_spool_flush(p->spool, p->e) &&
           sort_blocks(p) && complete(p);
}

static void release(struct parser *p)
{
    free(p->header.name);
    free(p->block);
    trace_insts_free(&p->steps.insts);
    trace_known_free(&p->steps.known);
    trace_text_close(&p->text);
}

/* Hand what was read over to a source. */
static bool make_source(struct parser *p, struct kernel *k)
{
    struct trace_source *s = calloc(1, sizeof(*s));

    if (s == NULL)
        return error_no_memory(p->e);
    k->source = s;
    k->ops = &trace_source_ops;
    s->spool = p->spool;
    p->spool->users++;
    s->warps = p->warps;
    s->block_count = p->block_count;
    k->period = p->block_count;
    s->directory = malloc(p->block_count * sizeof(*s->directory));
    if (s->directory == NULL)
        return error_no_memory(p->e);
    for (uint64_t i = 0; i < p->block_count; i++)
        s->directory[i] = p->block[i].directory;
    if (p->steps.local_high > p->steps.local_low) {
        s->local_low = p->steps.local_low & ~(uint64_t)15;
        s->local_bytes = p->steps.local_high - s->local_low;
    }
    return trace_insts_finish(&p->steps.insts, k, &s->order, p->e);
}

static struct kernel *make_kernel(struct parser *p,
                                  const struct load_options *o)
{
    struct kernel *k = calloc(1, sizeof(*k));

    if (k == NULL) {
        error_no_memory(p->e);
        return NULL;
    }
    if (trace_launch(k, &p->header, &p->text, o, p->e) && make_source(p, k))
        return k;
    kernel_free(k);
    return NULL;
}

struct kernel *trace_parse(const char *path, const struct load_options *o,
                           struct trace_spool *spool, struct error *e)
{
    struct parser p = {.e = e, .spool = spool};
    struct kernel *k = NULL;

    p.steps.header = &p.header;
    p.steps.text = &p.text;
    p.steps.e = e;
    if (!trace_text_open(&p.text, path, e))
        return NULL;
    if (read_trace(&p, o))
        k = make_kernel(&p, o);
    release(&p);
    return k;
}
