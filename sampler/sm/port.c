/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sampler/sm/port.h"

#include "base/bits.h"

/* Bytes of data that the request takes along. */
static int data_bytes(const struct gpu *g, const struct request *r)
{
    switch ((enum request_kind)r->kind) {
    case REQUEST_WRITEBACK:
        return count_bits(r->l1_sectors) * l1_sector_bytes(g);
    case REQUEST_WRITE:
        return request_bytes(g, r);
    case REQUEST_ATOMIC:
        return g->l2.sector_bytes;
    default:
        return 0;
    }
}

static void send_at(struct port *p, const struct request *r, uint64_t cycle)
{
    struct sm_core *core = p->core;
    struct request sent = *r;
    sent.sm = (uint16_t)core->id;
    if (!memory_send(p->memory, &sent, data_bytes(core->gpu, r), cycle))
        core_no_memory(core);
}

void port_send(struct port *p, const struct request *r)
{
    send_at(p, r, p->core->now);
}

void port_send_miss(struct port *p, const struct request *r)
{
    uint64_t now = p->core->now;
    p->drained = latest(p->drained, now) + 1;
    send_at(p, r, p->core->gpu->ldst.one_miss ? p->drained : now);
}

struct transaction port_to_l2(const struct gpu *g, uint64_t line,
                              uint32_t sectors, int line_bytes,
                              int sector_bytes)
{
    uint64_t byte = line * (uint64_t)line_bytes;
    struct transaction t = {.line = byte / (uint64_t)g->l2.line_bytes};
    int base = (int)(byte % (uint64_t)g->l2.line_bytes);
    for (uint32_t left = sectors; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);
        int first = (base + i * sector_bytes) / g->l2.sector_bytes;
        int last = (base + (i + 1) * sector_bytes - 1) / g->l2.sector_bytes;
        for (int b = first; b <= last; b++)
            t.sectors |= 1u << b;
    }
    return t;
}
