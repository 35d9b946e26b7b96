/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What must hold between the keys of a GPU. */
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <math.h>
#include <string.h>

struct cache_shape {
    const char *name;
    double size_kb;
    int banks, ways, line_bytes, sector_bytes;
};

static bool is_power_of_two(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

static bool check_cache(const struct cache_shape *c, struct error *e)
{
    if (!is_power_of_two(c->line_bytes) || !is_power_of_two(c->sector_bytes))
        return error_set(e, STATUS_BAD_INPUT,
                         "%s lines of %d bytes in sectors of %d: expected "
                         "powers of two",
                         c->name, c->line_bytes, c->sector_bytes);
    if (c->sector_bytes > c->line_bytes)
        return error_set(e, STATUS_BAD_INPUT,
                         "%s.sector_bytes is %d: expected at most "
                         "%s.line_bytes, %d",
                         c->name, c->sector_bytes, c->name, c->line_bytes);
    double set_bytes = (double)c->ways * c->line_bytes * c->banks;
    double sets = c->size_kb * 1024 / set_bytes;
    if (sets < 1 || sets != floor(sets))
        return error_set(e, STATUS_BAD_INPUT,
                         "%s.size_kb is %.15g: expected a multiple of %.15g "
                         "(banks x ways x line)",
                         c->name, c->size_kb, set_bytes / 1024);
    return true;
}

static bool check_caches(const struct gpu *g, struct error *e)
{
    const struct cache_shape shape[] = {
        {"icache", g->icache.size_kb, 1, g->icache.ways, g->icache.line_bytes,
         g->icache.line_bytes},
        {"l1", g->l1.size_kb, 1, g->l1.ways, g->l1.line_bytes,
         g->l1.sector_bytes},
        {"constant", g->constant.size_kb, 1, g->constant.ways,
         g->constant.line_bytes, g->constant.line_bytes},
        {"texture", g->texture.size_kb, 1, g->texture.ways,
         g->texture.line_bytes, g->texture.line_bytes},
        {"l2", g->l2.size_kb, g->l2.banks, g->l2.ways, g->l2.line_bytes,
         g->l2.sector_bytes},
    };
    for (size_t i = 0; i < sizeof(shape) / sizeof(shape[0]); i++)
        if (!check_cache(&shape[i], e))
            return false;
    return true;
}

/* `name` is a multiple of `of`. */
static bool check_multiple(const char *name, int value, const char *of,
                           int divisor, struct error *e)
{
    if (value % divisor == 0)
        return true;
    return error_set(e, STATUS_BAD_INPUT,
                     "%s is %d: expected a multiple of %s, %d", name, value, of,
                     divisor);
}

/* Every key that counts what schedulers divide among themselves when each owns
 * its share (sm.sub_core). */
static const char *const divided_keys[] = {
    "collector.generic", "collector.sp", "collector.sfu", "collector.dp",
    "collector.tensor",  "unit.sp",      "unit.int",      "unit.sfu",
    "unit.dp",           "unit.tensor",  "unit.branch"};

static bool check_sm(const struct gpu *g, struct error *e)
{
    const char *schedulers = "sm.schedulers";
    if (!check_multiple("sm.max_warps", g->sm.max_warps, schedulers,
                        g->sm.schedulers, e))
        return false;
    size_t divided = sizeof(divided_keys) / sizeof(divided_keys[0]);
    for (size_t i = 0; g->sm.sub_core && i < divided; i++) {
        int value = (int)gpu_key_get(g, gpu_key_find(divided_keys[i]));
        if (!check_multiple(divided_keys[i], value, schedulers,
                            g->sm.schedulers, e))
            return false;
    }
    if (g->collector.generic == 0 &&
        (g->collector.sp == 0 || g->collector.sfu == 0 ||
         g->collector.mem == 0))
        return error_set(e, STATUS_BAD_INPUT,
                         "collector.generic is 0: expected at least one "
                         "collector each in collector.sp, .sfu and .mem");
    if (g->collector.generic == 0 && g->unit.dp > 0 && g->collector.dp == 0)
        return error_set(e, STATUS_BAD_INPUT,
                         "collector.dp is 0: expected a collector for the "
                         "units of unit.dp");
    if (g->collector.generic == 0 && g->unit.tensor > 0 &&
        g->collector.tensor == 0)
        return error_set(e, STATUS_BAD_INPUT,
                         "collector.tensor is 0: expected a collector for the "
                         "units of unit.tensor");
    return true;
}

static bool check_near(const char *near, int cycles, const char *far, int most,
                       struct error *e)
{
    if (cycles <= most)
        return true;
    return error_set(e, STATUS_BAD_INPUT, "%s is %d: expected at most %s, %d",
                     near, cycles, far, most);
}

static bool check_mesh(const struct gpu *g, struct error *e)
{
    return check_near("mesh.l2_near", g->mesh.l2_near, "mesh.l2_far",
                      g->mesh.l2_far, e) &&
           check_near("mesh.remote_near", g->mesh.remote_near,
                      "mesh.remote_far", g->mesh.remote_far, e) &&
           check_near("mesh.memory_near", g->mesh.memory_near,
                      "mesh.memory_far", g->mesh.memory_far, e);
}

/* A channel has slices or a slice channels. */
static bool check_slices(const struct gpu *g, struct error *e)
{
    int slices = g->l2.banks, channels = g->dram.channels;
    if (slices % channels == 0 || channels % slices == 0)
        return true;
    return error_set(e, STATUS_BAD_INPUT,
                     "l2.banks is %d: expected a multiple or a divisor of "
                     "dram.channels, %d",
                     slices, channels);
}

static bool check_memory(const struct gpu *g, struct error *e)
{
    if (g->l2.line_bytes != g->l1.line_bytes)
        return error_set(e, STATUS_BAD_INPUT,
                         "l2.line_bytes is %d: expected l1.line_bytes, %d",
                         g->l2.line_bytes, g->l1.line_bytes);
    if (g->coherence == COHERENCE_DENOVO &&
        g->l1.line_bytes > WORD_BYTES * LINE_WORDS)
        return error_set(e, STATUS_BAD_INPUT,
                         "l1.line_bytes is %d: expected at most %d with "
                         "coherence \"denovo\"",
                         g->l1.line_bytes, WORD_BYTES * LINE_WORDS);
    if (g->icache.from_l2 && g->icache.line_bytes > g->l2.line_bytes)
        return error_set(e, STATUS_BAD_INPUT,
                         "icache.line_bytes is %d: expected at most "
                         "l2.line_bytes, %d, with icache.from_l2",
                         g->icache.line_bytes, g->l2.line_bytes);
    return check_mesh(g, e) && check_slices(g, e) &&
           check_multiple("dram.banks", g->dram.banks, "dram.bank_groups",
                          g->dram.bank_groups, e) &&
           check_multiple("l2.fetch_bytes", g->l2.fetch_bytes,
                          "l2.sector_bytes", g->l2.sector_bytes, e) &&
           check_multiple("l2.interleave_bytes", g->l2.interleave_bytes,
                          "l2.line_bytes", g->l2.line_bytes, e) &&
           check_multiple("dram.row_bytes", g->dram.row_bytes,
                          "dram.burst_bytes", g->dram.burst_bytes, e) &&
           check_multiple("dram.interleave_bytes", g->dram.interleave_bytes,
                          "l2.line_bytes", g->l2.line_bytes, e);
}

bool gpu_validate(const struct gpu *g, struct error *e)
{
    return check_sm(g, e) && check_caches(g, e) && check_memory(g, e);
}
