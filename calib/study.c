/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/hash.h"
#include "calib/calib.h"
#include "configs/gpu.h"
#include "kernels/form/kernel.h"

#include <math.h>
#include <stdlib.h>

const char *study_name(const struct study *s)
{
    return s->application != NULL ? s->application->application
                                  : s->kernel->name;
}

uint64_t study_hash(const struct study *s)
{
    if (s->application == NULL)
        return s->kernel->hash;
    uint64_t h = HASH_START;
    for (size_t i = 0; i < s->application->count; i++)
        h = hash_step(h, s->application->kernel[i]->hash);
    return h;
}

int study_tb_limit(const struct study *s, const struct kernel **unfit)
{
    struct kernel *const *kernel = (struct kernel *const *)&s->kernel;
    size_t count = 1;
    int most = 0;
    if (s->application != NULL) {
        kernel = s->application->kernel;
        count = s->application->count;
    }
    for (size_t i = 0; i < count; i++) {
        int fits = occupancy_blocks(s->gpu, kernel[i], NULL);
        if (fits == 0 && unfit != NULL)
            *unfit = kernel[i];
        if (fits == 0)
            return 0;
        most = fits > most ? fits : most;
    }
    return most;
}

enum mode study_point_mode(const struct study *s, const struct study_result *r,
                           enum mode asked, size_t at)
{
    const struct result *point = &r->result[at];
    if (asked != MODE_HYBRID || point->sampled || isnan(point->cycles))
        return asked;
    bool sampled = s->application == NULL || r->by_launch;
    bool told = r->carried || (sampled && r->samples > 0);
    return told ? MODE_HYBRID : MODE_MODEL;
}

void study_result_free(struct study_result *r)
{
    free(r->result);
    free(r->delta);
    free(r->versus);
    for (size_t i = 0; r->account != NULL && i < r->accounts; i++)
        free(r->account[i]);
    free(r->account);
    r->account = NULL;
    r->result = NULL;
    r->delta = NULL;
    r->versus = NULL;
}
