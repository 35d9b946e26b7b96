/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/scale.h"

#include <math.h>
#include <stdio.h>

#define LOG_MARGIN 1.3
#define SLACK      1e-9 /* of a step: what rounding may take */

/* The least of 1, 2 and 5 times a power of ten that is not below `rough`. */
static double nice_step(double rough)
{
    double decade = pow(10, floor(log10(rough)));
    double lead = rough / decade;
    return decade * (lead <= 1 + SLACK   ? 1
                     : lead <= 2 + SLACK ? 2
                     : lead <= 5 + SLACK ? 5
                                         : 10);
}

struct scale scale_between(double low, double high, int steps)
{
    if (!(high > low))
        high = low + fmax(1, fabs(low) * 0.1);
    return (struct scale){
        .low = low, .high = high, .step = nice_step((high - low) / steps)};
}

struct scale scale_linear(double low, double high, int steps)
{
    struct scale s = scale_between(low, high, steps);
    s.low = s.step * floor(s.low / s.step + SLACK);
    s.high = s.step * ceil(s.high / s.step - SLACK);
    return s;
}

struct scale scale_log(double low, double high)
{
    return (struct scale){
        .low = low / LOG_MARGIN, .high = high * LOG_MARGIN, .log = true};
}

double scale_place(const struct scale *s, double v)
{
    double share = s->log ? log(v / s->low) / log(s->high / s->low)
                          : (v - s->low) / (s->high - s->low);
    return s->from + share * (s->to - s->from);
}

bool scale_shows(const struct scale *s, double v)
{
    return isfinite(v) && (!s->log || v > 0);
}

static size_t log_ticks(double tick[SCALE_TICKS], const struct scale *s)
{
    static const double lead[] = {1, 2, 5};
    int first = (int)floor(log10(s->low)), last = (int)floor(log10(s->high));
    size_t leads = last - first > 4 ? 1 : 3, n = 0;
    for (int power = first; power <= last; power++)
        for (size_t i = 0; i < leads && n < SCALE_TICKS; i++) {
            double v = lead[i] * pow(10, power);
            if (v >= s->low && v <= s->high)
                tick[n++] = v;
        }
    return n;
}

size_t scale_ticks(double tick[SCALE_TICKS], const struct scale *s)
{
    if (s->log)
        return log_ticks(tick, s);
    size_t n = 0;
    for (double i = ceil(s->low / s->step - SLACK);
         i * s->step <= s->high + SLACK * s->step && n < SCALE_TICKS; i++)
        tick[n++] = i * s->step + 0.0; /* no -0 */
    return n;
}

void scale_label(char *out, size_t size, const struct scale *s, double tick)
{
    static const struct {
        double one;
        const char *name;
    } unit[] = {{1e9, " G"}, {1e6, " M"}, {1e3, " k"}, {1, ""}};
    double most = s->log ? tick : fmax(fabs(s->low), fabs(s->high));
    double step = s->log ? tick : s->step;
    size_t u = 0;
    while (u < 3 && most * (1 + SLACK) < (u == 2 ? 1e5 : unit[u].one))
        u++;
    int decimals = (int)fmax(0, -floor(log10(step / unit[u].one) + SLACK));
    snprintf(out, size, "%.*f%s", decimals, tick / unit[u].one,
             tick == 0 ? "" : unit[u].name);
}
