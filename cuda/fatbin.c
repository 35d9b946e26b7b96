/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/fatbin.h"

#include "cuda/link.h"

#include <lz4.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define WRAPPER_MAGIC  0x466243b1u
#define WRAPPER_LINKED 2 /* version: of nvcc -rdc=true */
#define FATBIN_MAGIC   0xba55ed50u
#define KIND_PTX       1
#define FLAG_LZ4       UINT64_C(0x2000)
#define FLAG_ZSTD      UINT64_C(0x8000)
#define TEXT_MAX       (UINT64_C(1) << 30)

struct wrapper { /* what a program registers */
    uint32_t magic, version;
    const uint8_t *data;
    /* WRAPPER_LINKED: the fat binaries that were linked, then a NULL. */
    const void *const *linked;
};

struct header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t bytes; /* of the entries behind it */
};

struct entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t padded_bytes; /* of what is behind its header */
    uint32_t compressed_bytes, options;
    uint16_t minor, major;
    uint32_t arch; /* sm_ number */
    uint32_t name_offset, name_bytes;
    uint64_t flags;
    uint64_t zero;
    uint64_t text_bytes; /* when compressed: before */
};

static bool fail(struct estimate_error *e, const char *text)
{
    e->status = ESTIMATE_BAD_INPUT;
    snprintf(e->text, sizeof(e->text), "%s", text);
    return false;
}

static const uint8_t *entries_of(const void *image, uint64_t *bytes,
                                 struct estimate_error *e)
{
    const struct wrapper *w = image;
    const struct header *h = image;
    if (w->magic == WRAPPER_MAGIC)
        h = (const void *)w->data;
    if (h->magic == FATBIN_MAGIC) {
        *bytes = h->bytes;
        return (const uint8_t *)h + h->header_bytes;
    }
    fail(e, "found device code in a form that is not known, expected a fat "
            "binary of nvcc 11 to 13");
    return NULL;
}

/* Newer ones come before older ones, those the GPU has not before none. */
static bool is_better(const struct entry *a, const struct entry *b,
                      unsigned arch)
{
    bool fits = a->arch <= arch, fitted = b != NULL && b->arch <= arch;
    if (b == NULL || fits != fitted)
        return b == NULL || fits;
    return fits ? a->arch > b->arch : a->arch < b->arch;
}

static const struct entry *choose(const uint8_t *at, uint64_t bytes,
                                  unsigned arch)
{
    const struct entry *best = NULL;
    while (bytes >= sizeof(struct entry)) {
        const struct entry *n = (const void *)at;
        uint64_t size = n->header_bytes + n->padded_bytes;
        if (size < sizeof(*n) || size > bytes)
            break;
        if (n->kind == KIND_PTX && is_better(n, best, arch))
            best = n;
        at += size;
        bytes -= size;
    }
    return best;
}

/* False: it is not as long as it says. */
static bool unpack(char *out, uint64_t bytes, const struct entry *n)
{
    const void *from = (const uint8_t *)n + n->header_bytes;
    if (n->flags & FLAG_ZSTD)
        return ZSTD_decompress(out, bytes, from, n->compressed_bytes) == bytes;
    if (n->flags & FLAG_LZ4)
        return LZ4_decompress_safe(from, out, (int)n->compressed_bytes,
                                   (int)bytes) == (int)bytes;
    memcpy(out, from, bytes);
    return true;
}

/* The PTX of a binary for a GPU; NULL with e set. */
static const struct entry *find(const void *image, unsigned arch,
                                struct estimate_error *e)
{
    uint64_t bytes;
    const uint8_t *entries = entries_of(image, &bytes, e);
    if (entries == NULL)
        return NULL;
    const struct entry *n = choose(entries, bytes, arch);
    if (n == NULL)
        fail(e, "found device code without PTX, expected nvcc's "
                "-arch=compute_75 or -gencode arch=compute_75,code=compute_75");
    return n;
}

/* ---- texts --------------------------------------------------------------- */

static char *text_of(const struct entry *n, struct estimate_error *e)
{
    bool packed = (n->flags & (FLAG_LZ4 | FLAG_ZSTD)) != 0;
    uint64_t length = packed ? n->text_bytes : n->padded_bytes;
    char *text = length < TEXT_MAX ? malloc(length + 1) : NULL;
    if (text == NULL || !unpack(text, length, n)) {
        free(text);
        fail(e, "found PTX in the program that cannot be unpacked");
        return NULL;
    }
    text[length] = '\0';
    return text;
}

static char *text_in(const void *image, unsigned arch, struct estimate_error *e)
{
    const struct entry *n = find(image, arch, e);
    return n != NULL ? text_of(n, e) : NULL;
}

/* nvcc's runtime for kernels that launch others, which it links to every
 * program of several objects. */
static bool is_device_runtime(const char *text)
{
    return strstr(text, "cnpLaunchDevice") != NULL;
}

static void free_texts(char **text, size_t texts)
{
    for (size_t i = 0; i < texts; i++)
        free(text[i]);
    free(text);
}

/* Of device code that was linked a program keeps the PTX of each object by
 * itself: they are linked anew. */
static char *link_binaries(const void *const *linked, unsigned arch,
                           size_t *size, struct estimate_error *e)
{
    size_t binaries = 0, texts = 0;
    while (linked[binaries] != NULL)
        binaries++;
    char **text = calloc(binaries, sizeof(*text)), *all = NULL;
    bool ok = text != NULL;
    for (size_t i = 0; ok && i < binaries; i++) {
        text[texts] = text_in(linked[i], arch, e);
        ok = text[texts] != NULL;
        if (ok && is_device_runtime(text[texts]))
            free(text[texts]);
        else
            texts += ok;
    }
    if (text == NULL)
        fail(e, "out of memory");
    if (ok && (all = link_texts(text, texts, size)) == NULL)
        fail(e, "out of memory");
    free_texts(text, texts);
    return all;
}

char *fatbin_ptx(const void *image, unsigned arch, size_t *size,
                 struct estimate_error *e)
{
    const struct wrapper *w = image;
    if (w->magic == WRAPPER_MAGIC && w->version == WRAPPER_LINKED &&
        w->linked != NULL && w->linked[0] != NULL)
        return link_binaries(w->linked, arch, size, e);
    char *text = text_in(image, arch, e);
    *size = text != NULL ? strlen(text) : 0;
    return text;
}
