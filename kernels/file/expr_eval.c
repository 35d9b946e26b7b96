/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Postfix code evaluated for a warp, with its draws. */
#include "kernels/file/expr.h"

#include <gsl/gsl_randist.h>

/* ---- draws -------------------------------------------------------------- */

static int64_t draw(struct expr_context *x, const struct expr_code *code,
                    int64_t argument)
{
    switch (code->op) {
    case EXPR_RAND:
    case EXPR_WRAND:
        return draw_uniform(&x->rng, argument);
    case EXPR_ZIPF:
    case EXPR_WZIPF:
        return draw_zipf(&x->rng, &x->zipf[code->arg]);
    case EXPR_GEOM:
    case EXPR_WGEOM:
        return gsl_ran_geometric(&x->rng, 1 / code->real);
    default:
        return gsl_rng_uniform(&x->rng) < code->real;
    }
}

/* Replace v, the argument where there is one, by a draw for every lane of the
 * mask, lowest lane first. */
static void draw_lanes(struct expr_context *x, const struct expr_code *code,
                       struct value *v)
{
    int64_t drawn[WARP_LANES] = {0};
    for (uint32_t rest = x->mask; rest != 0; rest &= rest - 1) {
        int l = __builtin_ctz(rest);
        drawn[l] = draw(x, code, value_lane(v, l));
    }
    v->affine = false;
    for (int l = 0; l < WARP_LANES; l++)
        v->lane[l] = drawn[l];
}

/* A draw for the warp; an argument that differs between lanes counts as the
 * lowest active lane's. */
static void draw_warp(struct expr_context *x, const struct expr_code *code,
                      struct value *v)
{
    int lane = x->mask != 0 ? __builtin_ctz(x->mask) : 0;
    value_set_affine(v, draw(x, code, value_lane(v, lane)), 0);
}

/* ---- the machine -------------------------------------------------------- */

/* A constant or a variable as a value. */
static void take_variable(const struct expr_context *x,
                          const struct expr_code *c, struct value *v)
{
    int64_t base = 0, stride = 0;
    switch (c->op) {
    case EXPR_CONST:
        base = c->integer;
        break;
    case EXPR_LANE:
        stride = 1;
        break;
    case EXPR_TID:
        base = x->warp * WARP_LANES;
        stride = 1;
        break;
    case EXPR_WARP:
        base = x->warp;
        break;
    case EXPR_GTID:
        base = x->first_thread;
        stride = 1;
        break;
    case EXPR_BLOCK:
        base = x->block;
        break;
    case EXPR_BX:
        base = x->bx;
        break;
    case EXPR_BY:
        base = x->by;
        break;
    case EXPR_BZ:
        base = x->bz;
        break;
    case EXPR_LOOP:
        base = x->frame[c->arg].iteration;
        break;
    default:
        break;
    }
    value_set_affine(v, base, stride);
}

void expr_eval(struct expr_context *x, struct expr e,
               struct value stack[EXPR_STACK])
{
    struct value *top = stack - 1;
    const struct expr_code *end = x->code + e.first + e.count;
    for (const struct expr_code *c = x->code + e.first; c < end; c++) {
        switch (c->op) {
        case EXPR_RAND:
            draw_lanes(x, c, top);
            break;
        case EXPR_WRAND:
            draw_warp(x, c, top);
            break;
        case EXPR_ZIPF:
        case EXPR_GEOM:
        case EXPR_CHANCE:
            value_set_affine(++top, 0, 0);
            draw_lanes(x, c, top);
            break;
        case EXPR_WZIPF:
        case EXPR_WGEOM:
        case EXPR_WCHANCE:
            value_set_affine(++top, 0, 0);
            draw_warp(x, c, top);
            break;
        default:
            if (c->op < EXPR_ADD) {
                take_variable(x, c, ++top);
            } else {
                top--;
                value_apply((enum expr_op)c->op, top, top + 1);
            }
        }
    }
}
