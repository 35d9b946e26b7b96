/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/texture.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ptx_texture_read_sides(struct ptx_texture *t, const char *text)
{
    t->side[0] = t->side[1] = t->side[2] = 1;
    for (t->dimensions = 0; t->dimensions < 3; text++) {
        char *end;
        unsigned long long n = strtoull(text, &end, 10);
        if (!isdigit((unsigned char)text[0]) || n == 0 ||
            n > PTX_TEXTURE_SIDE_MAX)
            return false;
        t->side[t->dimensions++] = (uint32_t)n;
        text = end;
        if (*text != 'x')
            return *text == '\0';
    }
    return false;
}

bool ptx_texture_read_texel(struct ptx_texture *t, uint8_t *type,
                            const char *text)
{
    const char *x = strchr(text, 'x');
    size_t length = x != NULL ? (size_t)(x - text) : strlen(text);
    const uint64_t known = TYPE(U8) | TYPE(S8) | TYPE(U16) | TYPE(S16) |
                           TYPE(U32) | TYPE(S32) | TYPE(F16) | TYPE(F32);
    *type = (uint8_t)ptx_type_named(text, length);
    t->channels = 1;
    if (x != NULL && (strcmp(x, "x2") == 0 || strcmp(x, "x4") == 0))
        t->channels = (uint8_t)(x[1] - '0');
    else if (x != NULL && strcmp(x, "x1") != 0)
        return false;
    return (known >> *type & 1) != 0;
}

static const char *const outside_word[] = {
    [OUTSIDE_CLAMP] = "clamp",
    [OUTSIDE_WRAP] = "wrap",
    [OUTSIDE_MIRROR] = "mirror",
    [OUTSIDE_BORDER] = "border",
};

void ptx_texture_write_mode(const struct ptx_texture *t, char out[64])
{
    snprintf(out, 64, ":%s%s%s", outside_word[t->outside],
             t->linear ? ":linear" : "", t->normalized ? ":normalized" : "");
}

bool ptx_texture_read_mode(struct ptx_texture *t, const char *word)
{
    for (int i = 0; i <= OUTSIDE_BORDER; i++) {
        if (strcmp(outside_word[i], word) == 0) {
            t->outside = (uint8_t)i;
            return true;
        }
    }
    if (strcmp(word, "linear") == 0)
        t->linear = true;
    else if (strcmp(word, "normalized") == 0)
        t->normalized = true;
    else
        return strcmp(word, "point") == 0;
    return true;
}

/* CUDA C++ Programming Guide, "Texture Memory", addressing modes: wrap takes
 * the fraction, mirror one less the fraction where the whole part is odd; both
 * are for normalized coordinates only, others are clamped. */
double ptx_texture_position(const struct ptx_texture *t, double coordinate,
                            uint32_t n)
{
    if (isnan(coordinate))
        coordinate = 0;
    if (!t->normalized)
        return coordinate;
    double whole = floor(coordinate), fraction = coordinate - whole;
    if (isinf(coordinate))
        return coordinate;
    if (t->outside == OUTSIDE_WRAP)
        coordinate = fraction;
    else if (t->outside == OUTSIDE_MIRROR)
        coordinate = fmod(whole, 2) != 0 ? 1 - fraction : fraction;
    return coordinate * n;
}

int64_t ptx_texture_index(const struct ptx_texture *t, double at, uint32_t n)
{
    bool wraps = t->normalized && t->outside == OUTSIDE_WRAP;
    double i = floor(at);
    if (i >= 0 && i < n)
        return (int64_t)i;
    if (t->outside == OUTSIDE_BORDER)
        return -1;
    bool below = i < 0;
    return below != wraps ? 0 : (int64_t)n - 1;
}

unsigned ptx_texture_face(const double direction[3], double at[2])
{
    double x = direction[0], y = direction[1], z = direction[2];
    unsigned axis = fabs(x) >= fabs(y) && fabs(x) >= fabs(z) ? 0
                    : fabs(y) >= fabs(z)                     ? 1
                                                             : 2;
    bool below = direction[axis] < 0;
    double m = direction[axis] != 0 ? fabs(direction[axis]) : 1;
    double s = axis == 0 ? (below ? z : -z) : axis == 2 && below ? -x : x;
    double t = axis != 1 ? -y : below ? -z : z;
    at[0] = (s / m + 1) / 2;
    at[1] = (t / m + 1) / 2;
    return 2 * axis + below;
}

/* ---- memory ------------------------------------------------------------- */

#define TILE_ROW_BITS 6 /* bytes of a row in a tile */
#define TILE_BITS     9 /* bytes of a tile: 8 rows */

/* Tiles that stand on each other, as a power of two. */
static unsigned stack_bits(uint64_t rows)
{
    unsigned bits = 0;
    while (bits < 4 && rows > UINT64_C(8) << bits)
        bits++;
    return bits;
}

static uint64_t rounded_up(uint64_t n, unsigned bits)
{
    return (n + (UINT64_C(1) << bits) - 1) >> bits << bits;
}

/* Bytes of a plane, its stacks filled up. */
static uint64_t plane_bytes(uint64_t row, uint64_t rows)
{
    unsigned stack = stack_bits(rows);
    return rounded_up(row, TILE_ROW_BITS) * rounded_up(rows, stack + 3);
}

/* A byte's place in its tile. */
static uint64_t in_tile(uint64_t x, uint64_t y)
{
    return (x & 15) | (y & 1) << 4 | (x >> 4 & 1) << 5 | (y >> 1 & 3) << 6 |
           (x >> 5 & 1) << 8;
}

static uint64_t in_plane(uint64_t row, uint64_t rows, uint64_t x, uint64_t y)
{
    unsigned stack = stack_bits(rows);
    uint64_t stacks = rounded_up(row, TILE_ROW_BITS) >> TILE_ROW_BITS;
    uint64_t before = (y >> (stack + 3)) * stacks + (x >> TILE_ROW_BITS);
    uint64_t tile = before << stack | (y >> 3 & ((1u << stack) - 1));
    return tile << TILE_BITS | in_tile(x, y);
}

uint64_t ptx_texture_offset(const struct ptx_texture *t, uint64_t row,
                            bool planes, const uint64_t at[3])
{
    if (t->dimensions < 2 || !planes)
        return (at[2] * t->side[1] + at[1]) * row + at[0];
    return at[2] * plane_bytes(row, t->side[1]) +
           in_plane(row, t->side[1], at[0], at[1]);
}

uint64_t ptx_texture_span(const struct ptx_texture *t, uint64_t row)
{
    return t->dimensions < 2 ? row : t->side[2] * plane_bytes(row, t->side[1]);
}
