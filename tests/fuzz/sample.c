/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a kept sample holds before its sum, which is made to fit here. */
#include "base/hash.h"
#include "calib/sample_bytes.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

#define SUM_BYTES 8

void fuzz_sample(const uint8_t *data, size_t size)
{
    unsigned char bytes[SAMPLE_BYTES_MAX];
    struct sample s = {0};
    if (size > sizeof(bytes) - SUM_BYTES)
        size = sizeof(bytes) - SUM_BYTES;
    if (size > 0)
        memcpy(bytes, data, size);
    uint64_t sum = hash_bytes(HASH_START, bytes, size);
    for (int i = 0; i < SUM_BYTES; i++)
        bytes[size + (size_t)i] = (unsigned char)(sum >> (8 * i));
    if (sample_unpack(&s, bytes, size + SUM_BYTES))
        sample_pack(bytes, &s);
}
