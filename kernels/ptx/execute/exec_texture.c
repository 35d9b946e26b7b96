/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures (PTX ISA 9.0, section 9.7.10). What a fetch returns is in the CUDA
 * C++ Programming Guide, "Texture Fetching": the texel that a coordinate lies
 * in, or with x - 1/2 = i + a the texels i and i + 1 mixed by a, which has 8
 * bits behind the point. */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/fetch.h"
#include "kernels/ptx/forms/half.h"

#include <math.h>
#include <string.h>

#define CHANNELS 4

/* ---- texels ------------------------------------------------------------- */

/* A channel as a number: whole, or from 0 or -1 to 1 when `asked` is of
 * floating point and the texel is not. */
static double channel_value(const uint8_t *at, enum ptx_type type, bool scaled)
{
    uint64_t bits = 0;
    unsigned size = 8u * ptx_types[type].bytes;
    memcpy(&bits, at, ptx_types[type].bytes);
    if (type == PTX_F32)
        return (double)float_from_bits(bits);
    if (type == PTX_F16)
        return half_to_double(bits);
    if (!ptx_types[type].is_signed)
        return scaled ? (double)bits / (double)((UINT64_C(1) << size) - 1)
                      : (double)bits;
    double value = (double)((int64_t)(bits << (64 - size)) >> (64 - size));
    return scaled ? fmax(value / (double)((UINT64_C(1) << (size - 1)) - 1), -1)
                  : value;
}

/* The channels of a texel; none (border): zeros. */
static bool read_texel(struct ptx_fetch *f, const int64_t *index, bool scaled,
                       double *out)
{
    const struct ptx_buffer *b = f->from;
    uint64_t bytes = ptx_texel_bytes(b);
    memset(out, 0, CHANNELS * sizeof(*out));
    if (index[0] < 0 || index[1] < 0 || index[2] < 0)
        return true;
    const uint64_t at[3] = {(uint64_t)index[0] * bytes, (uint64_t)index[1],
                            (uint64_t)index[2]};
    const struct ptx_access a = {.space = PTX_GLOBAL,
                                 .lane = f->lane,
                                 .address = ptx_fetch_place(f, at),
                                 .bytes = bytes};
    const uint8_t *texel = ptx_bytes_at(f->b, f->w, f->op, &a);
    for (int c = 0; texel != NULL && c < b->texture.channels; c++)
        out[c] = channel_value(texel + (size_t)c * ptx_types[b->type].bytes,
                               (enum ptx_type)b->type, scaled);
    return texel != NULL;
}

/* The layer is a number, never mixed, and always clamped. So are places in a
 * face of a cube, which are not mixed with those of the next face. */
static int64_t clamped_index(double at, uint32_t n)
{
    return at >= n ? (int64_t)n - 1 : at > 0 ? (int64_t)at : 0;
}

/* The texel `by` of the footprint (a bit a dimension) that begins at `at`. */
static void find_index(const struct ptx_fetch *f, const double *at, unsigned by,
                       int64_t *index)
{
    const struct ptx_texture *t = &f->from->texture;
    for (unsigned i = 0; i < 3; i++) {
        bool layer = ptx_fetch_is_layered(f->op) && i + 1 == t->dimensions;
        double here = layer ? at[i] : floor(at[i]) + (double)(by >> i & 1);
        index[i] = i >= t->dimensions ? 0
                   : layer || ptx_fetch_is_cube(f->op)
                       ? clamped_index(here, t->side[i])
                       : ptx_texture_index(t, here, t->side[i]);
    }
}

static bool nearest(struct ptx_fetch *f, bool scaled, double *out)
{
    int64_t index[3];
    find_index(f, f->at, 0, index);
    return read_texel(f, index, scaled, out);
}

/* 2, 4 or 8 texels. The nearest comes last: it is what the memory sees. */
static bool mixed(struct ptx_fetch *f, bool scaled, double *out)
{
    unsigned filtered =
        f->from->texture.dimensions - ptx_fetch_is_layered(f->op);
    double at[3], texel[CHANNELS], sum[CHANNELS] = {0};
    memcpy(at, f->at, sizeof(at));
    for (unsigned i = 0; i < filtered; i++)
        at[i] -= 0.5;
    for (unsigned by = 0; by < 1u << filtered; by++) {
        int64_t index[3];
        double share = 1;
        for (unsigned i = 0; i < filtered; i++) {
            double a =
                isinf(at[i]) ? 0 : rint((at[i] - floor(at[i])) * 256) / 256;
            share *= (by >> i & 1) != 0 ? a : 1 - a;
        }
        find_index(f, at, by, index);
        if (!read_texel(f, index, scaled, texel))
            return false;
        for (int c = 0; c < CHANNELS; c++)
            sum[c] += share * texel[c];
    }
    bool ok = nearest(f, scaled, texel);
    memcpy(out, sum, sizeof(sum));
    return ok;
}

/* tld4: one channel of four texels, against the clock from the lower left. */
static bool gathered(struct ptx_fetch *f, bool scaled, double *out)
{
    static const unsigned order[CHANNELS] = {2, 3, 1, 0};
    const uint8_t *modifier = f->op->inst->modifier;
    int channel = modifier[GROUP_DIRECTION] == MOD_R ? 0
                  : modifier[GROUP_LETTER] == MOD_G  ? 1
                  : modifier[GROUP_LETTER] == MOD_B  ? 2
                                                     : 3;
    const double at[3] = {f->at[0] - 0.5, f->at[1] - 0.5, f->at[2]};
    for (int i = 0; i < CHANNELS; i++) {
        int64_t index[3];
        double texel[CHANNELS];
        find_index(f, at, order[i], index);
        if (!read_texel(f, index, scaled, texel))
            return false;
        out[i] = texel[channel];
    }
    return true;
}

/* ---- tex, tld4 ---------------------------------------------------------- */

/* A direction, behind the number of its cube where there are several. */
static void take_direction(struct ptx_fetch *f, const uint64_t *const *s)
{
    const uint32_t *side = f->from->texture.side;
    bool several = f->op->inst->modifier[GROUP_GEOMETRY] == MOD_ACUBE;
    double direction[3], cube = several ? (double)(uint32_t)s[0][f->lane] : 0;
    for (unsigned i = 0; i < 3; i++)
        direction[i] = (double)float_from_bits(s[i + several][f->lane]);
    unsigned face = ptx_texture_face(direction, f->at);
    f->at[0] *= side[0];
    f->at[1] *= side[1];
    f->at[2] = face + 6.0 * (double)clamped_index(cube, side[2] / 6);
}

/* Layers stand before the other coordinates. */
static void take_coordinates(struct ptx_fetch *f, const uint64_t *const *s)
{
    if (ptx_fetch_is_cube(f->op)) {
        take_direction(f, s);
        return;
    }
    bool whole = f->op->inst->type[1] == PTX_S32,
         layered = ptx_fetch_is_layered(f->op);
    const struct ptx_texture *t = &f->from->texture;
    for (unsigned i = 0; i < 3; i++)
        f->at[i] = 0;
    for (unsigned i = 0; i < t->dimensions; i++) {
        bool layer = layered && i + 1 == t->dimensions;
        uint64_t bits = s[layer ? 0 : i + layered][f->lane];
        if (layer)
            f->at[i] = (double)(uint32_t)bits;
        else if (whole)
            f->at[i] = (double)(int32_t)bits;
        else
            f->at[i] = ptx_texture_position(t, (double)float_from_bits(bits),
                                            t->side[i]);
    }
}

/* Whether texels of its type can be had as the instruction asks for them. */
static bool check_types(struct ptx_fetch *f, bool asks_float)
{
    const struct ptx_buffer *b = f->from;
    const struct ptx_type_row *type = &ptx_types[b->type];
    const char *asked = ptx_types[f->op->inst->type[0]].name;
    if (type->is_float != asks_float && (type->is_float || type->bytes > 2))
        return ptx_fault(f->b, f->w, f->op,
                         "lane %d: found texels of type %s, expected some that "
                         "can be read as %s",
                         f->lane, type->name, asked);
    return asks_float || !b->texture.linear ||
           ptx_fault(f->b, f->w, f->op,
                     "lane %d: found linear filtering of whole numbers",
                     f->lane);
}

static uint64_t encode(double value, enum ptx_type type)
{
    switch (type) {
    case PTX_F16:
    case PTX_F16X2:
        return half_from_double(value, MOD_RN);
    case PTX_F32:
        return float_bits((float)value);
    default:
        return (uint32_t)(int64_t)value;
    }
}

static bool fetch_lane(struct ptx_fetch *f, const uint64_t *const *s,
                       uint64_t handle, double *out)
{
    bool asks_float = ptx_types[f->op->inst->type[0]].is_float;
    if (!ptx_fetch_find(f, handle) || !ptx_fetch_check_dimensions(f) ||
        !check_types(f, asks_float))
        return false;
    bool whole = f->op->inst->type[1] == PTX_S32;
    f->address = f->from->address;
    take_coordinates(f, s);
    if (f->op->action == ACTION_GATHER)
        return gathered(f, asks_float, out);
    return f->from->texture.linear && !whole ? mixed(f, asks_float, out)
                                             : nearest(f, asks_float, out);
}

static bool fetch(struct ptx_fetch *f, const uint64_t *const *s, uint32_t mask)
{
    const struct ptx_op *op = f->op;
    enum ptx_type type = (enum ptx_type)op->inst->type[0];
    bool pairs = type == PTX_F16X2;
    uint64_t value[CHANNELS][WARP_LANES] = {{0}};
    for (f->lane = 0; f->lane < WARP_LANES; f->lane++) {
        double texel[CHANNELS] = {0};
        if (!ptx_lane_is_in(mask, f->lane))
            continue;
        uint64_t *address = &f->b->event.address[f->lane];
        if (!fetch_lane(f, s, *address, texel))
            return false;
        *address = f->address;
        for (int c = 0; c < CHANNELS; c++)
            value[pairs ? c / 2 : c][f->lane] |= encode(texel[c], type)
                                                 << (pairs ? 16 * (c % 2) : 0);
    }
    for (int c = 0; c < op->results && c < CHANNELS; c++)
        ptx_write(f->b, f->w, op->result[c], mask, value[c]);
    return true;
}

bool ptx_execute_texture(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t mask)
{
    struct ptx_fetch f = {.b = b, .w = w, .op = op};
    const uint64_t *s[PTX_PARTS_MAX];
    ptx_sources(b, w, op, s);
    ptx_addresses(b, w, op, b->event.address);
    return fetch(&f, s, mask);
}

/* ---- txq, suq ----------------------------------------------------------- */

/* What txq and suq ask for; levels and samples are 1. */
static uint32_t property(const struct ptx_texture *t, uint8_t word)
{
    switch (word) {
    case MOD_WIDTH:
        return t->side[0];
    case MOD_HEIGHT:
        return t->dimensions > 1 ? t->side[1] : 0;
    case MOD_DEPTH:
        return t->dimensions > 2 ? t->side[2] : 0;
    case MOD_ARRAY_SIZE:
        return t->side[t->dimensions - 1];
    case MOD_NORMALIZED:
        return t->normalized;
    default:
        return 1;
    }
}

bool ptx_execute_texture_query(struct ptx_block *b, struct ptx_warp *w,
                               const struct ptx_op *op, uint32_t mask)
{
    struct ptx_fetch f = {.b = b, .w = w, .op = op};
    uint64_t value[WARP_LANES];
    ptx_addresses(b, w, op, b->event.address);
    for (f.lane = 0; f.lane < WARP_LANES; f.lane++) {
        if (!ptx_lane_is_in(mask, f.lane))
            continue;
        if (!ptx_fetch_find(&f, b->event.address[f.lane]))
            return false;
        value[f.lane] =
            property(&f.from->texture, op->inst->modifier[GROUP_QUERY]);
    }
    ptx_write(b, w, op->result[0], mask, value);
    return true;
}
