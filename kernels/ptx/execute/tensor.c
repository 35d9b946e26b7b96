/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/execute/tensor.h"

#include "kernels/ptx/forms/modifiers.h"

#include <stdlib.h>
#include <string.h>

/* CUDA driver API, cuTensorMapEncodeTiled. */
#define BOX_MAX    256
#define ALIGNMENT  16
#define STRIDE_MAX (UINT64_C(1) << 40)

/* ---- as written --------------------------------------------------------- */

/* "64x32x..": how many numbers, 0: it is none, or none of 1 to `most`. */
static unsigned read_sides(uint64_t *out, const char *text, size_t length,
                           unsigned room, uint64_t most)
{
    const char *end = text + length;
    for (unsigned n = 0; n < room;) {
        char *after;
        if (text == end || *text < '0' || *text > '9')
            return 0;
        out[n] = strtoull(text, &after, 10);
        if (out[n] == 0 || out[n] > most || after > end)
            return 0;
        n++;
        if (after == end)
            return n;
        if (*after != 'x')
            return 0;
        text = after + 1;
    }
    return 0;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool read_swizzle(struct ptx_tensor *t, const char *text, size_t length)
{
    static const struct {
        const char *name;
        uint8_t units;
    } rows[] = {{"none", 1}, {"32B", 2}, {"64B", 4}, {"128B", 8}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (is_word(text, length, rows[i].name)) {
            t->units = rows[i].units;
            return true;
        }
    return false;
}

static bool read_strides(struct ptx_tensor *t, const char *text, size_t length)
{
    uint64_t stride[PTX_TENSOR_SIDES];
    if (length < 7 || memcmp(text, "stride=", 7) != 0 ||
        read_sides(stride, text + 7, length - 7, PTX_TENSOR_SIDES,
                   STRIDE_MAX) != t->sides - 1u)
        return false;
    for (unsigned i = 0; i + 1 < t->sides; i++) {
        t->stride[i] = stride[i];
        if (stride[i] % ALIGNMENT != 0)
            return false;
    }
    return true;
}

/* Rows side by side, as long as they are. */
static void set_strides(struct ptx_tensor *t)
{
    uint64_t bytes = t->element;
    for (unsigned i = 0; i + 1 < t->sides; i++)
        t->stride[i] = bytes *= t->side[i];
}

static bool set_sides(uint32_t *out, const char *text, size_t length,
                      unsigned *count, uint64_t most)
{
    uint64_t side[PTX_TENSOR_SIDES];
    *count = read_sides(side, text, length, PTX_TENSOR_SIDES, most);
    for (unsigned i = 0; i < PTX_TENSOR_SIDES; i++)
        out[i] = i < *count ? (uint32_t)side[i] : 1;
    return *count > 0;
}

static const char *check(const struct ptx_tensor *t)
{
    uint64_t row = (uint64_t)t->box[0] * t->element;
    for (unsigned i = 0; i + 1 < t->sides; i++)
        if (t->stride[i] % ALIGNMENT != 0)
            return "rows of a multiple of 16 bytes, or stride=";
    if (row % ALIGNMENT != 0)
        return "a box whose rows are a multiple of 16 bytes";
    if (t->units > 1 && row > UINT64_C(16) * t->units)
        return "a box whose rows are as long as the swizzle at most";
    return NULL;
}

const char *ptx_tensor_read(struct ptx_tensor *out, const char *text,
                            const char **buffer, size_t *length)
{
    const char *field[8];
    size_t size[8], count = 0;
    unsigned sides, box;
    *out = (struct ptx_tensor){.mark = PTX_TENSOR_MARK, .units = 1};
    for (;;) {
        field[count] = text;
        size[count] = strcspn(text, ":");
        text += size[count++];
        if (*text == '\0' || count == 8)
            break;
        text++;
    }
    if (count < 4 || count > 6 || *text != '\0')
        return "tmap:BUFFER[+OFFSET]:TYPE:SIDES:BOX[:SWIZZLE][:stride=BYTES]";
    *buffer = field[0];
    *length = size[0];
    out->type = (uint8_t)ptx_type_named(field[1], size[1]);
    out->element = ptx_types[out->type].bytes;
    if (out->element == 0)
        return "a type like f16 behind the buffer";
    if (!set_sides(out->side, field[2], size[2], &sides, UINT32_MAX) ||
        !set_sides(out->box, field[3], size[3], &box, BOX_MAX) || sides != box)
        return "as many sides of the tensor as of the box, 1 to 5 like 64x32, "
               "a box's of 256 at most";
    out->sides = (uint8_t)sides;
    set_strides(out);
    for (size_t i = 4; i < count; i++)
        if (!read_swizzle(out, field[i], size[i]) &&
            !read_strides(out, field[i], size[i]))
            return "none, 32B, 64B, 128B, or stride= with a multiple of 16 "
                   "bytes for each side but the first";
    return check(out);
}

bool ptx_tensor_is_map(const struct ptx_tensor *t)
{
    bool swizzles =
        t->units == 1 || t->units == 2 || t->units == 4 || t->units == 8;
    if (t->mark != PTX_TENSOR_MARK || !swizzles || t->type >= PTX_TYPES ||
        t->element == 0 || t->element != ptx_types[t->type].bytes ||
        t->sides == 0 || t->sides > PTX_TENSOR_SIDES)
        return false;
    for (unsigned i = 0; i < PTX_TENSOR_SIDES; i++)
        if (t->box[i] == 0 || t->box[i] > BOX_MAX || t->side[i] == 0)
            return false;
    return check(t) == NULL;
}

/* ---- boxes -------------------------------------------------------------- */

uint64_t ptx_tensor_box_bytes(const struct ptx_tensor *t)
{
    uint64_t bytes = t->element;
    for (unsigned i = 0; i < t->sides; i++)
        bytes *= t->box[i];
    return bytes;
}

void ptx_tensor_clip(const struct ptx_tensor *t, const int32_t *at,
                     struct box *box, uint64_t *base, uint32_t *skip)
{
    *box = (struct box){.bytes = 0, .count = {1, 1, 1, 1}};
    *base = t->address;
    for (unsigned i = 0; i < t->sides; i++) {
        int64_t first = at[i] < 0 ? 0 : at[i];
        int64_t end = (int64_t)at[i] + t->box[i];
        end = end > t->side[i] ? t->side[i] : end;
        if (end <= first) {
            box->bytes = 0;
            return;
        }
        skip[i] = (uint32_t)(first - at[i]);
        if (i == 0) {
            box->bytes = (uint64_t)(end - first) * t->element;
            *base += (uint64_t)first * t->element;
        } else {
            box->count[i - 1] = (uint32_t)(end - first);
            box->stride[i - 1] = (int64_t)t->stride[i - 1];
            *base += (uint64_t)first * t->stride[i - 1];
        }
    }
}
