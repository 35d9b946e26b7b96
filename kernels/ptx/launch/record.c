/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/launch/record.h"

#include "kernels/ptx/launch/launch_arguments.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_BYTES 4096

struct copy {
    uint64_t address, bytes;
    uint8_t *held;
};

struct ptx_snapshot {
    const struct ptx_memory *memory;
    struct copy *copy; /* by address */
    size_t copies;
};

static uint64_t texel_bytes(const struct ptx_buffer *b)
{
    return (uint64_t)ptx_types[b->type].bytes * b->texture.channels;
}

/* A texture is kept by its texels, row after row. */
static uint64_t bytes_of(const struct ptx_buffer *b)
{
    const uint32_t *side = b->texture.side;
    return b->texels == 0 ? b->bytes
                          : texel_bytes(b) * side[0] * side[1] * side[2];
}

static void copy_texels(uint8_t *to, const struct ptx_memory *m,
                        const struct ptx_buffer *b)
{
    const struct ptx_buffer *in = ptx_memory_at(m, b->texels);
    uint64_t row = texel_bytes(b) * b->texture.side[0];
    uint64_t rows = (uint64_t)b->texture.side[1] * b->texture.side[2];
    for (uint64_t i = 0; in != NULL && i < rows; i++)
        memcpy(to + i * row,
               in->live + (b->texels - in->address) + i * b->pitch, row);
}

struct ptx_snapshot *ptx_snapshot_take(struct ptx_memory *m, struct error *e)
{
    struct ptx_snapshot *s = calloc(1, sizeof(*s));
    if (s == NULL ||
        (s->copy = calloc(m->buffers + 1, sizeof(*s->copy))) == NULL) {
        free(s);
        error_no_memory(e);
        return NULL;
    }
    s->memory = m;
    for (size_t i = 0; i < m->buffers; i++) {
        struct ptx_buffer *b = &m->buffer[i];
        struct copy *c = &s->copy[s->copies];
        if (b->live == NULL)
            continue;
        *c = (struct copy){b->address, bytes_of(b), NULL};
        c->held = calloc(c->bytes + 1, 1);
        if (c->held == NULL) {
            ptx_snapshot_free(s);
            error_no_memory(e);
            return NULL;
        }
        if (b->texels != 0)
            copy_texels(c->held, m, b);
        else
            memcpy(c->held, b->live, b->bytes);
        s->copies++;
    }
    return s;
}

void ptx_snapshot_free(struct ptx_snapshot *s)
{
    for (size_t i = 0; s != NULL && i < s->copies; i++)
        free(s->copy[i].held);
    if (s != NULL)
        free(s->copy);
    free(s);
}

/* ---- files --------------------------------------------------------------- */

static FILE *open_part(const struct ptx_record *r, const char *suffix,
                       struct error *e)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof(path), "%s/%s%s", r->folder, r->name, suffix);
    FILE *f = fopen(path, "wb");
    if (f == NULL)
        error_set(e, STATUS_FAILED, "%s: %s", path, strerror(errno));
    return f;
}

static bool close_part(FILE *f, const struct ptx_record *r, struct error *e)
{
    bool failed = ferror(f) != 0;
    if (fclose(f) == 0 && !failed)
        return true;
    return error_set(e, STATUS_FAILED, "%s/%s: write failed", r->folder,
                     r->name);
}

static bool write_bytes(const struct ptx_record *r, const char *suffix,
                        const uint8_t *bytes, uint64_t count, struct error *e)
{
    FILE *f = open_part(r, suffix, e);
    if (f == NULL)
        return false;
    fwrite(bytes, 1, count, f);
    return close_part(f, r, e);
}

/* ---- what a launch file says --------------------------------------------- */

static bool was_touched(const struct ptx_snapshot *s, const struct copy *c)
{
    const struct ptx_buffer *b = ptx_memory_at(s->memory, c->address);
    return b != NULL && b->use != 0;
}

/* What a buffer is, up to its address: "buf:64:b8" or "tex:8x4:u8x2:wrap". */
static void put_kind(FILE *f, const struct ptx_snapshot *s,
                     const struct copy *c)
{
    const struct ptx_buffer *b = ptx_memory_at(s->memory, c->address);
    const struct ptx_texture *t = &b->texture;
    char mode[64];
    if (b->texels == 0) {
        fprintf(f, "buf:%" PRIu64 ":b8", c->bytes);
        return;
    }
    for (unsigned i = 0; i < t->dimensions; i++)
        fprintf(f, "%s%u", i == 0 ? "tex:" : "x", t->side[i]);
    ptx_texture_write_mode(t, mode);
    fprintf(f, ":%sx%u%s", ptx_types[b->type].name, t->channels, mode);
}

static bool put_buffers(FILE *f, const struct ptx_snapshot *s,
                        const struct ptx_record *r, struct error *e)
{
    fprintf(f, "buffers: {\n");
    for (size_t i = 0; i < s->copies; i++) {
        const struct copy *c = &s->copy[i];
        char suffix[64];
        if (!was_touched(s, c) || c->bytes == 0)
            continue;
        snprintf(suffix, sizeof(suffix), ".b%zu.bin", i);
        if (!write_bytes(r, suffix, c->held, c->bytes, e))
            return false;
        fprintf(f, "    b%zu = \"", i);
        put_kind(f, s, c);
        fprintf(f, ":at=0x%" PRIx64 ":file:%s%s\";\n", c->address, r->name,
                suffix);
    }
    fprintf(f, "};\n");
    return true;
}

static const uint8_t *held_at(const struct ptx_snapshot *s, uint64_t address)
{
    for (size_t i = 0; i < s->copies; i++)
        if (address - s->copy[i].address < s->copy[i].bytes)
            return s->copy[i].held + (address - s->copy[i].address);
    return NULL;
}

static bool is_symbol(const struct ptx_variable *v)
{
    return v->function == PTX_NONE && !v->is_opaque && v->bytes > 0 &&
           (v->space == MOD_GLOBAL || v->space == MOD_CONST);
}

static bool put_symbols(FILE *f, const struct ptx_snapshot *s,
                        const struct ptx_session *l, const struct ptx_record *r,
                        struct error *e)
{
    const struct ptx_module *m = l->program.module;
    const char *comma = "";
    fprintf(f, "symbols = (");
    for (size_t i = 0; i < m->variables; i++) {
        const struct ptx_variable *v = &m->variable[i];
        char suffix[64];
        if (!is_symbol(v))
            continue;
        const uint8_t *held = held_at(s, l->program.address[i]);
        if (held == NULL)
            continue;
        snprintf(suffix, sizeof(suffix), ".s%zu.bin", i);
        if (!write_bytes(r, suffix, held, v->bytes, e))
            return false;
        fprintf(f, "%s\n    \"%s=b8:file:%s%s\"", comma, v->name, r->name,
                suffix);
        comma = ",";
    }
    fprintf(f, ");\n");
    return true;
}

/* As many bytes as the parameter has; parameters of more than one element are
 * structures. */
static void put_argument(FILE *f, const uint8_t *at,
                         const struct ptx_variable *v)
{
    uint64_t bits = 0;
    if (v->bytes == ptx_types[v->type].bytes && v->bytes <= sizeof(bits)) {
        memcpy(&bits, at, v->bytes);
        fprintf(f, "\"b%" PRIu64 ":0x%" PRIx64 "\"", 8 * v->bytes, bits);
        return;
    }
    fprintf(f, "\"bytes:");
    for (uint64_t i = 0; i < v->bytes; i++)
        fprintf(f, "%02x", at[i]);
    fprintf(f, "\"");
}

static void put_launch(FILE *f, const struct ptx_session *s)
{
    const struct ptx_function *entry = ptx_session_entry(s);
    const struct ptx_launch *l = &s->launch;
    fprintf(f, "launches = (\n    { entry = \"%s\";\n", entry->name);
    fprintf(f, "      grid = [%u, %u, %u]; block = [%u, %u, %u];\n", l->grid.x,
            l->grid.y, l->grid.z, l->block.x, l->block.y, l->block.z);
    if (l->cluster.x != 0)
        fprintf(f, "      cluster = [%u, %u, %u];\n", l->cluster.x,
                l->cluster.y, l->cluster.z);
    fprintf(f, "      shared = %" PRIu64 ";\n      args = (",
            l->dynamic_shared_bytes);
    for (size_t i = 0; i < entry->params; i++) {
        uint32_t index = entry->param[i].index;
        fprintf(f, "%s", i > 0 ? ", " : "");
        put_argument(f, l->param + s->program.address[index],
                     &s->program.module->variable[index]);
    }
    fprintf(f, "); }\n);\n");
}

bool ptx_snapshot_write(const struct ptx_snapshot *s,
                        const struct ptx_session *launched,
                        const struct ptx_record *r, struct error *e)
{
    FILE *f = open_part(r, ".launch", e);
    if (f == NULL)
        return false;
    fprintf(f, "ptx = \"%s\";\n", r->ptx);
    if (!put_buffers(f, s, r, e) || !put_symbols(f, s, launched, r, e)) {
        fclose(f);
        return false;
    }
    put_launch(f, launched);
    return close_part(f, r, e);
}
