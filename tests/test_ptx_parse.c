/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the PTX parser refuses and where it says so, and what it takes. */
#include "tests/ptx_run.h"

#include <stdio.h>
#include <stdlib.h>

struct refused {
    const char *text, *expected; /* of the error, the path left out */
};

#define BODY(code) PTX_HEAD ".entry k()\n{\n.reg .b32 %r<4>;\n" code "\n}\n"

static const struct refused refusals[] = {
    {"", ":1:1: found the end of the file, expected .version"},
    {"\x7f"
     "ELF\x02",
     ":1:1: found binary data, expected PTX text"},
    {".version x", ":1:10: found 'x', expected a version like 8.5"},
    {".version 8.0\n.target sm_80\n.address_size 32\n",
     ":3:1: found '.address_size', expected 64 behind it"},
    {PTX_HEAD "/* no end", ":4:1: found a comment without an end"},
    {PTX_HEAD ".global .u32 a[2] = {1, 2, 3};",
     ":4:28: found '3', expected no more values than"},
    {PTX_HEAD ".global .u32 a; .global .u32 a[99999999999];", ":4:32: found "},
    {PTX_HEAD ".global .align 3 .u32 a;", ":4:9: found '.align', expected a "
                                          "power of two"},
    {PTX_HEAD ".global .u32 a[];",
     ":4:14: found 'a', expected an array whose size is given"},
    {PTX_HEAD ".entry k(.param .u32 a[]) { ret; }",
     ":4:22: found 'a', expected an array whose size is given"},
    {BODY(".shared .u32 a[];"),
     ":7:14: found 'a', expected an array whose size is given"},
    {PTX_HEAD ".func f(.param .u32 .v2 a) { ret; }",
     ":4:21: found '.v2', expected a type"},
    {PTX_HEAD ".entry k() {", ":4:13: found the end of the file, expected an "
                              "instruction"},
    {PTX_HEAD ".entry k() { ret; }\n.entry k() { ret; }",
     ":5:8: found 'k', expected a name not declared before"},
    {BODY("frob.s32 %r1, %r2;"),
     ":7:1: found 'frob', expected an instruction that is known"},
    {BODY("frob.s32 %r1, %r2;\nadd.s32 %r1, %r1, 1;\nzap %r1;"),
     ":7:1: found 'frob', expected an instruction that is known (and 1 more"},
    {BODY("add.s33 %r1, %r2, 1;"),
     ":7:4: found '.s33', expected a modifier or a type"},
    {BODY("add.pred %r1, %r2, 1;"), ":7:1: found 'add', expected a form"},
    {BODY("add.wide.s32 %r1, %r2, 1;"),
     ":7:1: found 'add', expected no .wide with it"},
    {BODY("add.rn.rz.f32 %r1, %r2, %r1;"),
     ":7:7: found '.rz', expected no second modifier"},
    {BODY("add.s32 %r1, %r4, 1;"),
     ":7:14: found '%r4', expected a declared register"},
    {BODY("add.s32 %r1, %r04, 1;"), ":7:14: found '%r04', expected a"},
    {BODY("add.s64 %r1, %r2, 1;"),
     ":7:1: found 'add', expected operand 1 of it to be a register of 64 bits"},
    {BODY("add.s32 5, %r2, 1;"),
     ":7:1: found 'add', expected operand 1 of it to be a register"},
    {BODY("add.s32 %r1, %r2;"), ":7:1: found 'add', expected more operands"},
    {BODY("add.s32 %r1, %r2, 1, 2;"),
     ":7:1: found 'add', expected fewer operands"},
    {BODY("add.s32 %r1 %r2, 1;"), ":7:13: found '%r2', expected ','"},
    {BODY("@%r1 bra here;\nhere: ret;"),
     ":7:2: found '%r1', expected a predicate register"},
    {BODY("bra nowhere;"), ":7:5: found 'nowhere', expected a label"},
    {BODY("here:\nhere: ret;"),
     ":8:1: found 'here', expected a name not declared before"},
    {BODY("bra list;\nlist: .branchtargets here;\nhere: ret;"),
     ":7:5: found 'list', expected a label"},
    {BODY("brx.idx %r1, here;\nhere: ret;"),
     ":7:14: found 'here', expected a list of branch targets"},
    {BODY("ld.global.u32 %r1, %r2;"),
     ":7:1: found 'ld', expected operand 2 of it to be an address"},
    {BODY("ld.global.v2.u32 %r1, [%r2];"),
     ":7:1: found 'ld', expected operand 1 of it to be 2 registers in braces"},
    {BODY("mov.u32 %r1, %nope;"), ":7:14: found '%nope', expected a declared"},
    {BODY("mov.u32 %r1, 0f12;"), ":7:14: found '0f12', expected a number"},
    {BODY("mov.u32 %r1, 99999999999999999999;"),
     ":7:14: found '99999999999999999999', expected a number"},
    {BODY(".reg .b32 %q<0>;"), ":7:11: found '%q', expected at least one"},
    {BODY(".reg .b32 %q<99999999>;"), ":7:14: found '99999999', expected a "
                                      "whole number up to 1048576"},
    {BODY(".reg .b64 %d<8>; ld.global.v8.u64 {%d0, %d1, %d2, %d3, %d4, %d5, "
          "%d6, %d7}, [%d0];"),
     ":7:18: found 'ld', expected operand 1 of it to be at most 256 bits"},
    {BODY("ld.global.L2::cache_hint.u32 %r1, [%r2];"),
     ":7:1: found 'ld', expected operand 2 of it to be a register or a number"},
    {BODY("ld.global.L2::cache_hint.u32 %r1, [%r2], %r3;"),
     ":7:1: found 'ld', expected operand 3 of it to be a register of 64 bits"},
    {BODY("mov.u32 %r1, \"text;\nret;"),
     ":7:14: found a string without an end"},
};

START_TEST(test_refused)
{
    const struct refused *r = &refusals[_i];
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    ck_assert_msg(!ptx_parse(&m, r->text, strlen(r->text), "t.ptx", &e),
                  "taken: %s", r->text);
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strncmp(e.text, "t.ptx", 5) == 0 &&
                      strncmp(e.text + 5, r->expected, strlen(r->expected)) ==
                          0,
                  "got: %s\nexpected: %s", e.text, r->expected);
}
END_TEST

/* A text cut off anywhere is refused, or is whole up to there. */
START_TEST(test_cut)
{
    static const char text[] =
        BODY(".shared .align 4 .b8 s[16]; .reg .pred %p<2>; .reg .f32 %f<2>;\n"
             "{ .reg .b32 t; mov.b32 t, 0x10; @!%p1 bra L; }\n"
             "L: ld.shared.v2.u32 {%r1, %r2}, [s+8];\n"
             "fma.rn.ftz.f32 %f1, %f1, 0f3F800000, -1.5e-3;\n"
             "shfl.sync.up.b32 %r1|%p1, %r1, 1, 0, -1; // end\nret;");
    struct ptx_module m;
    for (size_t n = 0; n < sizeof(text); n++) {
        struct error e = {STATUS_OK, ""};
        char part[sizeof(text)] = "";
        memcpy(part, text, n);
        if (ptx_parse(&m, part, n, "t.ptx", &e)) {
            ck_assert(n < sizeof(PTX_HEAD) || n + 2 >= sizeof(text));
            ptx_module_free(&m);
        }
    }
}
END_TEST

/* What compilers write around the code. */
START_TEST(test_taken)
{
    static const char text[] =
        "//\n.version 8.5\n.target sm_90a, debug\n.address_size 64\n"
        ".file 1 \"a b.cu\", 12, 34\n"
        ".extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b)\n"
        ";\n.weak .func weak() { ret; }\n"
        ".extern .shared .align 16 .b8 dyn[];\n.const .u32 list[] = {1, 2};\n"
        ".func many(.param .b32 n, .param .align 8 .b8 rest[]) { ret; }\n"
        ".visible .global .attribute(.managed) .align 4 .u32 m = 7;\n"
        ".global .texref tex;\n"
        ".visible .entry k(\n.param .u64 .ptr .global .align 16 k_0,\n"
        ".param .align 8 .b8 k_1[24]\n)\n"
        ".maxntid 128, 2, 1\n.minnctapersm 2\n"
        "{\n.pragma \"nounroll\";\n.loc 1 5 3, function_name $a, inlined_at 1\n"
        ".reg .b64 %SP; mov.u64 %SP, dyn;\nret;\n}\n"
        ".section .debug_str { $a: .b8 1, 2 }\n";
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    uint32_t entry;
    ck_assert_msg(ptx_parse(&m, text, sizeof(text) - 1, "t.ptx", &e), "%s",
                  e.text);
    ck_assert_uint_eq(m.version, 85);
    ck_assert_uint_eq(m.target, 90);
    ck_assert(ptx_find_entry(&m, NULL, &entry, &e));
    ck_assert_str_eq(m.function[entry].name, "k");
    ck_assert_uint_eq(m.function[entry].max_threads, 256);
    ck_assert_uint_eq(m.function[entry].params, 2);
    ck_assert_uint_eq(m.inst[m.function[entry].first].source_line, 5);
    ck_assert(!ptx_find_entry(&m, "kk", &entry, &e));
    ck_assert_str_eq(e.text, "t.ptx: found no entry 'kk', did you mean 'k'?");
    ptx_module_free(&m);
}
END_TEST

/* ---- older compilers ---------------------------------------------------- */

/* A module as nvcc wrote them for sm_60 and sm_70 up to CUDA 11: warp functions
 * without a mask, references to textures, a call in a scope of its own, debug
 * sections, directives about code. The lanes' numbers are added up by shuffles,
 * a vote counts the even ones. */
START_TEST(test_old)
{
    static const char text[] =
        "//\n// Generated by NVIDIA NVVM Compiler\n//\n"
        "// Compiler Build ID: CL-24817639\n"
        "// Cuda compilation tools, release 10.0, V10.0.130\n"
        "// Based on LLVM 3.4svn\n//\n\n"
        ".version 6.0\n.target sm_60, debug\n.address_size 64\n\n"
        "\t.file\t1 \"/home/u/a.cu\", 1546300800, 1234\n"
        "\t// .globl\tk\n"
        ".extern .func  (.param .b32 func_retval0) vprintf\n(\n"
        "\t.param .b64 vprintf_param_0,\n\t.param .b64 vprintf_param_1\n)\n;\n"
        ".extern .func __assertfail\n(\n\t.param .b64 a,\n\t.param .b64 b,\n"
        "\t.param .b32 c,\n\t.param .b64 d,\n\t.param .b64 e\n)\n;\n"
        ".weak .func  (.param .b32 func_retval0) cudaMalloc(\n"
        "\t.param .b64 cudaMalloc_param_0,\n\t.param .b64 cudaMalloc_param_1\n"
        ")\n{\n\t.reg .b32 %r<2>;\n\n\tmov.u32 %r1, 30;\n"
        "\tst.param.b32 [func_retval0+0], %r1;\n\tret;\n}\n"
        ".global .texref tex;\n"
        ".const .align 4 .b8 table[8] = {1, 0, 0, 0, 2, 0, 0, 0};\n"
        ".global .align 8 .u64 where = generic(table);\n"
        ".global .align 1 .b8 $str[4] = {37, 100, 10, 0};\n"
        ".extern .shared .align 8 .b8 dynamic[];\n\n"
        ".visible .entry k(\n\t.param .u64 k_param_0\n)\n"
        ".maxntid 64, 1, 1\n.minnctapersm 4\n{\n"
        "\t.local .align 8 .b8 \t__local_depot0[8];\n"
        "\t.reg .b64 \t%SP;\n\t.reg .b64 \t%SPL;\n"
        "\t.reg .pred \t%p<5>;\n\t.reg .b32 \t%r<20>;\n"
        "\t.reg .f32 \t%f<5>;\n\t.reg .b64 \t%rd<10>;\n"
        "\t// demoted variable\n\t.shared .align 4 .b8 k$s[128];\n"
        "\t.pragma \"nounroll\";\n"
        "func_begin0:\n\t.loc\t1 3 1\n\n\t.loc 1 3 1\n"
        "\tmov.u64 \t%SPL, __local_depot0;\n\tcvta.local.u64 \t%SP, %SPL;\n"
        "\tld.param.u64 \t%rd1, [k_param_0];\n"
        "\tcvta.to.global.u64 \t%rd2, %rd1;\n"
        "func_exec_begin0:\n\t.loc\t1 4 1\ntmp0:\n"
        "\tmov.u32 \t%r1, %tid.x;\n\tmov.u32 \t%r2, %r1;\n"
        "\tmov.u32 \t%r3, 16;\n\nBB1_1:\n"
        "\tshfl.down.b32 \t%r4|%p1, %r2, %r3, 31;\n"
        "\t@%p1 add.s32 \t%r2, %r4, %r2;\n"
        "\tshr.s32 \t%r3, %r3, 1;\n\tsetp.gt.s32\t%p2, %r3, 0;\n"
        "\t@%p2 bra \tBB1_1;\n\tbra.uni \tBB1_2;\n\nBB1_2:\n"
        "\tand.b32 %r5, %r1, 1;\n\tsetp.eq.s32 \t%p3, %r5, 0;\n"
        "\tvote.ballot.b32 \t%r6, %p3;\n\tpopc.b32 \t%r7, %r6;\n"
        "\tvote.all.pred %p4, %p3;\n\tselp.u32 %r8, 1, 0, %p4;\n"
        "\tsetp.ne.s32 \t%p3, %r1, 0;\n\t@%p3 bra \tBB1_4;\n"
        "\tmul24.lo.s32 %r9, %r7, 3;\n"
        "\tld.const.u32 %r10, [table+4];\n"
        "\tld.global.nc.u64 %rd3, [where];\n"
        "\tadd.u64 %rd4, %SP, 0;\n\tadd.u64 %rd5, %SPL, 0;\n"
        "\tst.local.u32 [%rd5], %r2;\n"
        "\t// Callseq Start 0\n\t{\n\t.reg .b32 temp_param_reg;\n"
        "\t// <end>}\n\t.param .b64 param0;\n"
        "\tst.param.b64\t[param0+0], %rd4;\n\t.param .b64 param1;\n"
        "\tst.param.b64\t[param1+0], %rd4;\n\t.param .b32 retval0;\n"
        "\tcall.uni (retval0), \n\tcudaMalloc, \n\t(\n\tparam0, \n"
        "\tparam1\n\t);\n\tld.param.b32\t%r11, [retval0+0];\n\t\n"
        "\t//{\n\t}// Callseq End 0\n"
        "\tmov.u32 %r12, k$s;\n\tst.volatile.shared.u32 [%r12], %r11;\n"
        "\tmembar.gl;\n\tbar.sync 0;\n"
        "\tld.volatile.shared.u32 %r13, [k$s];\n"
        "\tst.global.u32 \t[%rd2], %r2;\n"
        "\tst.global.v2.u32 \t[%rd2+8], {%r9, %r10};\n"
        "\tst.global.u32 \t[%rd2+4], %r8;\n"
        "\tst.global.u32 \t[%rd2+16], %r13;\n"
        "\tred.global.add.u32 [%rd2+16], 1;\n\nBB1_4:\n"
        "\t.loc\t1 9 1\n\tret;\ntmp1:\nfunc_end0:\n}\n\n"
        ".section .debug_info {\n .b32 12\n\n .b8 2\n .b8 0\n"
        " .b32 .debug_abbrev\n .b64 func_begin0\n .b64 func_end0\n}\n"
        ".section .debug_loc {\n\n .b64 tmp0\n .b64 tmp1\n .b8 5\n}\n"
        ".section .debug_str {\n\ninfo_string0:\n .b8 97,0\n}\n";
    static const char *const arg[] = {"buf:5:u32:zero:out", NULL};
    struct ptx_run r;
    uint32_t out[5];
    ptx_must_run(&r, text, 1, 32, arg);
    ptx_take(&r, "out", out, sizeof(out));
    ck_assert_uint_eq(r.module.version, 60);
    ck_assert_uint_eq(r.module.target, 60);
    ck_assert_uint_eq(out[0], 31 * 32 / 2);
    ck_assert_uint_eq(out[1], 0);
    ck_assert_uint_eq(out[2], 3 * 16);
    ck_assert_uint_eq(out[3], 2);
    ck_assert_uint_eq(out[4], 31);
    ptx_done(&r);
}
END_TEST

/* Lines that one or the other compiler writes, each in a kernel of its own. */
static const char *const old_lines[] = {
    "shfl.bfly.b32 %r1, %r1, 1, 31;",
    "shfl.idx.b32 %r1|%p1, %r1, %r2, 0x1f;",
    "shfl.up.b32 %r1, %r1, 1, 0;",
    "vote.any.pred %p1, %p2;",
    "vote.uni.pred %p1, !%p2;",
    "bar.arrive 1, 64;",
    "bar.red.popc.u32 %r1, 0, %p1;",
    "barrier.sync.aligned 0;",
    "membar.cta; membar.sys; fence.sc.cta;",
    "atom.global.cas.b32 %r1, [%rd1], %r1, %r2;",
    "atom.shared.exch.b32 %r1, [s], %r2;",
    "red.shared.add.u32 [s], %r2;",
    "atom.add.f32 %f1, [%rd1], %f1;",
    "ldu.global.u32 %r1, [%rd1];",
    "ld.volatile.global.v4.f32 {%f1, %f2, %f3, %f0}, [%rd1];",
    "ld.global.cg.u32 %r1, [%rd1]; ld.global.cv.u32 %r1, [%rd1];",
    "st.wb.u32 [%rd1], %r1; st.global.cs.u32 [%rd1], %r1;",
    "prefetch.global.L2 [%rd1]; prefetchu.L1 [%rd1];",
    "set.gt.u32.f32 %r1, %f1, %f2;",
    "setp.lt.and.s32 %p1|%p2, %r1, %r2, %p1;",
    "mul.wide.s32 %rd1, %r1, 4; mad.wide.u32 %rd1, %r1, 4, %rd1;",
    "mad.lo.cc.u32 %r1, %r1, %r1, %r2; madc.hi.u32 %r1, %r1, %r1, %r2;",
    "add.cc.u32 %r1, %r1, %r2; addc.cc.u32 %r1, %r1, %r2; addc.u32 %r1, %r1, "
    "0;",
    "mad.rn.f32 %f1, %f1, %f2, %f3; mad.f32 %f1, %f1, %f2, %f3;",
    "fma.rn.ftz.sat.f32 %f1, %f1, %f2, %f3;",
    "div.full.ftz.f32 %f1, %f1, %f2; div.approx.f32 %f1, %f1, %f2;",
    "sqrt.approx.ftz.f32 %f1, %f1; rsqrt.approx.f32 %f1, %f1;",
    "ex2.approx.ftz.f32 %f1, %f1; lg2.approx.f32 %f1, %f1;",
    "sin.approx.f32 %f1, %f1; cos.approx.ftz.f32 %f1, %f1;",
    "cvt.rzi.ftz.s32.f32 %r1, %f1; cvt.rmi.f32.f32 %f1, %f1;",
    "cvt.sat.f32.f32 %f1, %f1; cvt.u16.u32 %h1, %r1; cvt.s64.s8 %rd1, %h1;",
    "mov.b32 {%h1, %h2}, %r1; mov.b32 %r1, {%h1, %h2};",
    "mov.b32 %r1, %f1; mov.u32 %r1, WARP_SZ; mov.u32 %r1, %clock;",
    "mov.u32 %r1, %lanemask_lt; mov.u64 %rd1, %clock64; mov.u32 %r1, %smid;",
    "mov.u32 %r1, %warpid; mov.u32 %r1, %nctaid.x; mov.u32 %r1, %laneid;",
    "sad.u32 %r1, %r1, %r2, %r1; popc.b64 %r1, %rd1; bfind.u32 %r1, %r2;",
    "prmt.b32 %r1, %r1, %r2, 0x3210; brev.b32 %r1, %r1; clz.b32 %r1, %r1;",
    "slct.s32.f32 %r1, %r1, %r2, %f1; testp.finite.f32 %p1, %f1;",
    "copysign.f32 %f1, %f1, %f2; isspacep.shared %p1, %rd1;",
    "lop3.b32 %r1, %r1, %r2, %r1, 0x96; shf.l.wrap.b32 %r1, %r1, %r2, 5;",
    "dp4a.s32.s32 %r1, %r1, %r2, %r1; dp2a.lo.u32.u32 %r1, %r1, %r2, %r1;",
    "wmma.load.a.sync.row.m16n16k16.f16 {%r0, %r0, %r0, %r0, %r0, %r0, %r0, "
    "%r0}, [%rd1], %r2;",
    "wmma.mma.sync.row.col.m16n16k16.f32.f32 {%f0, %f1, %f2, %f3, %f0, %f0, "
    "%f0, %f0}, {%r0, %r0, %r0, %r0, %r0, %r0, %r0, %r0}, {%r0, %r0, %r0, %r0, "
    "%r0, %r0, %r0, %r0}, {%f0, %f1, %f2, %f3, %f0, %f0, %f0, %f0};",
    "tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, {%r1}];",
    "tex.2d.v4.u32.f32 {%r0, %r1, %r2, %r3}, [t, {%f1, %f2}];",
    "tex.a2d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [t, {%r1, %f1, %f2, %f2}];",
    "suld.b.1d.b32.trap {%r1}, [f, {%r2}]; sust.b.2d.b64.trap [f, {%r1, %r2}], "
    "{%rd1};",
    "trap; exit; brkpt;",
    "createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd1, "
    "0.5;",
    "createpolicy.fractional.L2::evict_first.b64 %rd1;",
    "createpolicy.range.global.L2::evict_last.b64 %rd1, [%rd2], 64, 128;",
    "createpolicy.cvt.L2.b64 %rd1, %rd2;",
    "ld.global.L1::no_allocate.L2::cache_hint.v2.u32 {%r1, %r2}, [%rd1], %rd2;",
    "ld.global.nc.L2::cache_hint.L2::256B.u32 %r1, [%rd1], %rd2;",
    "st.global.L2::cache_hint.u32 [%rd1], %r1, %rd2;",
    "atom.global.add.L2::cache_hint.u32 %r1, [%rd1], %r2, %rd2;",
    "red.global.add.L2::cache_hint.u32 [%rd1], %r2, %rd2;",
    "cp.async.cg.shared.global.L2::cache_hint [%r1], [%rd1], 16, %rd2;",
    "applypriority.global.L2::evict_normal [%rd1], 128;",
    ".pragma \"used_bytes_mask 7\";",
    ".loc 1 5 3, function_name $x, inlined_at 1 4 2",
    ".loc 1 0 0",
    ".loc\t2 7 9; // nothing else",
};

START_TEST(test_old_lines)
{
    char text[1024];
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text),
             ".version 6.0\n.target sm_60\n.address_size 64\n"
             ".global .texref t; .global .surfref f; .shared .u32 s;\n"
             ".entry k() {\n.reg .pred %%p<4>; .reg .b16 %%h<4>;\n"
             ".reg .b32 %%r<4>; .reg .f32 %%f<4>; .reg .b64 %%rd<4>;\n"
             "%s\nret; }\n",
             old_lines[_i]);
    ck_assert_msg(ptx_parse(&m, text, strlen(text), "t.ptx", &e), "%s\n%s",
                  old_lines[_i], e.text);
    ptx_module_free(&m);
}
END_TEST

/* Lines of compute capability 9.0. */
static const char *const new_lines[] = {
    "multimem.ld_reduce.relaxed.sys.global.add.f32 %f1, [%rd1];",
    "multimem.ld_reduce.weak.global.add.acc::f32.v4.f16x2 "
    "{%r1, %r2, %r1, %r2}, [%rd1];",
    "multimem.st.relaxed.gpu.global.v4.f32 [%rd1], {%f1, %f1, %f2, %f2};",
    "multimem.red.relaxed.gpu.global.add.u32 [%rd1], %r1;",
    "griddepcontrol.wait; griddepcontrol.launch_dependents;",
    "setmaxnreg.inc.sync.aligned.u32 232; setmaxnreg.dec.sync.ali"
    "gned.u32 40;",
    "fence.proxy.async; fence.proxy.async.global; fence.proxy.asy"
    "nc.shared::cta;",
    "fence.proxy.alias; fence.proxy.tensormap::generic.release.gp"
    "u;",
    "fence.proxy.tensormap::generic.acquire.sys [%rd1], 128;",
    "fence.mbarrier_init.release.cluster; membar.proxy.alias;",
    "fence.proxy.async::generic.acquire.sync_restrict::shared::cl"
    "uster.cluster;",
    "prefetch.tensormap [%rd1]; prefetch.param.tensormap [%rd1];",
    "cp.async.bulk.prefetch.L2.global [%rd1], 64;",
    "cp.async.bulk.prefetch.L2.global.L2::cache_hint [%rd1], 64, "
    "%rd2;",
    "elect.sync %r1|%p1, -1; nanosleep.u32 100; isspacep.shared::"
    "cta %p1, %rd1;",
    "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1"
    ", [%r1], %r2, 1000;",
    "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b6"
    "4 _, [%r1], %r2;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
    "bytes.L2::cache_hint [%r1], [%rd1], %r2, [%r1], %rd2;",
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
    "bytes.multicast::cluster [%r1], [%rd1], %r2, [%r1], %h1;",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete"
    "_tx::bytes [%r1], [%r2], 64, [%r1];",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 ["
    "%rd1], [%r1], 64;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz"
    ".bf16 [%rd1], [%r1], 64;",
    "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::c"
    "omplete_tx::bytes.add.s32 [%r1], [%r1], 64, [%r2];",
    "cp.async.bulk.wait_group.read 2;",
    "cvt.rn.relu.f16x2.e5m2x2 %r1, %h1; cvt.rn.satfinite.relu.e4m"
    "3x2.f16x2 %h1, %r1;",
};

START_TEST(test_new_lines)
{
    char text[1024];
    struct ptx_module m;
    struct error e = {STATUS_OK, ""};
    snprintf(text, sizeof(text),
             ".version 8.6\n.target sm_90a\n.address_size 64\n"
             ".entry k() {\n.reg .pred %%p<4>; .reg .b16 %%h<4>;\n"
             ".reg .b32 %%r<4>; .reg .f32 %%f<4>; .reg .b64 %%rd<4>;\n"
             "%s\nret; }\n",
             new_lines[_i]);
    ck_assert_msg(ptx_parse(&m, text, strlen(text), "t.ptx", &e), "%s\n%s",
                  new_lines[_i], e.text);
    ck_assert_msg(m.function[0].missing == NULL, "%s: %s", new_lines[_i],
                  m.function[0].missing);
    ptx_module_free(&m);
}
END_TEST

/* ---- arguments ---------------------------------------------------------- */

#define TWO                                                                    \
    PTX_HEAD ".entry k(.param .u32 n, .param .u64 b, .param .f32 f) .maxntid " \
             "64 { ret; }"

struct launch_error {
    const char *arg[4];
    uint32_t block;
    const char *expected;
};

static const struct launch_error launch_errors[] = {
    {{"1"}, 1, "found 1 arguments for 'k', expected --arg for each of its 3"},
    {{"x", "2", "3"}, 1, "--arg x: expected a number of type u32"},
    {{"-1", "2", "3"}, 65, "--block: found 65 threads, expected at most 64"},
    {{"4294967296", "2", "3"}, 1, "expected a number of type u32"},
    {{"u64:1", "2", "3"}, 1, "found 8 bytes for parameter n, expected its 4"},
    {{"buf:4:u32", "2", "3"}, 1, "found a buffer for parameter n of 4 bytes"},
    {{"1", "buf:4", "3"},
     1,
     "expected buf:COUNT:TYPE[:pad=BYTES][:at=ADDRESS][:FILL][:NAME]"},
    {{"1", "buf:4:u31", "3"}, 1, "expected a type like f32 behind the count"},
    {{"1", "buf:4:u32:random:5", "3"}, 1, "random[:LO:HI]"},
    {{"1", "buf:4:u32:nope:name", "3"}, 1, "as its fill"},
    {{"1", "buf:4:u32:file:/nonexistent/file", "3"}, 1, "/nonexistent/file: "},
    {{"1", "2", "0x1p"}, 1, "expected a number of type f32"},
    {{"bytes:00112233", "bytes:0011223344556677", "bytes:001122"},
     1,
     "found 3 bytes for parameter f, expected its 4"},
    {{"bytes:", "2", "3"}, 1, "--arg bytes:: expected pairs of hexadecimal"},
    {{"bytes:001", "2", "3"}, 1, "expected pairs of hexadecimal digits"},
    {{"bytes:0011223g", "2", "3"}, 1, "expected pairs of hexadecimal digits"},
    {{"bytes:file:/nonexistent/file", "2", "3"}, 1, "/nonexistent/file: "},
    {{"bytes:file:/dev/zero", "2", "3"}, 1, "found more than 32764 bytes"},
};

START_TEST(test_launch_errors)
{
    struct ptx_run r;
    struct error e = {STATUS_OK, ""};
    ck_assert(!ptx_try(&r, TWO, 1, launch_errors[_i].block,
                       launch_errors[_i].arg, &e));
    ck_assert_int_eq(e.status, STATUS_BAD_INPUT);
    ck_assert_msg(strstr(e.text, launch_errors[_i].expected) != NULL, "%s",
                  e.text);
}
END_TEST

/* Fill rules, and the bytes of a file, by what the buffers hold at first. */
START_TEST(test_fills)
{
    char path[] = "/tmp/test_ptx_XXXXXX", file[64];
    const char *arg[] = {"3", file, "f32:2", NULL};
    uint32_t words[3];
    struct ptx_run r;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "wb");
    fwrite("abcdefghijkl", 1, 12, f);
    fclose(f);
    snprintf(file, sizeof(file), "buf:3:u32:file:%s:b", path);
    ptx_must_run(&r, TWO, 1, 1, arg);
    ptx_take(&r, "b", words, sizeof(words));
    ck_assert_mem_eq(words, "abcdefghijkl", 12);
    ptx_done(&r);
    remove(path);
    arg[1] = "buf:100000:u32:iota:5:3:b";
    ptx_must_run(&r, TWO, 1, 1, arg);
    ck_assert(ptx_memory_read(&r.session.memory, 0, 4 * 99999, words, 4));
    ck_assert_uint_eq(words[0], 5 + 3 * 99999);
    ptx_done(&r);
    arg[1] = "buf:50000:s32:random:-2:2:b";
    ptx_must_run(&r, TWO, 1, 1, arg);
    unsigned seen[5] = {0};
    for (uint64_t i = 0; i < 50000; i++) {
        int32_t v;
        ck_assert(ptx_memory_read(&r.session.memory, 0, 4 * i, &v, 4));
        ck_assert(v >= -2 && v <= 2);
        seen[v + 2]++;
    }
    for (int k = 0; k < 5; k++) /* 10000 each, a standard deviation of 90 */
        ck_assert(seen[k] > 9500 && seen[k] < 10500);
    ptx_done(&r);
}
END_TEST

/* A structure {u32, u8, u64} by value: its fields where C lays them. */
START_TEST(test_structure)
{
    static const char text[] =
        PTX_HEAD ".entry k(.param .align 8 .b8 s[16], .param .u64 b)\n{\n"
                 ".reg .b32 %r<3>; .reg .b64 %d<3>;\n"
                 "ld.param.u32 %r0, [s]; ld.param.u8 %r1, [s+4];\n"
                 "ld.param.u64 %d0, [s+8]; ld.param.u64 %d1, [b];\n"
                 "st.global.u32 [%d1], %r0; st.global.u32 [%d1+4], %r1;\n"
                 "st.global.u64 [%d1+8], %d0; ret;\n}\n";
    static const uint8_t bytes[] = {0x0D, 0x0C, 0x0B, 0x0A, 0xEE, 9, 9, 9,
                                    8,    7,    6,    5,    4,    3, 2, 1};
    char path[] = "/tmp/test_ptx_XXXXXX", file[64];
    const char *arg[] = {"bytes:0d0C0b0AeE0909090807060504030201",
                         "buf:4:u32:b", NULL};
    struct ptx_run r;
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    FILE *f = fdopen(fd, "wb");
    fwrite(bytes, 1, sizeof(bytes), f);
    fclose(f);
    snprintf(file, sizeof(file), "bytes:file:%s", path);
    for (int i = 0; i < 2; i++) {
        uint32_t word[2];
        uint64_t last;
        ptx_must_run(&r, text, 1, 1, arg);
        ptx_take(&r, "b", word, sizeof(word));
        ck_assert_uint_eq(word[0], 0x0A0B0C0D);
        ck_assert_uint_eq(word[1], 0xEE);
        ck_assert(ptx_memory_read(&r.session.memory, 0, 8, &last, 8));
        ck_assert_uint_eq(last, 0x0102030405060708);
        ptx_done(&r);
        arg[0] = file;
    }
    remove(path);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("ptx_parse");
    TCase *c = tcase_create("all");
    tcase_add_loop_test(c, test_refused, 0,
                        sizeof(refusals) / sizeof(refusals[0]));
    tcase_add_test(c, test_cut);
    tcase_add_test(c, test_taken);
    tcase_add_test(c, test_old);
    tcase_add_loop_test(c, test_old_lines, 0,
                        sizeof(old_lines) / sizeof(old_lines[0]));
    tcase_add_loop_test(c, test_new_lines, 0,
                        sizeof(new_lines) / sizeof(new_lines[0]));
    tcase_add_loop_test(c, test_launch_errors, 0,
                        sizeof(launch_errors) / sizeof(launch_errors[0]));
    tcase_add_test(c, test_fills);
    tcase_add_test(c, test_structure);
    suite_add_tcase(s, c);
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed == 0 ? 0 : 1;
}
