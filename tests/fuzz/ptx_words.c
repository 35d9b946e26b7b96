/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What libFuzzer mutates PTX by: words of texts, or bytes by itself. */
#include "tests/ptx_mutate.h"

#include <stdint.h>

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
                               unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room,
                               unsigned seed)
{
    uint64_t state = seed;
    if (size == 0 || size >= room || draw_below(&state, 2) == 0)
        return LLVMFuzzerMutate(data, size, room);
    data[size] = '\0';
    for (size_t changes = 1 + draw_below(&state, 3); changes > 0 && size > 0;
         changes--)
        size = change_word(&state, (char *)data, size, room);
    return size;
}
