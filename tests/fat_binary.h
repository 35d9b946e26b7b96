/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Fat binaries, written as nvcc writes them. */
#ifndef TESTS_FAT_BINARY_H
#define TESTS_FAT_BINARY_H

#include <lz4.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <zstd.h>

enum packing { PLAIN, LZ4, ZSTD };

#define ENTRY_BYTES 64

static inline size_t put_entry(uint8_t *at, int kind, unsigned arch,
                               const char *text, enum packing packing)
{
    size_t bytes = strlen(text) + 1, packed = bytes;
    uint8_t *body = at + ENTRY_BYTES;
    memset(at, 0, ENTRY_BYTES);
    if (packing == LZ4)
        packed = (size_t)LZ4_compress_default(
            text, (char *)body, (int)bytes, (int)LZ4_compressBound((int)bytes));
    else if (packing == ZSTD)
        packed = ZSTD_compress(body, ZSTD_compressBound(bytes), text, bytes, 3);
    else
        memcpy(body, text, bytes);
    size_t padded = (packed + 7) / 8 * 8;
    memset(body + packed, 0, padded - packed);
    const uint16_t kind_and_version[] = {(uint16_t)kind, 0x101};
    const uint32_t header = ENTRY_BYTES, size = (uint32_t)packed;
    const uint64_t flags = packing == LZ4    ? 0x2011
                           : packing == ZSTD ? 0x8011
                                             : 0x11,
                   room = padded, before = bytes;
    memcpy(at, kind_and_version, 4);
    memcpy(at + 4, &header, 4);
    memcpy(at + 8, &room, 8);
    memcpy(at + 16, packing == PLAIN ? &(uint32_t){0} : &size, 4);
    memcpy(at + 28, &arch, 4);
    memcpy(at + 40, &flags, 8);
    memcpy(at + 56, packing == PLAIN ? &(uint64_t){0} : &before, 8);
    return ENTRY_BYTES + padded;
}

static inline void close_binary(uint8_t *image, size_t bytes)
{
    const uint32_t magic = 0xba55ed50;
    const uint16_t version_and_header[] = {1, 16};
    const uint64_t size = bytes - 16;
    memcpy(image, &magic, 4);
    memcpy(image + 4, version_and_header, 4);
    memcpy(image + 8, &size, 8);
}

#endif
