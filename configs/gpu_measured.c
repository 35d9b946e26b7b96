/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/gpu_measured.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *name;
    size_t offset; /* of a double in struct gpu_measured */
    double least, most;
} fields[] = {
    {"kernels", offsetof(struct gpu_measured, kernels), 1, 1e6},
    {"held", offsetof(struct gpu_measured, held), 1, 1e6},
    {"less_pct", offsetof(struct gpu_measured, less_pct), -1e6, 100},
    {"more_pct", offsetof(struct gpu_measured, more_pct), -100, 1e6},
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

bool gpu_measured_set(struct gpu_measured *m, const config_setting_t *s,
                      double value, const char *path, struct error *e)
{
    const char *name = config_setting_name(s);
    int line = (int)config_setting_source_line(s);
    for (size_t i = 0; i < FIELDS; i++) {
        if (strcmp(fields[i].name, name) != 0)
            continue;
        if (!config_setting_is_number(s) || value < fields[i].least ||
            value > fields[i].most)
            return error_set(e, STATUS_BAD_INPUT,
                             "%s:%d: measured.%s: expected a number, %g..%g",
                             path, line, name, fields[i].least, fields[i].most);
        memcpy((char *)m + fields[i].offset, &value, sizeof(value));
        return true;
    }
    return error_set(e, STATUS_BAD_INPUT,
                     "%s:%d: unknown setting 'measured.%s', expected kernels, "
                     "held, less_pct and more_pct",
                     path, line, name);
}

bool gpu_measured_check(const struct gpu_measured *m, const char *path,
                        struct error *e)
{
    bool right =
        m->kernels == 0 || (m->held >= 1 && m->held <= m->kernels &&
                            (1 - m->less_pct / 100) <= (1 + m->more_pct / 100));
    return right || error_set(e, STATUS_BAD_INPUT,
                              "%s: measured: expected all of kernels, held "
                              "(1..kernels), less_pct and more_pct",
                              path);
}
