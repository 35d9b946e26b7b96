/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The interconnect of a GPGPU-Sim configuration: a local crossbar
 * (-network_mode 2), or intersim2 with a file of its own. */
#include "configs/gpgpusim/gpgpusim.h"
#include "configs/gpu_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One way through, beside a cycle a flit, of intersim2 (its stages) and of the
 * local crossbar (none). A cycle lies between the delay of a slice and its
 * tags, one behind them (memory_sub_partition::cache_cycle), and SMs send after
 * the network's step of a cycle (gpgpu_sim::cycle). */
#define INTERSIM_CYCLES 5
#define CROSSBAR_CYCLES 0
#define SLICE_CYCLES    1
#define OTHER_CYCLES    4 /* those two, and a flit each way */

/* Flits that wait at a port into the network, packets at one out of it; of a
 * router of flits its steps a cycle. */
struct queues {
    int in, out, speedup;
};

/* The number of "name = number;" on a line of its own, else `fallback`. */
static int number_of(const char *text, const char *name, int fallback)
{
    size_t length = strlen(name);
    for (const char *at = text; *at != '\0'; at += *at == '\n') {
        at += strspn(at, " \t\r\n");
        const char *value = at + length;
        if (strncmp(at, name, length) == 0) {
            value += strspn(value, " \t");
            if (*value == '=')
                return atoi(value + 1);
        }
        at += strcspn(at, "\n");
    }
    return fallback;
}

/* Injection queue and router on one side, ejection and boundary buffer on the
 * other; defaults as in interconnect_interface.cpp (CreateInterconnect) and
 * intersim_config.cpp. */
static void intersim_queues(struct queues *q, const char *text)
{
    int router = number_of(text, "vc_buf_size", 8);
    int injection = number_of(text, "input_buffer_size", 0);
    int ejection = number_of(text, "ejection_buffer_size", 0);
    q->speedup = number_of(text, "internal_speedup", 1);
    q->in = router + (injection > 0 ? injection : 9);
    q->out = (ejection > 0 ? ejection : router) +
             number_of(text, "boundary_buffer_size", 16);
}

/* The file lies beside the configuration. */
static char *read_beside(const struct import *im, const char *name)
{
    char *path = gpu_path_beside(im->path, name);
    char *text = path != NULL ? gpu_read_text(path, NULL) : NULL;
    free(path);
    return text;
}

/* Without the file its defaults hold. */
static void read_intersim(struct import *im, struct queues *q)
{
    const struct sim_option *o =
        sim_options_find(&im->options, "inter_config_file");
    char *text = o != NULL ? read_beside(im, o->value) : NULL;
    intersim_queues(q, text != NULL ? text : "");
    free(text);
}

static bool import_queues(struct import *im, bool local, struct error *e)
{
    struct queues q;
    double in, out;
    if (!import_number(im, "icnt_in_buffer_limit", 64, &in, e) ||
        !import_number(im, "icnt_out_buffer_limit", 64, &out, e))
        return false;
    if (local)
        q = (struct queues){(int)in, (int)out, 1};
    else
        read_intersim(im, &q);
    return import_set(im, NULL, "icnt.router",
                      local ? ROUTER_PACKETS : ROUTER_FLITS, e) &&
           import_set(im, NULL, "icnt.speedup", q.speedup, e) &&
           import_set(im, NULL, "icnt.input_queue", q.in, e) &&
           import_set(im, NULL, "icnt.output_queue", q.out, e);
}

/* Requests are coalesced to sectors from Maxwell on, and where global loads go
 * past the L1 (abstract_hardware_model.cc, memory_coalescing_arch). */
static bool import_packets(struct import *im, struct error *e)
{
    double arch, skip;
    return import_number(im, "gpgpu_coalesce_arch", 13, &arch, e) &&
           import_number(im, "gpgpu_gmem_skip_L1D", 0, &skip, e) &&
           import_set(im, NULL, "icnt.sector_packets", arch >= 40 || skip != 0,
                      e);
}

bool import_network(struct import *im, struct error *e)
{
    double mode;
    if (!import_number(im, "network_mode", 1, &mode, e))
        return false;
    double way = mode == 2 ? CROSSBAR_CYCLES : INTERSIM_CYCLES;
    double slice = im->g->l2.latency + SLICE_CYCLES;
    double miss = slice + 2 * way + OTHER_CYCLES; /* the L2 serves it */
    return import_set(im, NULL, "l2.latency", slice, e) &&
           import_set(im, NULL, "l2.staged", 1, e) &&
           import_set(im, NULL, "icnt.answer_queue", 1, e) &&
           import_set(im, NULL, "icnt.by_channel", 1, e) &&
           import_set(im, NULL, "icnt.next_step", 1, e) &&
           import_packets(im, e) && import_queues(im, mode == 2, e) &&
           import_set(im, NULL, "icnt.latency", way, e) &&
           import_set(im, NULL, "icache.miss_latency", miss, e) &&
           import_set(im, NULL, "constant.miss_latency",
                      im->g->icache.perfect ? 0 : miss, e);
}
