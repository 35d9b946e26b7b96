/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Launches: their files, and arguments as one types them. */
#include "kernels/ptx/launch/argument.h"
#include "kernels/ptx/launch/launch_file.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

void fuzz_launch(const uint8_t *data, size_t size)
{
    struct error e;
    struct launch_file file;
    char *text = fuzz_text(data, size);
    if (launch_file_parse(&file, text, size, "f.launch", &e))
        launch_file_free(&file);
    free(text);
}

/* Files are none of a fuzzer's business. */
static void parse_argument(const char *spec)
{
    struct error e;
    struct ptx_argument a;
    uint64_t bits;
    if (strstr(spec, "file") == NULL &&
        ptx_argument_parse(&a, &(struct ptx_spec){"--arg", spec}, &e))
        ptx_argument_free(&a);
    for (enum ptx_type type = 0; type < PTX_NO_TYPE; type++)
        ptx_number_bits(spec, type, &bits);
}

void fuzz_argument(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size), *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        parse_argument(line);
    free(text);
}
