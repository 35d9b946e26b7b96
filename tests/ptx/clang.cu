// SPDX-License-Identifier: GPL-3.0-or-later
//
// Device code without any header, for tests/test_ptx_examples.c: clang.ptx is what
// clang 14 makes of it for an old GPU, with everything a debugger wants:
//   clang -x cuda -nocudainc -nocudalib --cuda-device-only \
//       --cuda-gpu-arch=sm_60 -g -O0 -fdebug-prefix-map="$PWD=." -S \
//       -o clang.ptx clang.cu
#define GLOBAL extern "C" __attribute__((global))
#define DEVICE __attribute__((device))

struct weight {
    int offset;
    double factor;
};

__attribute__((constant)) static const float scale[4] = {1, 2, 3, 4};
DEVICE unsigned blocks_done;

DEVICE __attribute__((noinline)) static double weigh(const weight &w, float sum,
                                                     int *kind)
{
    *kind = w.offset + blocks_done * 0;
    return sum * w.factor;
}

// out[block] = the block's sum times scale[kind % 4] times factor, by kind.
GLOBAL void sums(int n, weight w, const float *in, float *out)
{
    __attribute__((shared)) static float part[128];
    int lane = __nvvm_read_ptx_sreg_tid_x();
    int block = __nvvm_read_ptx_sreg_ctaid_x();
    int i = block * __nvvm_read_ptx_sreg_ntid_x() + lane, kind;
    part[lane] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (lane < half)
            part[lane] += part[lane + half];
        __syncthreads();
    }
    if (lane > 0)
        return;
    double result = weigh(w, part[0], &kind);
    switch ((kind + block) % 6) {
    case 0:
        result += 1;
        break;
    case 1:
        result -= 2;
        break;
    case 2:
        result *= scale[block % 4];
        break;
    case 3:
        result = -result;
        break;
    case 4:
        result /= 4;
        break;
    default:
        break;
    }
    out[block] = (float)result;
    __nvvm_atom_add_gen_i((volatile int *)&blocks_done, 1);
}
