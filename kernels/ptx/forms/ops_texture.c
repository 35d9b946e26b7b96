/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows of textures and surfaces (PTX ISA 9.0, sections 9.7.10 and 9.7.11);
 * exec_texture.c executes them. Surface stores are stores to global memory. */
#include "kernels/ptx/forms/lanes.h"

#define TEXELS      (TYPE(F32) | TYPE(U32) | TYPE(S32) | TYPE(F16) | TYPE(F16X2))
#define COORDINATES (TYPE(F32) | TYPE(S32))
#define SURFACE     (TYPE(B8) | TYPE(B16) | TYPE(B32) | TYPE(B64))
#define GEOMETRY    (GROUP(GEOMETRY) | GROUP(VECTOR))

// clang-format off
const struct ptx_form ptx_texture_forms[] = {
    {"tex", KEYS(MOD_LEVEL), "VXt", TEXELS, COORDINATES, GEOMETRY,
     ACTION_TEXTURE, NULL, OP_LOAD},
    {"tex", KEYS(MOD_GRAD), "VXxx", TEXELS, COORDINATES, GEOMETRY,
     ACTION_TEXTURE, NULL, OP_LOAD},
    {"tex", KEYS(0), "VX", TEXELS, COORDINATES, GEOMETRY | GROUP(LEVEL),
     ACTION_TEXTURE, NULL, OP_LOAD},
    {"tld4", KEYS(0), "VX", TEXELS, TYPE(F32),
     GEOMETRY | GROUP(LETTER) | GROUP(DIRECTION), ACTION_GATHER, NULL, OP_LOAD},
    {"suld", KEYS(MOD_B), "VX", SURFACE, 0,
     GEOMETRY | GROUP(CLAMP) | GROUP(CACHE), ACTION_SURFACE_LOAD, NULL,
     OP_LOAD},
    {"sust", KEYS(MOD_B), "Xv", SURFACE, 0,
     GEOMETRY | GROUP(CLAMP) | GROUP(CACHE), ACTION_SURFACE_STORE, NULL,
     OP_STORE},
    {"txq", KEYS(0), "dh", TYPE(B32), 0, GROUP(QUERY), ACTION_QUERY, NULL,
     OP_INT},
    {"suq", KEYS(0), "dh", TYPE(B32), 0, GROUP(QUERY), ACTION_QUERY, NULL,
     OP_INT},
    {.mnemonic = NULL},
};
