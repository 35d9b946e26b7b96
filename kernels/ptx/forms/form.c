/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/ptx/forms/form.h"

#include "kernels/ptx/forms/lanes.h"

#include <string.h>

static const struct ptx_form *const tables[] = {
    ptx_async_forms, ptx_memory_forms,  ptx_add_forms,     ptx_multiply_forms,
    ptx_bit_forms,   ptx_compare_forms, ptx_convert_forms, ptx_float_forms,
    ptx_half_forms,  ptx_flow_forms,    ptx_matrix_forms,  ptx_texture_forms,
    ptx_video_forms,
};

#define TABLES (sizeof(tables) / sizeof(tables[0]))

static bool has_word(const struct ptx_inst *inst, uint8_t word)
{
    for (int g = 0; g < GROUPS; g++)
        if (inst->modifier[g] == word)
            return true;
    return false;
}

static bool has_type(uint64_t allowed, const struct ptx_inst *inst, int i)
{
    bool given = i < inst->types;
    return allowed == 0 ? !given : given && (allowed >> inst->type[i] & 1) != 0;
}

/* A third type alone have cvt.pack of less than 16 bits, products of warp
 * groups and video instructions, these like the second. */
static bool has_third(const struct ptx_form *f, const struct ptx_inst *inst)
{
    bool packs = f->key[0] == MOD_PACK && (f->types & TYPE(U8)) != 0;
    bool video = (f->groups & GROUP(VIDEO)) != 0;
    uint64_t third = packs ? TYPE(B32) : f->second_types;
    if (f->action == ACTION_WGMMA)
        return inst->types == 3;
    return (inst->types == 3) == (packs || video) &&
           (inst->types != 3 || (third >> inst->type[2] & 1) != 0);
}

static bool suits(const struct ptx_form *f, const struct ptx_inst *inst)
{
    return (f->key[0] == MOD_NONE || has_word(inst, f->key[0])) &&
           (f->key[1] == MOD_NONE || has_word(inst, f->key[1])) &&
           has_type(f->types, inst, 0) && has_type(f->second_types, inst, 1) &&
           has_third(f, inst) &&
           (f->action == ACTION_MULTIPLY_FRAGMENTS ||
            (inst->types == 4) == (f->action == ACTION_MATRIX));
}

const struct ptx_form *ptx_form_find(const char *mnemonic, size_t length,
                                     const struct ptx_inst *inst, bool *known)
{
    *known = false;
    for (size_t t = 0; t < TABLES; t++) {
        for (const struct ptx_form *f = tables[t]; f->mnemonic != NULL; f++) {
            if (f->mnemonic[0] != mnemonic[0] ||
                strncmp(f->mnemonic, mnemonic, length) != 0 ||
                f->mnemonic[length] != '\0')
                continue;
            *known = true;
            if (suits(f, inst))
                return f;
        }
    }
    return NULL;
}

size_t ptx_form_count(void)
{
    size_t n = 0;
    while (ptx_form_at(n) != NULL)
        n++;
    return n;
}

const struct ptx_form *ptx_form_at(size_t i)
{
    for (size_t t = 0; t < TABLES; t++)
        for (const struct ptx_form *f = tables[t]; f->mnemonic != NULL; f++)
            if (i-- == 0)
                return f;
    return NULL;
}
