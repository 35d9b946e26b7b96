/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SASS opcodes by what they ask of the machine. Names: CUDA Binary Utilities,
 * "Instruction Set Reference", Kepler to Hopper. Units: the opcode tables of
 * Accel-Sim (gpu-simulator/ISA_Def), with these departures, by the throughput
 * of native instructions in the CUDA C Programming Guide, "Arithmetic
 * Instructions", where the rate is that of the special functions: conversions,
 * population count, leading zeros, bit reversal, and the shuffle, which goes
 * through a crossbar. */
#include "kernels/trace/sass.h"

#define PAIRS (SASS_WIDE_DST | SASS_WIDE_SRC)

// clang-format off
const struct sass_entry sass_table[] = {
    /* single and half precision */
    {"FADD FADD32I FCHK FCMP FFMA FFMA32I FMNMX FMUL FMUL32I FSEL FSET FSETP "
     "FSWZ FSWZADD RRO HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I "
     "HSET2 HSETP2 VHMNMX",
     .op = OP_SP},

    /* double precision: operands are register pairs */
    {"DADD DFMA DMUL DMNMX", .op = OP_DP, .flags = PAIRS},
    {"DSET DSETP", .op = OP_DP, .flags = SASS_WIDE_SRC},

    /* matrices; only the first register of a fragment is known */
    {"HMMA IMMA BMMA DMMA HGMMA IGMMA BGMMA QGMMA", .op = OP_TENSOR},

    /* special functions and what runs at their rate */
    {"MUFU F2F F2I I2F FRND POPC FLO BREV REDUX", .op = OP_SFU},
    {"SHFL", .op = OP_SFU, .flags = SASS_DST_IN_SRC},
    {"I2I", .op = OP_SFU, .from = 50, .to = 62},
    {"I2I", .op = OP_INT},

    /* integer multiplication; forms of IMAD that only move, shift or add */
    {"IMAD", .suffix = "MOV", .op = OP_IMAD},
    {"IMAD", .suffix = "SHL", .op = OP_IMAD},
    {"IMAD", .suffix = "IADD", .op = OP_IMAD},
    {"IMAD", .suffix = "WIDE", .op = OP_IMUL, .flags = SASS_WIDE_DST},
    {"IMAD IMADSP IMUL IMUL32I IDP IDP4A UIMAD", .op = OP_IMUL},

    /* integer, logic, moves, predicates. XMAD is the full-rate 16-bit multiply
     * of Maxwell and Pascal */
    {"BFE BFI BMSK IABS IADD IADD3 IADD32I ICMP IMNMX ISAD ISCADD ISCADD32I "
     "ISET ISETP ISUB LEA LOP LOP3 LOP32I SGXT SHF SHL SHR VABSDIFF VABSDIFF4 "
     "VADD VIADD VIADDMNMX VIMNMX VIMNMX3 VMAD VMNMX VSET VSETP VSHL VSHR XMAD "
     "I2IP I2FP F2FP F2IP MOV MOV32I MOVM PRMT SEL CSET CSETP PSET PSETP PLOP3 "
     "P2R R2P MATCH VOTE VOTE_VTG ELECT S2R CSMTEST B2R R2B LEPC NOP PMTRIG "
     "QSPC SETCTAID GETLMEMBASE SETLMEMBASE USETMAXREG SUCLAMP SUBFM SUEAU",
     .op = OP_INT},
    {"CS2R", .suffix = "32", .op = OP_INT},
    {"CS2R", .op = OP_INT, .flags = SASS_WIDE_DST},

    /* the uniform datapath, whose registers traces leave out */
    {"R2UR S2UR CS2UR UBMSK UBREV UCLEA UF2FP UFLO UIADD3 UIMNMX UISETP ULEA "
     "ULEPC ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 UPOPC UPRMT UPSETP UR2UP USEL "
     "USGXT USHF USHL USHR VOTEU",
     .op = OP_INT},

    /* memory */
    {"LD", .op = OP_LOAD, .space = SPACE_GLOBAL,
     .flags = SASS_ADDRESS | SASS_GENERIC},
    {"ST", .op = OP_STORE, .space = SPACE_GLOBAL,
     .flags = SASS_ADDRESS | SASS_GENERIC},
    /* LDGSTS lines hold the global address; its store to shared memory costs
     * nothing here */
    {"LDG LDGSTS", .op = OP_LOAD, .space = SPACE_GLOBAL, .flags = SASS_ADDRESS},
    {"STG", .op = OP_STORE, .space = SPACE_GLOBAL, .flags = SASS_ADDRESS},
    {"LDL", .op = OP_LOAD, .space = SPACE_LOCAL, .flags = SASS_ADDRESS},
    {"STL", .op = OP_STORE, .space = SPACE_LOCAL, .flags = SASS_ADDRESS},
    {"LDS LDSLK LDSM", .op = OP_LOAD, .space = SPACE_SHARED,
     .flags = SASS_ADDRESS},
    {"STS STSCUL STSM", .op = OP_STORE, .space = SPACE_SHARED,
     .flags = SASS_ADDRESS},
    {"ATOM", .op = OP_ATOMIC, .space = SPACE_GLOBAL,
     .flags = SASS_ADDRESS | SASS_GENERIC | SASS_DST_IN_SRC},
    {"ATOMG", .op = OP_ATOMIC, .space = SPACE_GLOBAL,
     .flags = SASS_ADDRESS | SASS_DST_IN_SRC},
    {"ATOMS", .op = OP_ATOMIC, .space = SPACE_SHARED, .flags = SASS_ADDRESS},
    {"RED", .op = OP_ATOMIC, .space = SPACE_GLOBAL,
     .flags = SASS_ADDRESS | SASS_GENERIC},
    {"REDG", .op = OP_ATOMIC, .space = SPACE_GLOBAL, .flags = SASS_ADDRESS},

    /* traces hold no addresses of constants, textures and surfaces */
    {"LDC ULDC", .op = OP_LOAD, .space = SPACE_CONST},
    {"TEX TEXS TLD TLD4 TLD4S TLDS TMML TXA TXD TXQ SULD SULDGA SUST SUSTGA "
     "SUATOM SURED SUQUERY",
     .op = OP_LOAD, .space = SPACE_TEXTURE},

    /* order among accesses, cache control, asynchronous copies */
    {"MEMBAR FENCE", .op = OP_FENCE},
    {"DEPBAR", .op = OP_INT, .flags = SASS_DRAINS, .from = 80},
    {"DEPBAR LDGDEPBAR TEXDEPBAR ERRBAR CGAERRBAR CCTL CCTLL CCTLT SYNCS "
     "ARRIVES WARPGROUP WARPGROUPSET ACQBULK ENDCOLLECTIVE PREEXIT",
     .op = OP_INT},

    /* barriers; an arrival does not wait */
    {"BAR", .suffix = "ARV", .op = OP_INT},
    {"BAR UCGABAR_WAIT", .op = OP_BARRIER},
    {"UCGABAR_ARV", .op = OP_INT},

    /* jumps and waits for other lanes */
    {"BRA BRX BRXU JMP JMX JMXU CAL JCAL CALL RET RTT BRK CONT SYNC",
     .op = OP_BRANCH},
    {"BSYNC WARPSYNC", .op = OP_BRANCH, .flags = SASS_CONVERGES},
    {"EXIT KILL", .op = OP_EXIT},

    /* preparations for later jumps, and hints */
    {"SSY PBK PCNT PRET PEXIT BSSY BREAK BMOV RPCMOV BPT YIELD NANOSLEEP",
     .op = OP_INT},
};
// clang-format on

const size_t sass_table_count = sizeof(sass_table) / sizeof(sass_table[0]);
