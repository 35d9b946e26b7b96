/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/shared_lines.h"

#include "model/constants.h"

#include <math.h>

double shared_by_chance(const double sum[SHARING_SUMS], double open)
{
    double once = sum[SHARED_WIDE], twice = sum[SHARED_WIDE_PAIRS];
    double most =
        open * (sum[SHARED_COLD] - sum[SHARED_NEAR] - sum[SHARED_FAR]);
    /* A share s of chance q is seen s q times, in pairs s q^2 times. */
    return once > 0 && most > 0 ? fmax(twice / once, once / most) : 0;
}

double shared_left(const double sum[SHARING_SUMS])
{
    return sum[SHARED_COLD] - sum[SHARED_NEAR] - sum[SHARED_FAR];
}

double shared_in_middle_by(const double sum[SHARING_SUMS], double open)
{
    double seen = sum[SHARED_MIDDLE], left = open * shared_left(sum);
    return seen > 2 * sum[SHARED_WIDE] && left > 0 ? seen / left : 0;
}

double shared_in_middle(double q, double n)
{
    return q * (n > FAR ? FAR * (4 - 3 * cbrt(FAR / n)) : fmax(0, n));
}

double shared_again_in_middle(double q, double window)
{
    return shared_again(2 * shared_in_middle(q, window / 2));
}

double shared_crammed(double sum[SHARING_SUMS])
{
    double rest =
        fmax(0, shared_left(sum) - sum[SHARED_WIDE] - sum[SHARED_MIDDLE]);
    double room = sum[SHARED_ROOM];
    bool crammed = room > 0 && rest > room;
    sum[SHARED_ROOM] = crammed ? rest : 0;
    return crammed ? rest / room - 1 : 0;
}

double shared_again(double n)
{
    return n > 0 ? 1 + expm1(-n) / n : 0;
}

void shared_lines_set(struct shared_lines *s, const double sum[SHARING_SUMS],
                      double open, double open_middle, double blocks,
                      double row)
{
    *s = (struct shared_lines){
        .blocks = blocks, .row = row, .by_chance = shared_by_chance(sum, open)};
    for (int i = 0; i < SHARING_SUMS && sum[SHARED_COLD] > 0; i++)
        s->share[i] = sum[i] / sum[SHARED_COLD];
    s->middle = shared_in_middle_by(sum, open_middle);
    s->share[SHARED_MIDDLE] =
        s->middle > 0 ? open_middle * shared_left(s->share) : 0;
    s->share[SHARED_WIDE] =
        s->by_chance > 0 ? s->share[SHARED_WIDE] / s->by_chance : 0;
    s->crammed = shared_crammed(s->share) / blocks;
}

/* By how much sharing makes the lines of a window fewer, which has `here` of
 * the blocks that touch a line, when it does so by `whole` with `all` of them.
 */
static double part_of_sharing(double whole, double all, double here)
{
    return all > 1 && here > 1 ? whole * (1 - 1 / here) / (1 - 1 / all) : 0;
}

/* Of Newton's method, from below: lines are concave in blocks. */
#define STEPS 12

double shared_lines_apart(const struct shared_lines *s, double block_lines,
                          double lines)
{
    double q = s->by_chance, wide = q > 0 ? s->share[SHARED_WIDE] : 0;
    double want = lines / fmax(1, block_lines), blocks = want;
    for (int i = 0; i < STEPS; i++) {
        double left = exp(-q * blocks), each = 1 - wide + wide * left;
        double all = (1 - wide) * blocks + (q > 0 ? wide * (1 - left) / q : 0);
        if (want - all <= 0.01 * want)
            return blocks;
        if (each <= 0)
            return INFINITY;
        blocks += (want - all) / each;
    }
    return blocks;
}

/* Lines that blocks touch together, and how fast they become more, per line of
 * a block and on its way, when each has gone a part of it. */
struct beside {
    double lines, slope;
};

static struct beside lines_beside(double wide, double q, double blocks,
                                  double copies, double part)
{
    double left = pow(1 - q * part, blocks - 1);
    return (struct beside){
        .lines =
            (1 - wide) * copies * part + wide * (1 - left * (1 - q * part)) / q,
        .slope = (1 - wide) * copies + wide * blocks * left,
    };
}

double shared_lines_beside(const struct shared_lines *s, double blocks,
                           double copies, double block_lines, double lines)
{
    double q = fmin(s->by_chance, 1), part = 0;
    double wide = q > 0 ? fmin(s->share[SHARED_WIDE], 1) : 0;
    double want = lines / fmax(1, block_lines);
    if (wide <= 0 || blocks <= 1)
        return lines / copies;
    for (int i = 0; i < STEPS && part < 1; i++) {
        struct beside b = lines_beside(wide, q, blocks, copies, part);
        if (want - b.lines <= 0.01 * want)
            break;
        part = fmin(1, part + (want - b.lines) / b.slope);
    }
    struct beside all = lines_beside(wide, q, blocks, copies, 1);
    if (part >= 1 && want > all.lines)
        part = 1 + (want - all.lines) / all.slope;
    return part * block_lines;
}

/* What one kind of sharing leaves of lines that may be shared in another way,
 * too. */
static double left_by(double shared, double of)
{
    return of > 0 ? fmax(0, 1 - shared / of) : 0;
}

double shared_lines_own(const struct shared_lines *s, double window)
{
    const double *x = s->share;
    double rows = s->blocks / s->row;
    double near =
        x[SHARED_NEAR] - x[SHARED_NEAR_ALL] +
        part_of_sharing(x[SHARED_NEAR_ALL], s->row, fmin(s->row, window));
    double far =
        (x[SHARED_FAR] - x[SHARED_FAR_ALL]) * fmax(0, 1 - s->row / window) +
        part_of_sharing(x[SHARED_FAR_ALL], rows, fmin(rows, window / s->row));
    double some = fmax(1, window);
    double wide = x[SHARED_WIDE] * shared_again(s->by_chance * some);
    double crammed = x[SHARED_ROOM] * shared_again(s->crammed * some);
    double middle =
        x[SHARED_MIDDLE] * shared_again_in_middle(s->middle, window);
    double left = fmax(0, 1 - near - far);
    return left * left_by(wide + crammed, left) * left_by(middle, left);
}
