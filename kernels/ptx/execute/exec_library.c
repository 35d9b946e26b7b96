/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Calls of functions without a body, which CUDA has on the device (CUDA C
 * Programming Guide, "Formatted Output" and "Assertion"). */
#include "kernels/ptx/execute/access.h"
#include "kernels/ptx/execute/actions.h"
#include "kernels/ptx/execute/frame.h"
#include "kernels/ptx/execute/print.h"

#include <string.h>

#define TEXT_MAX 160 /* characters shown, with the NUL */

/* Parameter i of the function in the top frame, a variable of 4 or 8 bytes. */
static uint64_t parameter(const struct ptx_block *b, const struct ptx_warp *w,
                          int lane, size_t i)
{
    const struct ptx_program *p = b->launch->program;
    const struct ptx_frame *frame = &w->frame[w->frames - 1];
    const struct ptx_function *f = &p->module->function[frame->function];
    uint64_t value = 0;
    if (i >= f->params || f->param[i].kind != OPERAND_VARIABLE)
        return 0;
    uint32_t index = f->param[i].index;
    uint64_t bytes = p->module->variable[index].bytes;
    memcpy(&value,
           w->local + (uint64_t)lane * w->local_bytes + frame->local +
               p->address[index],
           bytes < sizeof(value) ? bytes : sizeof(value));
    return value;
}

/* The characters in global memory up to a NUL; what is there of them. */
static void text_at(struct ptx_block *b, uint64_t address, char out[TEXT_MAX])
{
    size_t n = 0;
    for (; n + 1 < TEXT_MAX; n++) {
        struct ptx_stretch s;
        if (!ptx_view_find(&b->view, address + n, false, &s) ||
            s.bytes[address + n - s.start] == '\0')
            break;
        out[n] = (char)s.bytes[address + n - s.start];
        if (out[n] < ' ')
            out[n] = ' ';
    }
    out[n] = '\0';
}

/* __assertfail(message, file, line, function, bytes of a character) */
static bool fail_assertion(struct ptx_block *b, struct ptx_warp *w,
                           const struct ptx_op *op, uint32_t function,
                           uint32_t mask)
{
    char message[TEXT_MAX], file[TEXT_MAX], name[TEXT_MAX];
    int lane = __builtin_ctz(mask);
    if (!ptx_push_frame(b, w, function, op, mask))
        return false;
    ptx_pass_arguments(b, w);
    text_at(b, parameter(b, w, lane, 0), message);
    text_at(b, parameter(b, w, lane, 1), file);
    text_at(b, parameter(b, w, lane, 3), name);
    return ptx_fault(b, w, op,
                     "lane %d: found that the assertion '%s' of %s does not "
                     "hold, %s:%u",
                     lane, message, name, file,
                     (unsigned)parameter(b, w, lane, 2));
}

/* vprintf(format, values): changes nothing a kernel can see. */
static bool print(struct ptx_block *b, struct ptx_warp *w,
                  const struct ptx_op *op, uint32_t function, uint32_t mask)
{
    if (b->launch->print == NULL)
        return true;
    if (!ptx_push_frame(b, w, function, op, mask))
        return false;
    ptx_pass_arguments(b, w);
    for (int lane = 0; lane < WARP_LANES && !b->failed; lane++)
        if (ptx_lane_is_in(mask, lane))
            ptx_print(b, w, op, lane, parameter(b, w, lane, 0),
                      parameter(b, w, lane, 1));
    w->paths = w->frame[--w->frames].paths;
    return !b->failed;
}

bool ptx_execute_library(struct ptx_block *b, struct ptx_warp *w,
                         const struct ptx_op *op, uint32_t function,
                         uint32_t mask)
{
    const char *name = b->launch->program->module->function[function].name;
    if (strcmp(name, "vprintf") == 0)
        return print(b, w, op, function, mask);
    if (strcmp(name, "__assertfail") == 0)
        return fail_assertion(b, w, op, function, mask);
    return ptx_fault(b, w, op,
                     "found a call of '%s', which has no body in the file and "
                     "is not known",
                     name);
}
