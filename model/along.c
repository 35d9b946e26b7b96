/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/along.h"

#include <math.h>

static double touched(const size_t *end, unsigned block)
{
    return (double)(end[block + 1] - end[block]);
}

/* Deviation of a block from those beside it, as a share of their mean. */
static double spread(const size_t *end, unsigned blocks, double mean)
{
    double squares = 0;
    for (unsigned b = 1; b < blocks; b++)
        squares += pow(touched(end, b) - touched(end, b - 1), 2);
    return sqrt(squares / 2 / (blocks - 1)) / mean;
}

void along_set(struct along *out, const size_t *end, unsigned blocks)
{
    double mean = (double)(end[blocks] - end[0]) / blocks, most = 0;
    *out = (struct along){.parts = 0};
    if (blocks < ALONG_LEAST * ALONG_PARTS || mean <= 0)
        return;
    for (unsigned i = 0; i < ALONG_PARTS; i++) {
        unsigned from = blocks * i / ALONG_PARTS;
        unsigned to = blocks * (i + 1) / ALONG_PARTS;
        out->lines[i] = (double)(end[to] - end[from]) / (to - from) / mean;
        most = fmax(most, fabs(out->lines[i] - 1));
    }
    double error =
        spread(end, blocks, mean) / sqrt((double)blocks / ALONG_PARTS);
    out->parts = most > ALONG_ERRORS * error ? ALONG_PARTS : 0;
}

double along_share(const struct along *a, double from, double to)
{
    double sum = 0, parts = 0;
    for (int i = 0; i < a->parts; i++) {
        double begin = fmax(from * a->parts, i);
        double length = fmax(0, fmin(to * a->parts, i + 1) - begin);
        sum += length * a->lines[i];
        parts += length;
    }
    return parts > 0 ? sum / parts : 1;
}
