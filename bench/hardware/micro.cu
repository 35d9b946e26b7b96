/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Microbenchmarks of a GPU as a CSV on standard output, from which a
 * configuration can be derived (README.md here). Needs a GPU to itself. */
#include "micro.cuh"

#include <algorithm>
#include <cstring>
#include <map>

void row(const struct machine *m, const char *suite, const char *name,
         int warps, double size, double value, const char *unit)
{
    printf("%s,%d.%d,%d,%d,%d,%.1f,%.1f,%s,%s,%d,%.0f,%.6g,%s\n", m->name,
           m->major, m->minor, m->sms, m->driver, m->runtime, m->sm_mhz,
           m->memory_mhz, suite, name, warps, size, value, unit);
    fflush(stdout);
}

double busiest_sm_cycles(const std::vector<stamp> &blocks)
{
    std::map<unsigned, stamp> of_sm;
    long long most = 0;
    for (const stamp &b : blocks) {
        auto [at, is_new] = of_sm.try_emplace(b.sm, b);
        stamp &s = at->second;
        s.start = std::min(s.start, b.start);
        s.end = std::max(s.end, b.end);
        most = std::max(most, s.end - s.start);
    }
    return (double)most;
}

/* ---- the machine -------------------------------------------------------- */

#define BUSY_CYCLES 20000000LL

__global__ void spin(stamp *s, unsigned long long *end_ns)
{
    s->start_ns = now_ns();
    s->start = clock64();
    while (clock64() - s->start < BUSY_CYCLES)
        ;
    s->end = clock64();
    *end_ns = now_ns();
}

/* The first run brings the clock up, the second is measured. */
static double busy_mhz()
{
    buffer<stamp> s(1);
    buffer<unsigned long long> end(1);
    for (int i = 0; i < 2; i++)
        spin<<<1, 1>>>(s.at, end.at);
    CUDA(cudaGetLastError());
    stamp t = s.download()[0];
    return 1e3 * (double)(t.end - t.start) /
           (double)(end.download()[0] - t.start_ns);
}

static int attribute(cudaDeviceAttr which)
{
    int value;
    CUDA(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

static struct machine machine_of_device()
{
    struct machine m = {};
    cudaDeviceProp p;
    CUDA(cudaGetDeviceProperties(&p, 0));
    snprintf(m.name, sizeof(m.name), "%s", p.name);
    std::replace(m.name, m.name + strlen(m.name), ',', ' ');
    m.major = p.major;
    m.minor = p.minor;
    m.sms = p.multiProcessorCount;
    m.l2_bytes = p.l2CacheSize;
    m.shared_bytes = (int)p.sharedMemPerBlockOptin;
    CUDA(cudaDriverGetVersion(&m.driver));
    CUDA(cudaRuntimeGetVersion(&m.runtime));
    m.memory_mhz = attribute(cudaDevAttrMemoryClockRate) / 1e3;
    m.sm_mhz = busy_mhz();
    return m;
}

int main()
{
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        fprintf(stderr, "micro: found no CUDA device, expected one\n");
        return EXIT_FAILURE;
    }
    struct machine m = machine_of_device();
    printf("device,compute,sms,driver,runtime,sm_mhz,memory_mhz,suite,name,"
           "warps,size,value,unit\n");
    measure_instructions(&m);
    measure_shared(&m);
    measure_memory(&m);
    measure_launches(&m);
    measure_kernels(&m);
    return EXIT_SUCCESS;
}
