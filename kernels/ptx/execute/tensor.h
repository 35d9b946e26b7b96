/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Tensor maps (PTX ISA 9.0, section 5.5): 128 bytes that PTX leaves open, as a
 * CUtensorMap, which hosts make by cuTensorMapEncodeTiled. Here they are this
 * struct. */
#ifndef KERNELS_PTX_EXECUTE_TENSOR_H
#define KERNELS_PTX_EXECUTE_TENSOR_H

#include "kernels/form/kernel.h"

#define PTX_TENSOR_BYTES 128
#define PTX_TENSOR_SIDES 5
#define PTX_TENSOR_MARK  UINT32_C(0x70616D74) /* "tmap" */

struct ptx_tensor {
    uint64_t address; /* of the first element */
    uint32_t mark;
    uint8_t type;    /* of elements */
    uint8_t sides;   /* 1 to 5 */
    uint8_t units;   /* of 16 bytes in a swizzled row of 32, 64 or 128 bytes;
                      * 1: not swizzled */
    uint8_t element; /* bytes of one */
    uint32_t side[PTX_TENSOR_SIDES]; /* elements, the first lie together */
    uint32_t box[PTX_TENSOR_SIDES];  /* likewise, of what is copied at once */
    uint64_t stride[PTX_TENSOR_SIDES - 1]; /* bytes, of sides 1 .. */
};

_Static_assert(sizeof(struct ptx_tensor) <= PTX_TENSOR_BYTES,
               "a tensor map has 128 bytes");

/* "BUFFER[+OFFSET]:TYPE:SIDES:BOX[:SWIZZLE][:stride=BYTES[xBYTES..]]" without
 * the address, whose text is *length characters from *buffer on. NULL, or what
 * was expected. */
const char *ptx_tensor_read(struct ptx_tensor *out, const char *text,
                            const char **buffer, size_t *length);

/* Whether the bytes are a tensor map that ptx_tensor_read() could have made,
 * but for its address. */
bool ptx_tensor_is_map(const struct ptx_tensor *t);

/* What of the box at these coordinates is inside the tensor: *box, the address
 * of its first byte in *base, and where it begins in the box in skip. Empty:
 * box->bytes is 0. */
void ptx_tensor_clip(const struct ptx_tensor *t, const int32_t *at,
                     struct box *box, uint64_t *base, uint32_t *skip);

/* Bytes of the box. */
uint64_t ptx_tensor_box_bytes(const struct ptx_tensor *t);

/* Where an address of shared memory is by the swizzle. */
static inline uint64_t ptx_tensor_swizzle(const struct ptx_tensor *t,
                                          uint64_t address)
{
    return address ^ ((address >> 7 & (t->units - 1u)) << 4);
}

#endif
