/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/figures.h"

#include <math.h>
#include <stdio.h>

static double half_width(const struct estimate_point *p)
{
    return fmax(p->cycles_hi - p->cycles, p->cycles - p->cycles_lo);
}

void figures_see(struct figures *s, const struct estimate_point *p)
{
    double half = half_width(p);
    if (p->cycles > 0 && (s->least == 0 || p->cycles < s->least))
        s->least = p->cycles;
    if (p->cycles > s->most)
        s->most = p->cycles;
    if (half > 0 && (s->half == 0 || half < s->half))
        s->half = half;
}

static const struct {
    double of;
    const char *name;
} units[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}};
#define UNITS (sizeof(units) / sizeof(units[0]))

/* The largest in which the smallest number has a digit before the point or the
 * first one behind it. */
struct unit figures_unit(const struct figures *s, bool exact)
{
    size_t i = 0;
    if (exact || s->half == 0)
        i = UNITS - 1;
    while (i + 1 < UNITS &&
           (s->most < units[i].of || s->least < 0.1 * units[i].of))
        i++;
    struct unit u = {.of = units[i].of, .name = units[i].name};
    if (i + 1 < UNITS) {
        double last = pow(10, floor(log10(s->half)) - 1);
        u.decimals = (int)fmin(fmax(ceil(log10(u.of / last)), 0), 3);
    }
    return u;
}

void figure_text(char out[FIGURE_MAX], const struct unit *u, double cycles)
{
    snprintf(out, FIGURE_MAX, "%.*f", u->decimals, cycles / u->of);
}

void time_text(char out[FIGURE_MAX], const struct estimate_point *p)
{
    double half = half_width_pct(p) / 100 * p->time_us;
    double last = half > 0 ? pow(10, floor(log10(half)) - 1) : 1e-2;
    snprintf(out, FIGURE_MAX, "%.*f us", (int)fmax(-log10(last), 0),
             round(p->time_us / last) * last);
}

double half_width_pct(const struct estimate_point *p)
{
    return p->cycles > 0 ? 100 * half_width(p) / p->cycles : 0;
}

void half_width_text(char out[FIGURE_MAX], double pct)
{
    out[0] = '\0';
    if (pct > 0)
        snprintf(out, FIGURE_MAX, "+-%.*f %%", pct < 9.95 ? 1 : 0, pct);
}
