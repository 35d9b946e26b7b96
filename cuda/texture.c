/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Texture and surface objects: a handle is an address that the arena gives and
 * nothing is kept at. */
#include "cuda/array.h"
#include "cuda/runtime.h"

#include <stdio.h>
#include <stdlib.h>

enum resource_kind {
    RESOURCE_ARRAY,
    RESOURCE_MIPMAPS,
    RESOURCE_LINEAR,
    RESOURCE_PITCH
};

struct resource {
    int kind;
    union {
        struct cuda_array *array;
        struct {
            void *at;
            struct channels channels;
            size_t bytes;
        } linear;
        struct {
            void *at;
            struct channels channels;
            size_t width, height, pitch;
        } rows;
        int reserved[32];
    } of;
};

struct sampling { /* as far as it is looked at */
    int outside[3];
    int is_linear;
    int reads_scaled;
    int is_srgb;
    float border[4];
    int is_normalized;
};

enum { OUTSIDE_WRAPS, OUTSIDE_CLAMPS, OUTSIDE_MIRRORS, OUTSIDE_IS_BORDER };

/* "u8x4"; false: there is none like that. */
static bool name_texel(char out[16], const struct channels *c)
{
    static const char kinds[] = "suf";
    int count = 0;
    while (count < 4 && c->bits[count] == c->bits[0])
        count++;
    for (int i = count; i < 4; i++)
        if (c->bits[i] != 0)
            return false;
    if (c->kind < 0 || c->kind > 2)
        return false;
    snprintf(out, 16, "%c%dx%d", kinds[c->kind], c->bits[0], count);
    return true;
}

static void name_mode(char out[64], const struct sampling *s)
{
    static const char *const words[] = {"wrap", "clamp", "mirror", "border"};
    int outside = s->outside[0];
    bool repeats = outside == OUTSIDE_WRAPS || outside == OUTSIDE_MIRRORS;
    /* without normalized coordinates these two are clamp (CUDA Runtime API) */
    if (repeats && !s->is_normalized)
        outside = OUTSIDE_CLAMPS;
    snprintf(out, 64, "%s %s%s", words[outside & 3],
             s->is_linear ? "linear" : "point",
             s->is_normalized ? " normalized" : "");
}

static struct estimate_texture of_array(const struct cuda_array *a)
{
    struct pitched p = array_place(a);
    struct extent e = array_sides(a);
    uint32_t dimensions = a->extent.depth != 0    ? 3
                          : a->extent.height != 0 ? 2
                                                  : 1;
    struct estimate_texture t = {
        .at = a->at,
        .pitch = p.pitch,
        .dimensions = dimensions,
        .side = {(uint32_t)e.width, (uint32_t)e.height, (uint32_t)e.depth}};
    if ((a->flags & ARRAY_LAYERED) != 0 && a->extent.height == 0) {
        t.dimensions = 2; /* layers of one row */
        t.side[1] = t.side[2];
        t.side[2] = 1;
    }
    return t;
}

/* Its texels, and how they are laid out. NULL: not supported. */
static const struct channels *describe(struct estimate_texture *t,
                                       const struct resource *r)
{
    size_t texel;
    switch (r->kind) {
    case RESOURCE_ARRAY:
        *t = of_array(r->of.array);
        return &r->of.array->channels;
    case RESOURCE_LINEAR:
        texel = texel_bytes(&r->of.linear.channels);
        if (texel == 0)
            return NULL;
        *t = (struct estimate_texture){
            .at = r->of.linear.at,
            .pitch = r->of.linear.bytes,
            .dimensions = 1,
            .side = {(uint32_t)(r->of.linear.bytes / texel), 1, 1}};
        return &r->of.linear.channels;
    case RESOURCE_PITCH:
        *t =
            (struct estimate_texture){.at = r->of.rows.at,
                                      .pitch = r->of.rows.pitch,
                                      .dimensions = 2,
                                      .side = {(uint32_t)r->of.rows.width,
                                               (uint32_t)r->of.rows.height, 1}};
        return &r->of.rows.channels;
    default:
        return NULL;
    }
}

/* Bytes in tiles of 64 bytes by 128 rows, as many as the texture can take. */
static uint64_t room_of(const struct estimate_texture *t, size_t texel)
{
    uint64_t row = (t->side[0] * texel + 63) / 64 * 64;
    uint64_t rows = t->dimensions > 1 ? (t->side[1] + 127) / 128 * 128 : 1;
    return row * rows * t->side[2];
}

static cudaError_t create(uint64_t *out, const struct resource *r,
                          const struct sampling *s, const char *who)
{
    struct runtime *rt = runtime_enter();
    struct machine *m = &rt->machine;
    struct estimate_error e = {ESTIMATE_OK, "found a kind of resource that is "
                                            "not supported"};
    struct estimate_texture t;
    char texel[16], mode[64];
    const struct channels *c = describe(&t, r);
    *out = 0;
    if (c == NULL || !name_texel(texel, c)) {
        say("%s: %s", who, e.text);
        return runtime_leave(rt, cudaErrorNotSupported);
    }
    name_mode(mode, s);
    t.texel = texel;
    t.mode = mode;
    uint64_t room = room_of(&t, texel_bytes(c));
    void *handle = arena_take(&m->arena, room, MEMORY_TEXTURE);
    if (handle == NULL || !estimate_device_add(m->device, handle, room, &e))
        return runtime_leave(rt, cudaErrorMemoryAllocation);
    if (!estimate_device_texture(m->device, handle, &t, &e)) {
        say("%s: %s", who, e.text);
        estimate_device_remove(m->device, handle);
        arena_give(&m->arena, handle);
        return runtime_leave(rt, cudaErrorNotSupported);
    }
    *out = (uint64_t)(uintptr_t)handle;
    return runtime_leave(rt, cudaSuccess);
}

static cudaError_t destroy(uint64_t object)
{
    struct runtime *r = runtime_enter();
    /* NOLINTNEXTLINE(performance-no-int-to-ptr): the handle is an address */
    void *handle = (void *)(uintptr_t)object;
    bool ok =
        object == 0 || (estimate_device_remove(r->machine.device, handle) &&
                        arena_give(&r->machine.arena, handle));
    return runtime_leave(r, ok ? cudaSuccess : cudaErrorInvalidValue);
}

CUDA_API cudaError_t cudaCreateTextureObject(uint64_t *out,
                                             const struct resource *r,
                                             const struct sampling *s,
                                             const void *view)
{
    struct sampling how = *s;
    if (view != NULL)
        say("cudaCreateTextureObject: the resource view is not looked at");
    /* Beyond linear memory a fetch returns zeros (CUDA Programming Guide). */
    if (r->kind == RESOURCE_LINEAR)
        how = (struct sampling){.outside = {OUTSIDE_IS_BORDER}};
    return create(out, r, &how, "cudaCreateTextureObject");
}

CUDA_API cudaError_t cudaDestroyTextureObject(uint64_t object)
{
    return destroy(object);
}

CUDA_API cudaError_t cudaCreateSurfaceObject(uint64_t *out,
                                             const struct resource *r)
{
    const struct sampling plain = {.outside = {OUTSIDE_CLAMPS}};
    return create(out, r, &plain, "cudaCreateSurfaceObject");
}

CUDA_API cudaError_t cudaDestroySurfaceObject(uint64_t object)
{
    return destroy(object);
}
