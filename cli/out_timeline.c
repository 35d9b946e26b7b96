/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cycles are shown in panels as wide as the page; a warp that is resident in
 * some cycle of a panel has a row there. */
#include "cli/out_timeline.h"

#include "cli/interrupt.h"
#include "cli/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_COLUMNS 17 /* "sched block.warp " */
#define TICK_CYCLES   10
#define SLOTS_MAX     64

struct row {
    int slot;
    uint64_t block;
    uint32_t warp;
    char *cell; /* [panel.cells] */
};

struct panel {
    uint64_t from;
    size_t cells;
    struct row *row; /* in the order in which they were first seen */
    size_t rows, room;
    size_t of_slot[SLOTS_MAX]; /* the slot's latest row and 1, 0: none */
};

struct timeline {
    struct page page;
    uint64_t from, to; /* cycles, both shown */
    uint64_t seen;     /* cycles that have passed */
    int schedulers;
    struct panel panel;
    bool any;    /* a row was printed */
    bool failed; /* memory is out */
};

/* ---- a panel ------------------------------------------------------------- */

static void clear(struct panel *p, uint64_t from)
{
    for (size_t i = 0; i < p->rows; i++)
        free(p->row[i].cell);
    memset(p->of_slot, 0, sizeof(p->of_slot));
    p->rows = 0;
    p->from = from;
}

static struct row *add_row(struct panel *p, const struct estimate_moment *m,
                           int slot)
{
    if (p->rows == p->room) {
        size_t room = p->room > 0 ? 2 * p->room : SLOTS_MAX;
        struct row *grown = realloc(p->row, room * sizeof(*grown));
        if (grown == NULL)
            return NULL;
        p->row = grown;
        p->room = room;
    }
    char *cell = malloc(p->cells);
    if (cell == NULL)
        return NULL;
    memset(cell, ' ', p->cells);
    p->row[p->rows] = (struct row){slot, m->block[slot], m->warp[slot], cell};
    p->of_slot[slot] = ++p->rows;
    return &p->row[p->rows - 1];
}

/* The row of the slot's warp; NULL: memory is out. */
static struct row *row_of(struct panel *p, const struct estimate_moment *m,
                          int slot)
{
    size_t at = p->of_slot[slot];
    if (at > 0) {
        struct row *r = &p->row[at - 1];
        if (r->block == m->block[slot] && r->warp == m->warp[slot])
            return r;
    }
    return add_row(p, m, slot);
}

static void put_ticks(const struct timeline *t)
{
    const struct panel *p = &t->panel;
    uint64_t left = t->to - p->from + 1;
    size_t cells = left < p->cells ? (size_t)left : p->cells;
    fprintf(t->page.f, "\n%-*s", LABEL_COLUMNS, "sched block.warp");
    for (size_t i = 0; i < cells; i += TICK_CYCLES)
        fprintf(t->page.f, "%-*" PRIu64,
                i + TICK_CYCLES < cells ? TICK_CYCLES : 0, p->from + i);
    fputc('\n', t->page.f);
}

static void put_row(const struct timeline *t, const struct row *r)
{
    size_t cells = t->panel.cells;
    char warp[32];
    while (cells > 0 && r->cell[cells - 1] == ' ')
        cells--;
    snprintf(warp, sizeof(warp), "%" PRIu64 ".%" PRIu32, r->block, r->warp);
    fprintf(t->page.f, "%5d %-*s%.*s\n", r->slot % t->schedulers,
            LABEL_COLUMNS - 6, warp, (int)cells, r->cell);
}

/* By scheduler, then by slot, then in the order of time. */
static void put_panel(struct timeline *t)
{
    const struct panel *p = &t->panel;
    if (p->rows == 0)
        return;
    t->any = true;
    put_ticks(t);
    for (int s = 0; s < t->schedulers; s++)
        for (int slot = s; slot < SLOTS_MAX; slot += t->schedulers)
            for (size_t i = 0; i < p->rows; i++)
                if (p->row[i].slot == slot)
                    put_row(t, &p->row[i]);
}

/* ---- cycles -------------------------------------------------------------- */

static char character(const struct estimate_moment *m, uint64_t bit, bool first)
{
    return first && m->issued & bit ? 'I'
           : m->at_barrier & bit    ? 'b'
           : m->waits_memory & bit  ? 'm'
           : m->waits_alu & bit     ? 'a'
           : m->ready & bit         ? 'p'
                                    : '.';
}

static bool put_cycle(struct timeline *t, const struct estimate_moment *m,
                      uint64_t cycle)
{
    struct panel *p = &t->panel;
    bool first = cycle == m->from;
    if (cycle >= p->from + p->cells) {
        put_panel(t);
        clear(p, cycle - (cycle - t->from) % p->cells);
    }
    for (int slot = 0; slot < m->slots; slot++) {
        uint64_t bit = UINT64_C(1) << slot;
        if ((m->live & bit) == 0 && !(first && m->issued & bit))
            continue;
        struct row *r = row_of(p, m, slot);
        if (r == NULL)
            return false;
        r->cell[cycle - p->from] = character(m, bit, first);
    }
    return true;
}

static bool put_moment(void *user, const struct estimate_moment *m)
{
    struct timeline *t = user;
    uint64_t from = m->from > t->from ? m->from : t->from;
    uint64_t to = m->to <= t->to ? m->to : t->to + 1;
    t->schedulers = m->schedulers;
    t->seen = m->to;
    for (uint64_t c = from; c < to && !t->failed; c++)
        t->failed = !put_cycle(t, m, c);
    return !t->failed && m->to <= t->to && !ferror(t->page.f);
}

/* ---- all of it ----------------------------------------------------------- */

static void put_legend(const struct timeline *t, const struct options *o,
                       const struct plan *p)
{
    fprintf(t->page.f,
            "\nSM %" PRIu64 " of %s, cycles %" PRIu64 " to %" PRIu64 ":\n",
            o->sm, case_gpu(&p->at[0]), t->from, t->to);
    page_put(&t->page, 2,
             "  I issued, m waits for memory, a for another result, p ready "
             "but its unit or turn has not come, b at a barrier, . has no "
             "instruction to issue (fetch, a branch, the end)");
}

static void put_end(const struct timeline *t)
{
    if (t->seen <= t->to)
        page_put(&t->page, 0, "\nThe run ends in cycle %" PRIu64 ".",
                 t->seen - 1);
    else if (!t->any)
        page_put(&t->page, 0, "\nNo warp is resident in these cycles.");
}

static bool run(struct timeline *t, const struct options *o,
                const struct plan *p, struct estimate_error *e)
{
    struct estimate_watcher w;
    struct estimate_study *s = plan_study(p, e);
    if (s == NULL)
        return false;
    estimate_watcher_init(&w, sizeof(w));
    w.user = t;
    w.cancel = interrupt_flag();
    w.sm = (int)o->sm;
    w.moment = put_moment;
    bool ok = estimate_watch(s, &w, e);
    estimate_study_free(s);
    return ok && (!t->failed || fail_no_memory(e));
}

bool write_timeline(const struct options *o, const struct plan *p,
                    struct estimate_error *e)
{
    struct timeline t = {.page = page_open(stdout, o->color, false),
                         .from = o->timeline.from,
                         .to = o->timeline.to,
                         .schedulers = 1};
    t.panel.from = t.from;
    t.panel.cells =
        (size_t)(t.page.width - LABEL_COLUMNS) / TICK_CYCLES * TICK_CYCLES;
    put_legend(&t, o, p);
    bool ok = run(&t, o, p, e);
    put_panel(&t);
    if (ok)
        put_end(&t);
    clear(&t.panel, 0);
    free(t.panel.row);
    return ok;
}
