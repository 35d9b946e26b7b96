/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/depend.h"

#include "kernels/form/box.h"

#include <stdlib.h>
#include <string.h>

#define PAGE_WORDS 1024
#define NO_LAUNCH  UINT32_MAX
#define NO_PAGE    UINT64_MAX

/* Who wrote a word, and who before: a launch sees what was there when it
 * began. */
struct writer {
    uint32_t launch;
    uint64_t block;
};
struct word_state {
    struct writer last, before;
};

struct page {
    uint64_t number; /* NO_PAGE: none */
    struct word_state *word;
};

/* Lanes of a warp that load a word. */
struct load {
    uint64_t key; /* word and warp */
    uint32_t lanes;
    uint8_t class;
};

enum load_class { SELF, GHOST, OTHER, OLDER_SELF, NONE, CLASSES };

struct walk {
    struct page *page; /* hash table, open addressing */
    size_t pages, capacity;
    struct load *load; /* of the block being walked */
    size_t loads, load_capacity;
    const struct kernel *kernel, *previous;
    uint32_t launch;
    uint64_t block;
    uint64_t count[CLASSES]; /* of the launch */
    uint64_t steps;
};

/* ---- who wrote a word --------------------------------------------------- */

static size_t slot_of(const struct walk *w, uint64_t number)
{
    /* Fibonacci hashing (Knuth, TAOCP vol. 3, 6.4). */
    size_t at = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 20);
    while (w->page[at % w->capacity].number != number &&
           w->page[at % w->capacity].number != NO_PAGE)
        at++;
    return at % w->capacity;
}

static bool grow_pages(struct walk *w)
{
    struct walk more = {.capacity = w->capacity == 0 ? 64 : 2 * w->capacity};
    more.page = malloc(more.capacity * sizeof(*more.page));
    if (more.page == NULL)
        return false;
    for (size_t i = 0; i < more.capacity; i++)
        more.page[i] = (struct page){NO_PAGE, NULL};
    for (size_t i = 0; i < w->capacity; i++)
        if (w->page[i].number != NO_PAGE)
            more.page[slot_of(&more, w->page[i].number)] = w->page[i];
    free(w->page);
    w->page = more.page;
    w->capacity = more.capacity;
    return true;
}

static struct word_state *new_page(void)
{
    struct word_state *word = malloc(PAGE_WORDS * sizeof(*word));
    for (int i = 0; word != NULL && i < PAGE_WORDS; i++)
        word[i] = (struct word_state){{NO_LAUNCH, 0}, {NO_LAUNCH, 0}};
    return word;
}

/* The state of a word; NULL when nobody wrote to its page, or, with `make`,
 * when memory is out. */
static struct word_state *state_of(struct walk *w, uint64_t word, bool make)
{
    uint64_t number = word / PAGE_WORDS;
    if (2 * w->pages >= w->capacity && !grow_pages(w))
        return NULL;
    struct page *p = &w->page[slot_of(w, number)];
    if (p->number == NO_PAGE) {
        struct word_state *fresh = make ? new_page() : NULL;
        if (fresh == NULL)
            return NULL;
        *p = (struct page){number, fresh};
        w->pages++;
    }
    return &p->word[word % PAGE_WORDS];
}

static bool note_write(struct walk *w, uint64_t word)
{
    struct word_state *s = state_of(w, word, true);
    if (s == NULL)
        return false;
    if (s->last.launch != w->launch)
        s->before = s->last;
    s->last = (struct writer){w->launch, w->block};
    return true;
}

/* ---- classes ------------------------------------------------------------ */

static bool near(uint64_t a, uint64_t b)
{
    return a > b ? a - b <= 1 : b - a <= 1;
}

static bool same_grid(const struct kernel *a, const struct kernel *b)
{
    return a->grid.x == b->grid.x && a->grid.y == b->grid.y &&
           a->grid.z == b->grid.z;
}

static bool neighbours(const struct walk *w, uint64_t a, uint64_t b)
{
    const struct dim3 *g = &w->kernel->grid;
    if (!same_grid(w->kernel, w->previous))
        return near(a, b);
    uint64_t plane = (uint64_t)g->x * g->y;
    return near(a % g->x, b % g->x) && near(a / g->x % g->y, b / g->x % g->y) &&
           near(a / plane, b / plane);
}

/* Whether the host has written a word since the launch before. */
static bool from_host(const struct walk *w, uint64_t word)
{
    const struct kernel *k = w->kernel;
    uint64_t at = word * WORD_BYTES;
    for (uint32_t i = 0; w->launch > 0 && i < k->buffers; i++)
        if (k->buffer[i].host && at - k->buffer[i].address < k->buffer[i].bytes)
            return true;
    return false;
}

static enum load_class class_of(const struct walk *w, const struct writer *by)
{
    if (by->launch == NO_LAUNCH)
        return NONE;
    if (by->launch + 1 != w->launch)
        return by->block == w->block ? OLDER_SELF : OTHER;
    if (by->block == w->block)
        return SELF;
    return neighbours(w, by->block, w->block) ? GHOST : OTHER;
}

static bool note_load(struct walk *w, uint64_t word, uint32_t warp,
                      uint32_t lanes)
{
    const struct word_state *s = state_of(w, word, false);
    struct writer nobody = {NO_LAUNCH, 0};
    const struct writer *by = s != NULL ? &s->last : &nobody;
    if (by->launch == w->launch) {
        if (by->block == w->block)
            return true; /* its own product */
        by = &s->before;
    }
    if (w->loads == w->load_capacity) {
        size_t capacity = 2 * w->load_capacity + 4096;
        void *grown = realloc(w->load, capacity * sizeof(*w->load));
        if (grown == NULL)
            return false;
        w->load = grown;
        w->load_capacity = capacity;
    }
    enum load_class class = from_host(w, word) ? OTHER : class_of(w, by);
    w->load[w->loads++] =
        (struct load){word * MAX_WARPS_A_BLOCK + warp, lanes, (uint8_t) class};
    return true;
}

/* ---- streams ------------------------------------------------------------ */

static bool reads(const struct inst *i)
{
    return i->op == OP_LOAD &&
           (i->space == SPACE_GLOBAL || i->space == SPACE_TEXTURE ||
            i->space == SPACE_CONST);
}

static bool writes(const struct inst *i)
{
    return (i->op == OP_STORE || i->op == OP_ATOMIC) &&
           i->space == SPACE_GLOBAL;
}

/* The words that these lanes access from byte `first` on. */
static bool note_words(struct walk *w, const struct inst *i, uint64_t first,
                       uint32_t warp, uint32_t lanes)
{
    uint64_t last = (first + i->width - 1) / WORD_BYTES;
    for (uint64_t word = first / WORD_BYTES; word <= last; word++)
        if (writes(i) ? !note_write(w, word) : !note_load(w, word, warp, lanes))
            return false;
    return true;
}

static bool note_box(struct walk *w, const struct inst *i, const struct step *s,
                     uint32_t warp)
{
    struct box_walk walk = box_begin(s);
    struct transaction t;
    while (box_next(&walk, i->width, i->width, &t))
        if (!note_words(w, i, t.line * i->width, warp, s->mask))
            return false;
    return true;
}

static bool note_step(struct walk *w, const struct inst *i,
                      const struct step *s, uint32_t warp)
{
    if (s->form == ADDR_STRIDE && s->stride == 0 && s->mask != 0)
        return note_words(w, i, s->base, warp, s->mask);
    if (s->form == ADDR_BOX)
        return note_box(w, i, s, warp);
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t first = s->form == ADDR_STRIDE
                             ? s->base + (uint64_t)s->stride * lane
                             : s->lane_address[lane];
        if ((s->mask >> lane & 1) != 0 &&
            !note_words(w, i, first, warp, UINT32_C(1) << lane))
            return false;
    }
    return true;
}

static int by_key(const void *a, const void *b)
{
    const struct load *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Count each thread and word of the block once. What a block finds does not
 * change while it is walked, so equal keys have equal classes. */
static void count_loads(struct walk *w)
{
    uint32_t lanes = 0;
    if (w->loads > 0)
        qsort(w->load, w->loads, sizeof(*w->load), by_key);
    for (size_t i = 0; i < w->loads; i++) {
        lanes |= w->load[i].lanes;
        if (i + 1 < w->loads && w->load[i + 1].key == w->load[i].key)
            continue;
        w->count[w->load[i].class] += (unsigned)__builtin_popcount(lanes);
        lanes = 0;
    }
    w->loads = 0;
}

static bool walk_block(struct walk *w, void *state, struct error *e)
{
    const struct kernel *k = w->kernel;
    struct step s;
    if (!k->ops->open(k, state, w->block, e))
        return false;
    bool ok = true;
    for (uint32_t warp = 0; warp < k->warps_per_block; warp++)
        while (ok && k->ops->next(k, state, warp, &s)) {
            const struct inst *i = &k->inst[s.inst];
            if ((reads(i) || writes(i)) && !note_step(w, i, &s, warp))
                ok = error_no_memory(e);
            ok = ok && kernel_walk_goes_on(k, &w->steps, e);
        }
    k->ops->close(k, state);
    count_loads(w);
    return ok;
}

static bool walk_launch(struct walk *w, struct error *e)
{
    size_t size = w->kernel->ops->state_size(w->kernel);
    void *state = malloc(size > 0 ? size : 1);
    bool ok = state != NULL || error_no_memory(e);
    memset(w->count, 0, sizeof(w->count));
    for (w->block = 0; ok && w->block < w->kernel->blocks; w->block++)
        ok = walk_block(w, state, e);
    free(state);
    return ok && kernel_streams_check(w->kernel, e);
}

/* ---- the whole ---------------------------------------------------------- */

static void add(struct depend_counts *to, const uint64_t count[CLASSES])
{
    to->self += count[SELF];
    to->ghost += count[GHOST];
    to->other += count[OTHER] + count[OLDER_SELF];
    to->older_self += count[OLDER_SELF];
    to->none += count[NONE];
}

bool depend_count(struct depend_counts *out, struct depend_counts *each,
                  struct kernel *const *kernel, size_t count, struct error *e)
{
    struct walk w = {0};
    bool ok = true;
    *out = (struct depend_counts){0};
    for (size_t i = 0; ok && i < count; i++) {
        w.kernel = kernel[i];
        w.previous = kernel[i > 0 ? i - 1 : 0];
        w.launch = (uint32_t)i;
        ok = walk_launch(&w, e);
        add(out, w.count);
        if (each != NULL) {
            each[i] = (struct depend_counts){0};
            add(&each[i], w.count);
        }
    }
    for (size_t i = 0; i < w.capacity; i++)
        free(w.page[i].word);
    free(w.page);
    free(w.load);
    return ok;
}

double depend_percent(const struct depend_counts *c, uint64_t loads)
{
    uint64_t all = c->self + c->ghost + c->other;
    return all > 0 ? 100.0 * (double)loads / (double)all : 0;
}
