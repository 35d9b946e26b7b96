/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cuda/heap.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The heap begins with its book: at 0 the bytes that were ever handed out, at
 * 8 * c the free blocks of 2^c bytes, as a count of changes and the offset of
 * the first, each 32 bits; 0: none. A block begins with 16 bytes of its own:
 * the offset of the next free one, and c. */
#define BOOK_BYTES 1024
#define EXTERN     ".extern"

static const char code[] =
    "\n.global .align 16 .b8 __estimate_heap[%" PRIu64 "];\n"
    ".func (.param .b64 out) malloc(.param .b64 bytes)\n"
    "{\n"
    "    .reg .pred %%p<3>;\n"
    "    .reg .b32 %%c<3>;\n"
    "    .reg .b64 %%n<3>, %%heap, %%list, %%old, %%new, %%at, %%end;\n"
    "    mov.u64 %%at, 0;\n"
    "    ld.param.u64 %%n1, [bytes];\n"
    "    setp.eq.u64 %%p1, %%n1, 0;\n"
    "    setp.gt.or.u64 %%p1, %%n1, %" PRIu64 ", %%p1;\n"
    "    @%%p1 bra done;\n"
    "    add.u64 %%n1, %%n1, 15;\n"
    "    clz.b64 %%c1, %%n1;\n"
    "    sub.u32 %%c1, 64, %%c1;\n"
    "    mov.u64 %%n2, 1;\n"
    "    shl.b64 %%n2, %%n2, %%c1;\n"
    "    mov.u64 %%heap, __estimate_heap;\n"
    "    cvta.global.u64 %%heap, %%heap;\n"
    "    mul.wide.u32 %%list, %%c1, 8;\n"
    "    add.u64 %%list, %%heap, %%list;\n"
    "take:\n"
    "    ld.volatile.u64 %%old, [%%list];\n"
    "    and.b64 %%at, %%old, 0xffffffff;\n"
    "    setp.eq.u64 %%p1, %%at, 0;\n"
    "    @%%p1 bra fresh;\n"
    "    add.u64 %%at, %%heap, %%at;\n"
    "    ld.volatile.u64 %%new, [%%at];\n"
    "    shr.u64 %%end, %%old, 32;\n"
    "    add.u64 %%end, %%end, 1;\n"
    "    shl.b64 %%end, %%end, 32;\n"
    "    or.b64 %%new, %%new, %%end;\n"
    "    atom.cas.b64 %%new, [%%list], %%old, %%new;\n"
    "    setp.ne.u64 %%p1, %%new, %%old;\n"
    "    @%%p1 bra take;\n"
    "    bra taken;\n"
    "fresh:\n"
    "    atom.add.u64 %%old, [%%heap], %%n2;\n"
    "    add.u64 %%at, %%old, %" PRIu64 ";\n"
    "    add.u64 %%end, %%at, %%n2;\n"
    "    setp.gt.u64 %%p2, %%end, %" PRIu64 ";\n"
    "    add.u64 %%at, %%heap, %%at;\n"
    "    @!%%p2 bra taken;\n"
    "    neg.s64 %%n2, %%n2;\n"
    "    atom.add.u64 %%old, [%%heap], %%n2;\n"
    "    mov.u64 %%at, 0;\n"
    "    bra done;\n"
    "taken:\n"
    "    st.u32 [%%at+8], %%c1;\n"
    "    add.u64 %%at, %%at, 16;\n"
    "done:\n"
    "    st.param.b64 [out], %%at;\n"
    "    ret;\n"
    "}\n"
    ".func free(.param .b64 block)\n"
    "{\n"
    "    .reg .pred %%p<2>;\n"
    "    .reg .b32 %%c<2>;\n"
    "    .reg .b64 %%heap, %%list, %%old, %%new, %%next, %%at, %%offset;\n"
    "    ld.param.u64 %%at, [block];\n"
    "    mov.u64 %%heap, __estimate_heap;\n"
    "    cvta.global.u64 %%heap, %%heap;\n"
    "    sub.u64 %%at, %%at, 16;\n"
    "    sub.u64 %%offset, %%at, %%heap;\n"
    "    setp.ge.u64 %%p1, %%offset, %" PRIu64 ";\n"
    "    @%%p1 bra done;\n"
    "    ld.u32 %%c1, [%%at+8];\n"
    "    mul.wide.u32 %%list, %%c1, 8;\n"
    "    add.u64 %%list, %%heap, %%list;\n"
    "give:\n"
    "    ld.volatile.u64 %%old, [%%list];\n"
    "    and.b64 %%next, %%old, 0xffffffff;\n"
    "    st.volatile.u64 [%%at], %%next;\n"
    "    shr.u64 %%new, %%old, 32;\n"
    "    add.u64 %%new, %%new, 1;\n"
    "    shl.b64 %%new, %%new, 32;\n"
    "    or.b64 %%new, %%new, %%offset;\n"
    "    atom.cas.b64 %%new, [%%list], %%old, %%new;\n"
    "    setp.ne.u64 %%p1, %%new, %%old;\n"
    "    @%%p1 bra give;\n"
    "done:\n"
    "    ret;\n"
    "}\n";

/* Whether `name` stands in the declaration from `at` on, as a word. */
static bool declares(const char *at, const char *name)
{
    const char *end = strchr(at, ';');
    size_t n = strlen(name);
    for (const char *s = at; (s = strstr(s, name)) != NULL && s < end; s += n)
        if ((s[-1] == ' ' || s[-1] == '\t' || s[-1] == ')') &&
            strchr(" \t\r\n(;", s[n]) != NULL)
            return true;
    return false;
}

/* The next declaration from `s` on of what is here; NULL: there is none. */
static const char *declaration(const char *s)
{
    while ((s = strstr(s, EXTERN " .func")) != NULL &&
           !declares(s + 1, "malloc") && !declares(s + 1, "free"))
        s++;
    return s;
}

bool heap_is_used(const char *text)
{
    return declaration(text) != NULL;
}

/* What is in the module is not declared as outside of it. */
static void make_internal(char *text)
{
    const char *found = text;
    while ((found = declaration(found)) != NULL)
        memset(text + (found - text), ' ', sizeof(EXTERN) - 1);
}

/* Blocks are powers of two: up to twice what they hold. */
char *heap_add(const char *text, size_t *size, uint64_t bytes)
{
    uint64_t all = BOOK_BYTES + 2 * bytes;
    size_t room = *size + sizeof(code) + 200;
    char *out = malloc(room);
    if (out == NULL)
        return NULL;
    memcpy(out, text, *size);
    size_t at = strnlen(text, *size);
    out[at] = '\0';
    make_internal(out);
    int n = snprintf(out + at, room - at, code, all, bytes,
                     (uint64_t)BOOK_BYTES, all, all);
    *size = at + (size_t)n;
    return out;
}
