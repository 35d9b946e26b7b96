/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Caches and memory of a GPGPU-Sim configuration. */
#include "configs/address.h"
#include "configs/gpgpusim/gpgpusim.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- caches ------------------------------------------------------------- */

/* sector:sets:line:ways,replacement:write:allocate:write_allocate:index,
 * mshr:entries:merge,miss_queue[:result_fifo][,data_port] */
struct sim_cache {
    char kind, replacement, write, allocate, write_allocate, index, mshr_kind;
    int sets, line, ways, mshr, merge, queue, fifo, port;
};

static bool parse_cache(const struct sim_option *o, struct sim_cache *c,
                        struct error *e)
{
    int end = 0;
    memset(c, 0, sizeof(*c));
    int n = sscanf(o->value, "%c:%d:%d:%d,%c:%c:%c:%c:%c,%c:%d:%d,%d%n",
                   &c->kind, &c->sets, &c->line, &c->ways, &c->replacement,
                   &c->write, &c->allocate, &c->write_allocate, &c->index,
                   &c->mshr_kind, &c->mshr, &c->merge, &c->queue, &end);
    const char *rest = o->value + end;
    int more = 0;
    if (n == 13 && sscanf(rest, ":%d%n", &c->fifo, &more) == 1)
        rest += more;
    if (n == 13 && sscanf(rest, ",%d%n", &c->port, &more) == 1)
        rest += more;
    if (n != 13 || *rest != '\0' || strchr("NS", c->kind) == NULL ||
        c->sets < 1 || c->line < 1 || c->ways < 1)
        return sim_option_error(
            o,
            "N|S:sets:line:ways,rep:write:alloc:write_alloc:index,"
            "mshr:entries:merge,queue[:fifo][,port]",
            e);
    return true;
}

static double cache_kb(const struct sim_cache *c)
{
    return (double)c->sets * c->line * c->ways / 1024;
}

/* Indices of sets: L linear, the others hash (H Fermi's, P polynomial, X xor).
 */
static bool is_hashed(const struct sim_cache *c)
{
    return c->index != 'L';
}

static enum set_hash set_hash(const struct sim_cache *c)
{
    switch (c->index) {
    case 'H':
        return SETS_FERMI;
    case 'P':
        return SETS_IPOLY;
    case 'X':
        return SETS_XOR;
    default:
        return SETS_FOLDED;
    }
}

static int sector_bytes(const struct sim_cache *c)
{
    return c->kind == 'S' ? 32 : c->line;
}

/* B write-back; T write-through, a hit stays, and unless the policy for misses
 * is N, a miss takes a line; E evict; L evicts global lines. */
static enum l1_write_policy write_policy(const struct sim_cache *c)
{
    if (c->write == 'B')
        return L1_WRITE_BACK;
    if (c->write != 'T')
        return L1_WRITE_THROUGH;
    return c->write_allocate == 'N' ? L1_WRITE_UPDATE : L1_WRITE_ALLOCATE;
}

/* The whole unified memory where each kernel gets its own split. */
static bool widen_l1(struct import *im, struct sim_cache *c, struct error *e)
{
    double adaptive, unified_kb;
    const char *option = "gpgpu_unified_l1d_size";
    sim_options_find(&im->options, "gpgpu_shmem_option");
    if (!import_number(im, "gpgpu_adaptive_cache_config", 0, &adaptive, e) ||
        !import_number(im, option, 0, &unified_kb, e))
        return false;
    if (adaptive == 0 || unified_kb == 0)
        return true;
    double ways = unified_kb * 1024 / ((double)c->sets * c->line);
    if (!(ways >= 1 && ways < 8192) || ways != floor(ways))
        return sim_option_error(sim_options_find(&im->options, option),
                                "a multiple of a way of -gpgpu_cache:dl1", e);
    c->ways = (int)ways;
    return true;
}

static bool import_l1(struct import *im, struct error *e)
{
    struct sim_cache c;
    double skip, written;
    const struct sim_option *o = import_required(im, "gpgpu_cache:dl1", e);
    if (o == NULL || !parse_cache(o, &c, e) || !widen_l1(im, &c, e) ||
        !import_number(im, "gpgpu_gmem_skip_L1D", 0, &skip, e) ||
        !import_number(im, "gpgpu_l1_cache_write_ratio", 0, &written, e))
        return false;
    return import_set(im, o, "l1.size_kb", cache_kb(&c), e) &&
           import_set(im, o, "l1.ways", c.ways, e) &&
           import_set(im, o, "l1.line_bytes", c.line, e) &&
           import_set(im, o, "l1.sector_bytes", sector_bytes(&c), e) &&
           import_set(im, o, "l1.mshr", c.mshr, e) &&
           import_set(im, o, "l1.mshr_merge", c.merge, e) &&
           import_set(im, o, "l1.miss_queue", c.queue, e) &&
           import_set(im, o, "l1.write_policy", write_policy(&c), e) &&
           import_set(im, NULL, "l1.written_percent", written, e) &&
           import_set(im, o, "l1.hashed", is_hashed(&c), e) &&
           import_set(im, o, "l1.set_hash", set_hash(&c), e) &&
           import_set(im, o, "l1.caches_global", skip == 0, e);
}

/* -gpgpu_memory_partition_indexing: 0 consecutive, 1 bitwise, 2 polynomial,
 * 3 entropy of pages, 4 at random (addrdec.h). */
static bool import_slice_hash(struct import *im, struct error *e)
{
    static const enum slice_hash hash[] = {
        SLICE_PLAIN, SLICE_ROTATED, SLICE_IPOLY, SLICE_RANDOM, SLICE_RANDOM};
    double n;
    const char *name = "gpgpu_memory_partition_indexing";
    if (!import_number(im, name, 0, &n, e))
        return false;
    if (n < 0 || n > 4 || n != floor(n))
        return sim_option_error(sim_options_find(&im->options, name), "0 to 4",
                                e);
    return import_set(im, NULL, "l2.slice_hash", hash[(int)n], e);
}

/* A sectored L2 parts what comes to it into sectors and answers each
 * (memory_sub_partition::breakdown_request_to_sector_requests). */
static bool import_l2(struct import *im, struct error *e)
{
    struct sim_cache c;
    double channels, per_channel, queues[4];
    const struct sim_option *o = import_required(im, "gpgpu_cache:dl2", e);
    const struct sim_option *n_mem = import_required(im, "gpgpu_n_mem", e);
    const struct sim_option *queue =
        sim_options_find(&im->options, "gpgpu_dram_partition_queues");
    if (o == NULL || n_mem == NULL || !parse_cache(o, &c, e) ||
        !import_number(im, "gpgpu_n_mem", 0, &channels, e) ||
        !import_set(im, n_mem, "dram.channels", channels, e) ||
        !import_number(im, "gpgpu_n_sub_partition_per_mchannel", 1,
                       &per_channel, e) ||
        !import_slice_hash(im, e))
        return false;
    double banks = channels * per_channel;
    if (!import_set(im, NULL, "l2.hash_bits",
                    address_ipoly_bits((uint64_t)banks), e))
        return false;
    if (queue != NULL &&
        (!sim_option_numbers(queue, ':', 4, 4, queues, NULL, e) ||
         !import_set(im, queue, "l2.queue", queues[0], e) ||
         !import_set(im, queue, "l2.memory_queue", queues[1], e)))
        return false;
    return import_set(im, n_mem, "l2.banks", banks, e) &&
           import_set(im, NULL, "l2.unreserved", 1, e) &&
           import_set(im, o, "l2.size_kb", cache_kb(&c) * banks, e) &&
           import_set(im, o, "l2.ways", c.ways, e) &&
           import_set(im, o, "l2.line_bytes", c.line, e) &&
           import_set(im, o, "l2.sector_bytes", sector_bytes(&c), e) &&
           import_set(im, o, "icnt.sector_answers", c.kind == 'S', e) &&
           import_set(im, o, "l2.mshr", c.mshr, e) &&
           import_set(im, o, "l2.mshr_merge", c.merge, e) &&
           import_set(im, o, "l2.port_bytes", c.port > 0 ? c.port : c.line,
                      e) &&
           import_set(im, o, "l2.fetch_bytes", sector_bytes(&c), e) &&
           import_set(im, o, "l2.hashed", is_hashed(&c), e) &&
           import_set(im, o, "l2.set_hash", set_hash(&c), e);
}

static bool import_side_cache(struct import *im, const char *option,
                              const char *group, struct error *e)
{
    struct sim_cache c;
    char key[64];
    const struct sim_option *o = sim_options_find(&im->options, option);
    if (o == NULL)
        return true;
    if (!parse_cache(o, &c, e))
        return false;
    if (strcmp(group, "icache") == 0 &&
        (!import_set(im, o, "icache.mshr", c.mshr, e) ||
         !import_set(im, o, "icache.mshr_merge", c.merge, e)))
        return false;
    const struct {
        const char *field;
        double value;
    } field[] = {
        {"size_kb", cache_kb(&c)}, {"ways", c.ways}, {"line_bytes", c.line}};
    for (size_t i = 0; i < sizeof(field) / sizeof(field[0]); i++) {
        snprintf(key, sizeof(key), "%s.%s", group, field[i].field);
        if (!import_set(im, o, key, field[i].value, e))
            return false;
    }
    return true;
}

bool import_caches(struct import *im, struct error *e)
{
    return import_l1(im, e) && import_l2(im, e) &&
           import_side_cache(im, "gpgpu_cache:il1", "icache", e) &&
           import_side_cache(im, "gpgpu_const_cache:l1", "constant", e) &&
           import_side_cache(im, "gpgpu_tex_cache:l1", "texture", e);
}

/* ---- memory ------------------------------------------------------------- */

static bool import_bus(struct import *im, struct error *e)
{
    double width, devices, beats, ratio;
    if (!import_number(im, "gpgpu_dram_buswidth", 4, &width, e) ||
        !import_number(im, "gpgpu_n_mem_per_ctrlr", 1, &devices, e) ||
        !import_number(im, "gpgpu_dram_burst_length", 4, &beats, e) ||
        !import_number(im, "dram_data_command_freq_ratio", 2, &ratio, e))
        return false;
    double bytes_a_clock = width * devices * ratio;
    return import_set(im, NULL, "dram.burst_bytes", width * devices * beats,
                      e) &&
           import_set(im, NULL, "dram.gbps",
                      im->g->dram.channels * bytes_a_clock *
                          im->g->clock.dram_mhz / 1000,
                      e);
}

/* The names of -gpgpu_dram_timing_opt, in the order of its form without names
 * (gpu-sim.h, memory_config::init). */
static const struct {
    const char *name, *key;
} dram_timing[] = {
    {"nbk", "dram.banks"}, {"CCD", "dram.ccd"},  {"RRD", "dram.rrd"},
    {"RCD", "dram.rcd"},   {"RAS", "dram.ras"},  {"RP", "dram.rp"},
    {"RC", "dram.rc"},     {"CL", "dram.cl"},    {"WL", "dram.wl"},
    {"CDLR", "dram.wtr"},  {"WR", "dram.wr"},    {"nbkgrp", "dram.bank_groups"},
    {"CCDL", "dram.ccdl"}, {"RTPL", "dram.rtp"},
};
#define DRAM_TIMINGS (int)(sizeof(dram_timing) / sizeof(dram_timing[0]))

static bool set_timing(struct import *im, const struct sim_option *o,
                       const char *word, int place, struct error *e)
{
    char name[16];
    double value;
    int end = 0;
    if (sscanf(word, "%15[A-Za-z]=%lf%n", name, &value, &end) == 2 &&
        word[end] == '\0') {
        for (place = 0; place < DRAM_TIMINGS; place++)
            if (strcmp(dram_timing[place].name, name) == 0)
                break;
    } else if (sscanf(word, "%lf%n", &value, &end) != 1 || word[end] != '\0') {
        return sim_option_error(o, "name=value or value, ':' between them", e);
    }
    if (place >= DRAM_TIMINGS)
        return sim_option_error(
            o, "nbk CCD RRD RCD RAS RP RC CL WL CDLR WR nbkgrp CCDL RTPL", e);
    return import_set(im, o, dram_timing[place].key, value, e);
}

static bool import_timing(struct import *im, struct error *e)
{
    const struct sim_option *o =
        sim_options_find(&im->options, "gpgpu_dram_timing_opt");
    const char *at = o == NULL ? "" : o->value;
    for (int place = 0; *at != '\0'; place++) {
        char word[32];
        size_t length = strcspn(at, ":");
        snprintf(word, sizeof(word), "%.*s", (int)length, at);
        if (!set_timing(im, o, word, place, e))
            return false;
        at += length;
        at += *at == ':';
    }
    return true;
}

/* "dramid@B;...": the channel number stands above bit B of the address; the
 * letters C and S mark the bits inside a row, R those of its number. The lowest
 * B is the slice's, with two to a channel. */
static bool import_mapping(struct import *im, struct error *e)
{
    int bit = 0, inside = 0, rows = 0, below_bank = 0;
    const struct sim_option *o =
        sim_options_find(&im->options, "gpgpu_mem_addr_mapping");
    if (o == NULL)
        return true;
    const char *bits = strchr(o->value, ';');
    bits = bits != NULL ? bits : o->value;
    for (const char *c = bits; *c != '\0'; c++) {
        bool column = strchr("CcSs", *c) != NULL;
        inside += column;
        below_bank = strchr("Bb", *c) != NULL ? 0 : below_bank + column;
        rows += strchr("Rr", *c) != NULL;
    }
    if (sscanf(o->value, "dramid@%d;", &bit) != 1 || bit < 1 || bit > 30 ||
        inside < 1 || inside > 30 || below_bank > 16 || rows > 30)
        return sim_option_error(
            o, "dramid@BIT; and address bits of which some are C or S", e);
    return import_set(im, o, "dram.interleave_bytes", 1 << bit, e) &&
           import_set(im, o, "dram.row_bytes", 1 << inside, e) &&
           import_set(im, o, "dram.rows", 1 << rows, e) &&
           import_set(im, o, "l2.interleave_bytes",
                      fmax(1 << below_bank, im->g->l2.line_bytes), e);
}

/* -dram_bnk_indexing_policy: 0 linear, 1 exclusive or, 2 polynomial, of which
 * the lowest bits are the same (hashing.cc); -dram_bnkgrp_indexing_policy: 0
 * the higher bits of the bank, 1 the lower ones. RTPL is counted by group there
 * (dram.cc, issue_row_command). */
static bool import_banks(struct import *im, struct error *e)
{
    double hash, groups, dual;
    return import_number(im, "dram_bnk_indexing_policy", 0, &hash, e) &&
           import_number(im, "dram_bnkgrp_indexing_policy", 0, &groups, e) &&
           import_number(im, "dram_dual_bus_interface", 0, &dual, e) &&
           import_set(im, NULL, "dram.bank_hash",
                      hash != 0 ? BANK_XOR : BANK_PLAIN, e) &&
           import_set(im, NULL, "dram.groups_interleaved", groups != 0, e) &&
           import_set(im, NULL, "dram.rtp_group", 1, e) &&
           import_set(im, NULL, "dram.dual_command", dual != 0, e) &&
           import_set(im, NULL, "dram.row_first", dual == 0, e) &&
           import_set(im, NULL, "dram.clocked", 1, e);
}

/* Credits of a channel: the places in its queue and in that of returns, one of
 * them kept for each slice; without limit where either queue has none
 * (l2cache.cc, arbitration_metadata). */
static bool import_credits(struct import *im, struct error *e)
{
    double queue, returns;
    if (!import_number(im, "gpgpu_frfcfs_dram_sched_queue_size", 0, &queue,
                       e) ||
        !import_number(im, "gpgpu_dram_return_queue_size", 0, &returns, e))
        return false;
    bool limit = queue > 0 && returns > 0;
    return import_set(im, NULL, "dram.in_flight",
                      limit ? queue + returns + 1 : 0, e);
}

bool import_memory(struct import *im, struct error *e)
{
    return import_bus(im, e) && import_timing(im, e) && import_mapping(im, e) &&
           import_banks(im, e) && import_credits(im, e);
}
