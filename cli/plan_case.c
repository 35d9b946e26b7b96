/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/columns.h"
#include "cli/names.h"
#include "cli/points.h"

const char *case_kernel(const struct plan_case *c)
{
    return estimate_kernel_info(c->kernel)->name;
}

const char *case_gpu(const struct plan_case *c)
{
    return estimate_gpu_name(c->variant->gpu);
}

void case_label(char *out, size_t size, const struct plan *p,
                const struct plan_case *c, bool mangled)
{
    char name[NAME_BYTES];
    name_text(name, sizeof(name), case_kernel(c), mangled);
    int used = snprintf(out, size, "%s on %s", name, case_gpu(c));
    for (size_t k = 0; k < plan_columns(p) && (size_t)used < size; k++) {
        char value[COLUMN_VALUE_MAX];
        plan_column_text(value, sizeof(value), p, c, k);
        used += snprintf(out + used, size - (size_t)used, " %s=%s",
                         plan_column_name(p, k), value);
    }
}

size_t plan_columns(const struct plan *p)
{
    return p->launch_keys + p->keys;
}

const char *plan_column_name(const struct plan *p, size_t i)
{
    return i < p->launch_keys ? launch_key_names[p->launch_key[i]]
                              : estimate_key_name(p->key[i - p->launch_keys]);
}

bool plan_column_text(char *out, size_t size, const struct plan *p,
                      const struct plan_case *c, size_t i)
{
    if (i < p->launch_keys) {
        snprintf(out, size, "%.0f", c->launched->value[p->launch_key[i]]);
        return false;
    }
    const struct estimate_key *key = p->key[i - p->launch_keys];
    estimate_key_text(key, c->variant->swept[i - p->launch_keys], out, size);
    return estimate_key_type(key) == ESTIMATE_KEY_NAME;
}

void design_values(double swept[SWEEPS_MAX], const struct plan *p,
                   uint64_t number)
{
    for (size_t k = p->keys; k-- > 0;) {
        const struct sweep *s = p->swept[k];
        swept[k] = sweep_value(s, number % s->count);
        number /= s->count;
    }
}

const struct estimate_gpu *design_gpu(const struct plan *p, uint64_t number)
{
    return p->gpus.gpu[number / p->combinations];
}

bool case_is_done(const struct plan *p, const struct estimate_results *results,
                  size_t which)
{
    for (int tb = 0; tb < p->at[which].shown_tbs; tb++)
        for (int q = 0; q < p->shown_policies; q++)
            if (estimate_result(results, which, (size_t)tb, (size_t)q)->partial)
                return false;
    return true;
}

const struct estimate_launch_info *case_registers(const struct plan_case *c)
{
    const struct estimate_launch_info *l = estimate_kernel_launch(c->kernel, 0);
    bool told = !estimate_kernel_info(c->kernel)->application &&
                l->registers_from[0] != '\0';
    return told ? l : NULL;
}
