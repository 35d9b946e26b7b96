/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "configs/gpu.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#define BETWEEN "\n====\n"

/* What stands in *text before the next separator, as a file; the path. */
static char *next_file(const char *name, char **text)
{
    char *start = *text, *end = strstr(start, BETWEEN);
    size_t size = end != NULL ? (size_t)(end - start) : strlen(start);
    *text = start + size + (end != NULL ? strlen(BETWEEN) : 0);
    return fuzz_file(name, start, size);
}

void fuzz_gpgpusim(const uint8_t *data, size_t size)
{
    struct error e;
    struct gpu g;
    char ignored[200];
    char *text = fuzz_text(data, size), *rest = text;
    char *config = next_file("gpgpusim.config", &rest);
    char *trace = next_file("trace.config", &rest);
    char *network = next_file("net.icnt", &rest);
    gpu_load(&g, config, ignored, sizeof(ignored), &e);
    free(config);
    free(trace);
    free(network);
    free(text);
}
