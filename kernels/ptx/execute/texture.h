/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Textures and surfaces: buffers with a shape. What they hold is kept by rows,
 * rows in layers, one after another; where memory has it, is another matter
 * (ptx_texture_offset). Its address is the handle that a kernel is given. */
#ifndef KERNELS_PTX_EXECUTE_TEXTURE_H
#define KERNELS_PTX_EXECUTE_TEXTURE_H

#include "kernels/ptx/forms/modifiers.h"

/* Sides of a texture are at most (CUDA C++ Programming Guide, "Technical
 * Specifications per Compute Capability": 1D from linear memory). */
#define PTX_TEXTURE_SIDE_MAX (UINT32_C(1) << 28)

enum ptx_outside { /* coordinates that are */
                   OUTSIDE_CLAMP,
                   OUTSIDE_WRAP,
                   OUTSIDE_MIRROR,
                   OUTSIDE_BORDER
};

struct ptx_texture {
    uint8_t dimensions; /* 1 to 3; 0: it is no texture */
    uint8_t channels;   /* of a texel: 1, 2 or 4 */
    uint8_t outside;    /* enum ptx_outside */
    bool linear;        /* texels are mixed, else the nearest is taken */
    bool normalized;    /* coordinates are from 0 to 1 */
    uint32_t side[3];   /* texels in a row, rows in a layer, layers; or 1 */
};

/* "640", "640x480" or "640x480x3". */
bool ptx_texture_read_sides(struct ptx_texture *t, const char *text);
/* "f32" or "u8x4"; texels have 1, 2, 4, 8 or 16 bytes. */
bool ptx_texture_read_texel(struct ptx_texture *t, uint8_t *type,
                            const char *text);
/* "linear", "normalized", "wrap" ..: how it is sampled. */
bool ptx_texture_read_mode(struct ptx_texture *t, const char *word);
/* The words of how it is sampled, each behind a colon. */
void ptx_texture_write_mode(const struct ptx_texture *t, char out[64]);

/* Where a coordinate of a dimension lies, in texels: 0 is where the first
 * begins, n where the last ends. */
double ptx_texture_position(const struct ptx_texture *t, double coordinate,
                            uint32_t n);
/* The texel `at`, which may be outside 0 .. n - 1, by the texture's mode; -1:
 * none. */
int64_t ptx_texture_index(const struct ptx_texture *t, double at, uint32_t n);

/* The face of a cube that a direction goes through, 0 to 5 (+x, -x, +y, -y, +z,
 * -z), and where, each from 0 to 1 (CUDA C++ Programming Guide, "Cubemap
 * Textures"). */
unsigned ptx_texture_face(const double direction[3], double at[2]);

/* Where in memory an array has a byte: `at` are its place in its row, its row
 * and its layer, `row` the bytes of a row. Rows of an array of one dimension
 * (`planes` not set: layers of it, too) follow each other. Those of planes lie
 * in tiles of 64 bytes by 8 rows, in which 16 bytes of two rows make a sector
 * of 32 and 32 bytes of four rows a line of 128 (Tegra X1 Technical Reference
 * Manual, section 20.1.2); tiles stand on each other, up to 16 (as Mesa's
 * nouveau has it, nv50_tex_choose_tile_dims_helper; what NVIDIA's driver does
 * is not public). Layers follow each other, those of volumes too. */
uint64_t ptx_texture_offset(const struct ptx_texture *t, uint64_t row,
                            bool planes, const uint64_t at[3]);
/* Bytes that an array takes in memory, in tiles that its sides need not fill.
 */
uint64_t ptx_texture_span(const struct ptx_texture *t, uint64_t row);

#endif
