/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/argument.h"

#include "kernels/ptx/execute/tensor.h"
#include "kernels/ptx/forms/half.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX  12
#define NUMBER_MAX  64 /* characters */
#define COUNT_MAX   (UINT64_C(1) << 40)
#define ADDRESS_MAX (UINT64_C(1) << 46)
/* Bytes of all parameters of a kernel (CUDA C Programming Guide, "Function
 * Parameters": 32,764 since CUDA 12.1). */
#define PARAMETERS_MAX 32764

struct fields { /* between colons */
    char *text;
    char *field[FIELDS_MAX];
    size_t count;
};

static bool wrong(const struct ptx_spec *spec, const char *expected,
                  struct error *e)
{
    return error_set(e, STATUS_BAD_INPUT, "%s %s: expected %s", spec->option,
                     spec->text, expected);
}

/* ---- numbers ------------------------------------------------------------ */

static bool read_whole(const char *text, enum ptx_type type, uint64_t *out)
{
    char *end;
    unsigned bits = 8u * ptx_types[type].bytes;
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    errno = 0;
    if (text[0] == '-') {
        long long v = strtoll(text, &end, 0);
        *out = (uint64_t)v & mask;
        return errno == 0 && end != text && *end == '\0' &&
               v >= -(long long)(mask >> 1) - 1;
    }
    unsigned long long v = strtoull(text, &end, 0);
    *out = v;
    return errno == 0 && end != text && *end == '\0' && v <= mask &&
           isdigit((unsigned char)text[0]);
}

bool ptx_number_bits(const char *text, enum ptx_type type, uint64_t *out)
{
    char *end;
    if (!ptx_types[type].is_float && read_whole(text, type, out))
        return true;
    double value = strtod(text, &end);
    if (end == text || *end != '\0')
        return false;
    switch (type) {
    case PTX_F16:
        *out = half_from_double(value, MOD_RN);
        return true;
    case PTX_BF16:
        *out = bfloat_from_double(value, MOD_RN);
        return true;
    case PTX_B32: /* untyped: as nvcc passes a float */
    case PTX_F32:
        *out = float_bits((float)value);
        return true;
    case PTX_B64:
    case PTX_F64:
        *out = double_bits(value);
        return true;
    default:
        return false;
    }
}

static bool read_real(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0';
}

/* ---- buffers ------------------------------------------------------------ */

static bool is_fill(const char *word)
{
    return strcmp(word, "zero") == 0 || strcmp(word, "iota") == 0 ||
           strcmp(word, "random") == 0 || strcmp(word, "file") == 0;
}

static bool is_identifier(const char *word)
{
    if (!isalpha((unsigned char)word[0]) && word[0] != '_')
        return false;
    for (; *word != '\0'; word++)
        if (!isalnum((unsigned char)*word) && *word != '_')
            return false;
    return true;
}

static bool split(struct fields *f, const char *text)
{
    size_t size = strlen(text) + 1;
    *f = (struct fields){.text = malloc(size)};
    if (f->text == NULL)
        return false;
    memcpy(f->text, text, size);
    f->field[f->count++] = f->text;
    for (char *c = f->text; *c != '\0' && f->count < FIELDS_MAX; c++) {
        if (*c != ':')
            continue;
        *c = '\0';
        f->field[f->count++] = c + 1;
    }
    return true;
}

static bool read_bytes(struct ptx_buffer *b, const char *path, struct error *e)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    if (b->bytes > SIZE_MAX / 2 ||
        (b->owned = malloc((size_t)b->bytes + 1)) == NULL) {
        fclose(f);
        return error_no_memory(e);
    }
    size_t got = fread(b->owned, 1, (size_t)b->bytes, f);
    bool failed = ferror(f) != 0, more = !failed && fgetc(f) != EOF;
    fclose(f);
    b->source = b->owned;
    b->source_bytes = got;
    if (!failed && got == b->bytes && !more)
        return true;
    return error_set(e, STATUS_BAD_INPUT,
                     "%s: found %s%zu bytes, expected the %llu of the buffer",
                     path, more ? "more than " : "", got,
                     (unsigned long long)b->bytes);
}

static bool read_iota(struct ptx_buffer *b, char **field, size_t count)
{
    b->fill = FILL_IOTA;
    b->step = 1;
    return count <= 2 && (count < 1 || read_real(field[0], &b->first)) &&
           (count < 2 || read_real(field[1], &b->step));
}

static bool read_random(struct ptx_buffer *b, char **field, size_t count)
{
    b->fill = FILL_RANDOM;
    b->high = 1;
    b->full_range = count == 0 && !ptx_types[b->type].is_float;
    return count == 0 || (count == 2 && read_real(field[0], &b->low) &&
                          read_real(field[1], &b->high) && b->low <= b->high);
}

/* The fields behind the type, without the name. */
static bool read_fill(struct ptx_buffer *b, char **field, size_t count,
                      const struct ptx_spec *spec, struct error *e)
{
    static const char expected[] =
        "zero, iota[:FIRST[:STEP]], random[:LO:HI] or file:PATH as its fill";
    if (count == 0 || (strcmp(field[0], "zero") == 0 && count == 1))
        return true;
    if (strcmp(field[0], "iota") == 0)
        return read_iota(b, field + 1, count - 1) || wrong(spec, expected, e);
    if (strcmp(field[0], "random") == 0)
        return read_random(b, field + 1, count - 1) || wrong(spec, expected, e);
    if (strcmp(field[0], "file") != 0 || count < 2)
        return wrong(spec, expected, e);
    b->fill = FILL_BYTES;
    for (size_t i = 2; i < count; i++) /* a path with colons */
        field[i][-1] = ':';
    return read_bytes(b, field[1], e);
}

/* What stands from field `first` on: the fill and the name. */
static bool read_rest(struct ptx_buffer *b, struct fields *f, size_t first,
                      const struct ptx_spec *spec, struct error *e)
{
    size_t end = f->count;
    bool is_path = end == first + 2 && strcmp(f->field[first], "file") == 0;
    if (end > first && !is_path && is_identifier(f->field[end - 1]) &&
        !is_fill(f->field[end - 1])) {
        b->name = strdup(f->field[--end]);
        if (b->name == NULL)
            return error_no_memory(e);
    }
    return read_fill(b, f->field + first, end - first, spec, e);
}

/* Take "KEY=NUMBER", key being "pad=" or the like, out of the fields from
 * `first` on; those of a path are none. */
static bool take_number(uint64_t *out, const char *key, uint64_t most,
                        struct fields *f, size_t first)
{
    size_t i = first, length = strlen(key);
    while (i < f->count && strcmp(f->field[i], "file") != 0 &&
           strncmp(f->field[i], key, length) != 0)
        i++;
    if (i == f->count || strcmp(f->field[i], "file") == 0)
        return true;
    bool ok = read_whole(f->field[i] + length, PTX_U64, out) && *out <= most;
    for (f->count--; i < f->count; i++)
        f->field[i] = f->field[i + 1];
    return ok;
}

static bool read_buffer(struct ptx_buffer *b, struct fields *f,
                        const struct ptx_spec *spec, struct error *e)
{
    uint64_t count;
    if (f->count < 3 || !read_whole(f->field[1], PTX_U64, &count) ||
        count > COUNT_MAX)
        return wrong(
            spec, "buf:COUNT:TYPE[:pad=BYTES][:at=ADDRESS][:FILL][:NAME]", e);
    b->type = ptx_type_named(f->field[2], strlen(f->field[2]));
    b->bytes = count * ptx_types[b->type].bytes;
    if (ptx_types[b->type].bytes == 0)
        return wrong(spec, "a type like f32 behind the count", e);
    if (!take_number(&b->pad, "pad=", COUNT_MAX, f, 3))
        return wrong(spec, "a number of bytes in pad=BYTES", e);
    if (!take_number(&b->address, "at=", ADDRESS_MAX, f, 3))
        return wrong(spec, "an address up to 2^46 in at=ADDRESS", e);
    return read_rest(b, f, 3, spec, e);
}

static bool read_texture(struct ptx_buffer *b, struct fields *f,
                         const struct ptx_spec *spec, struct error *e)
{
    struct ptx_texture *t = &b->texture;
    size_t next = 3;
    if (f->count < 3 || !ptx_texture_read_sides(t, f->field[1]))
        return wrong(spec,
                     "tex:WIDTH[xHEIGHT[xDEPTH]]:TEXEL[:MODE..]"
                     "[:at=ADDRESS][:FILL][:NAME]",
                     e);
    if (!ptx_texture_read_texel(t, &b->type, f->field[2]))
        return wrong(spec, "a texel like f32 or u8x4 behind the sides", e);
    b->bytes = (uint64_t)t->channels * ptx_types[b->type].bytes;
    for (int i = 0; i < 3; i++) {
        if (b->bytes > COUNT_MAX / t->side[i])
            return wrong(spec, "at most 1 TiB", e);
        b->bytes *= t->side[i];
    }
    while (next < f->count && ptx_texture_read_mode(t, f->field[next]))
        next++;
    if (!take_number(&b->address, "at=", ADDRESS_MAX, f, next))
        return wrong(spec, "an address up to 2^46 in at=ADDRESS", e);
    if (t->outside != OUTSIDE_CLAMP && t->outside != OUTSIDE_BORDER &&
        !t->normalized)
        return wrong(spec, "normalized with wrap and mirror", e);
    return read_rest(b, f, next, spec, e);
}

/* ---- bytes -------------------------------------------------------------- */

static bool read_file(struct ptx_argument *a, const char *path, struct error *e)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return error_set(e, STATUS_BAD_INPUT, "%s: %s", path, strerror(errno));
    a->count = fread(a->bytes, 1, PARAMETERS_MAX + 1, f);
    bool failed = ferror(f) != 0;
    fclose(f);
    if (failed)
        return error_set(e, STATUS_BAD_INPUT, "%s: cannot be read", path);
    return a->count <= PARAMETERS_MAX ||
           error_set(e, STATUS_BAD_INPUT,
                     "%s: found more than %d bytes, expected a parameter", path,
                     PARAMETERS_MAX);
}

static bool read_hex(struct ptx_argument *a, const char *hex, size_t length)
{
    if (length == 0 || length % 2 != 0 ||
        length / 2 > PARAMETERS_MAX - a->count)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isxdigit((unsigned char)hex[i]))
            return false;
    for (size_t i = 0; i < length; i += 2) {
        const char pair[] = {hex[i], hex[i + 1], '\0'};
        a->bytes[a->count++] = (uint8_t)strtoul(pair, NULL, 16);
    }
    return true;
}

static bool read_typed(struct ptx_argument *a, const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    char number[NUMBER_MAX];
    uint64_t bits;
    size_t before = (size_t)(colon - text), digits = length - before - 1;
    enum ptx_type type = ptx_type_named(text, before);
    unsigned bytes = ptx_types[type].bytes;
    if (bytes == 0 || digits >= sizeof(number) ||
        bytes > PARAMETERS_MAX - a->count)
        return false;
    memcpy(number, colon + 1, digits);
    number[digits] = '\0';
    if (!ptx_number_bits(number, type, &bits))
        return false;
    memcpy(a->bytes + a->count, &bits, bytes);
    a->count += bytes;
    return true;
}

/* There is room for the pointer. */
static bool read_pointer(struct ptx_argument *a, const char *text,
                         size_t length)
{
    struct ptx_pointer p;
    if (!ptx_pointer_parse(&p, text, length) || a->count > PARAMETERS_MAX - 8)
        return false;
    p.at = a->count;
    a->pointer[a->pointers++] = p;
    memset(a->bytes + a->count, 0, 8);
    a->count += 8;
    return true;
}

/* 0a0b.., u32:5 and @name+16, with commas between them. */
static bool read_parts(struct ptx_argument *a, const char *text)
{
    for (const char *end; text != NULL; text = *end != '\0' ? end + 1 : NULL) {
        end = text + strcspn(text, ",");
        size_t length = (size_t)(end - text);
        if (!(text[0] == '@' ? read_pointer(a, text, length)
              : memchr(text, ':', length) != NULL ? read_typed(a, text, length)
                                                  : read_hex(a, text, length)))
            return false;
    }
    return true;
}

static size_t count_of(const char *text, char sign)
{
    size_t n = 0;
    for (; (text = strchr(text, sign)) != NULL; text++)
        n++;
    return n;
}

/* What stands behind "bytes:", or a pointer alone. */
static bool parse_bytes(struct ptx_argument *a, const char *text,
                        const struct ptx_spec *spec, struct error *e)
{
    a->bytes = malloc(PARAMETERS_MAX + 1);
    a->pointer = calloc(count_of(text, '@') + 1, sizeof(*a->pointer));
    bool ok = a->bytes != NULL && a->pointer != NULL;
    if (!ok)
        error_no_memory(e);
    else if (strncmp(text, "file:", 5) == 0)
        ok = read_file(a, text + 5, e);
    else
        ok = read_parts(a, text) ||
             wrong(spec,
                   "pairs of hexadecimal digits, TYPE:NUMBER or "
                   "@NAME[+OFFSET], with commas between them",
                   e);
    if (!ok)
        ptx_argument_free(a);
    return ok;
}

/* What stands behind "tmap:": a tensor map in 128 bytes, its address first. */
static bool parse_tensor(struct ptx_argument *a, const char *text,
                         const struct ptx_spec *spec, struct error *e)
{
    struct ptx_tensor t;
    struct ptx_pointer p;
    const char *buffer;
    size_t length;
    const char *expected = ptx_tensor_read(&t, text, &buffer, &length);
    if (expected == NULL && !ptx_pointer_named(&p, buffer, length))
        expected = "the name of a buffer, NAME[+OFFSET]";
    if (expected != NULL)
        return wrong(spec, expected, e);
    a->bytes = calloc(PTX_TENSOR_BYTES, 1);
    a->pointer = calloc(1, sizeof(*a->pointer));
    if (a->bytes == NULL || a->pointer == NULL) {
        ptx_argument_free(a);
        return error_no_memory(e);
    }
    memcpy(a->bytes, &t, sizeof(t));
    a->count = PTX_TENSOR_BYTES;
    a->pointer[a->pointers++] = p;
    return true;
}

/* ---- the whole ---------------------------------------------------------- */

bool ptx_argument_parse(struct ptx_argument *out, const struct ptx_spec *spec,
                        struct error *e)
{
    const char *text = spec->text;
    struct fields f;
    *out = (struct ptx_argument){.number = text};
    if (strncmp(text, "bytes:", 6) == 0)
        return parse_bytes(out, text + 6, spec, e);
    if (strncmp(text, "tmap:", 5) == 0)
        return parse_tensor(out, text + 5, spec, e);
    if (text[0] == '@')
        return parse_bytes(out, text, spec, e);
    if (strncmp(text, "buf:", 4) == 0 || strncmp(text, "tex:", 4) == 0) {
        out->is_buffer = true;
        if (!split(&f, text))
            return error_no_memory(e);
        bool ok = text[0] == 't' ? read_texture(&out->buffer, &f, spec, e)
                                 : read_buffer(&out->buffer, &f, spec, e);
        free(f.text);
        if (!ok)
            ptx_argument_free(out);
        return ok;
    }
    const char *colon = strchr(text, ':');
    if (colon == NULL)
        return true;
    out->type = ptx_type_named(text, (size_t)(colon - text));
    out->number = colon + 1;
    uint64_t bits;
    return (ptx_types[out->type].bytes != 0 &&
            ptx_number_bits(out->number, (enum ptx_type)out->type, &bits)) ||
           wrong(spec,
                 "NUMBER, TYPE:NUMBER, @NAME[+OFFSET], bytes:HEX, tmap:.., "
                 "buf:COUNT:TYPE[:FILL][:NAME] or tex:WIDTHxHEIGHT:TEXEL",
                 e);
}

bool ptx_fill_parse(struct ptx_buffer *b, const char *fill,
                    const struct ptx_spec *spec, struct error *e)
{
    struct fields f;
    if (!split(&f, fill))
        return error_no_memory(e);
    bool ok = read_fill(b, f.field, f.count, spec, e);
    free(f.text);
    return ok;
}

void ptx_argument_free(struct ptx_argument *a)
{
    free(a->buffer.name);
    free(a->buffer.owned);
    free(a->bytes);
    free(a->pointer);
    *a = (struct ptx_argument){0};
}
