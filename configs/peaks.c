/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/peaks.h"

/* Half of the flits go from one half of a 4 x 4 mesh to the other, over four
 * links either way (as in model/rates.c). */
static double network_flits(const struct gpu *g)
{
    double clock = g->clock.icnt_mhz / g->clock.core_mhz;
    if (g->icnt.mesh && g->mesh.link_flits > 0)
        return 2 * 4.0 * g->mesh.link_flits * clock;
    return gpu_network_flits(g, g->l2.banks, g->sms) * clock;
}

void peaks_of(struct peaks *out, const struct gpu *g)
{
    *out = (struct peaks){
        .issue = (double)g->sms * g->sm.schedulers / g->sm.issue_period,
        .l1 = (double)g->sms * g->l1.accesses_per_cycle / g->interval.mem,
        .shared = (double)g->sms / g->interval.mem,
        .l2 = (double)g->l2.banks * g->l2.port_bytes * g->clock.l2_mhz /
              g->clock.core_mhz,
        .network = network_flits(g),
        .dram = g->dram.gbps * 1000.0 / g->clock.core_mhz,
    };
}

double peak_value(const struct gpu *g, enum use use)
{
    struct peaks peak;
    double gbps = g->clock.core_mhz / 1000.0; /* of a byte a cycle */
    peaks_of(&peak, g);
    switch (use) {
    case USE_ISSUE:
        return peak.issue / g->sms;
    case USE_L1:
        return peak.l1 / g->sms;
    case USE_SHARED:
        return peak.shared / g->sms;
    case USE_L2:
        return peak.l2 * gbps;
    case USE_NETWORK:
        return peak.network * g->icnt.flit_bytes * gbps;
    case USE_DRAM:
        return peak.dram * gbps;
    default:
        return 1;
    }
}

const char *peak_unit(enum use use)
{
    static const char *const units[USES] = {
        [USE_ISSUE] = "warp instructions a cycle and SM",
        [USE_L1] = "accesses a cycle and SM",
        [USE_SHARED] = "passes a cycle and SM",
        [USE_L2] = "GB/s",
        [USE_NETWORK] = "GB/s",
        [USE_DRAM] = "GB/s",
    };
    return units[use] != NULL ? units[use] : "share of cycles";
}
