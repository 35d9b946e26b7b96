/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/target.h"

#include "base/ending.h"
#include "kernels/load.h"
#include "kernels/trace/trace_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINES_MAX  400 /* that are looked at: what is looked for comes first */
#define PATH_BYTES 4096

/* The number behind the first line that begins so, 0: there is none. With
 * `rest` not NULL the rest of that line, instead. */
static int find_line(const char *path, const char *begins, char *rest)
{
    struct trace_text t;
    struct span line;
    size_t length = strlen(begins);
    int found = 0;
    if (!trace_text_open(&t, path, NULL))
        return 0;
    for (int n = 0; n < LINES_MAX && found == 0 &&
                    trace_text_line(&t, &line, NULL) == TRACE_LINE;
         n++) {
        if ((size_t)(line.end - line.at) < length ||
            strncmp(line.at, begins, length) != 0)
            continue;
        char text[PATH_BYTES / 2];
        snprintf(text, sizeof(text), "%.*s",
                 (int)(line.end - line.at - (ptrdiff_t)length),
                 line.at + length);
        if (rest != NULL)
            snprintf(rest, PATH_BYTES / 2, "%s", text);
        found = rest != NULL ? 1 : atoi(text);
    }
    trace_text_close(&t);
    return found;
}

static bool is_folder(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

/* The trace of the first kernel of a list, which lies beside it. */
static bool first_of_list(char out[PATH_BYTES], const char *list)
{
    char name[PATH_BYTES / 2];
    const char *slash = strrchr(list, '/');
    int folder = slash != NULL ? (int)(slash - list + 1) : 0;
    if (find_line(list, "kernel", name) == 0 || folder > PATH_BYTES / 4)
        return false;
    snprintf(out, PATH_BYTES, "%.*skernel%s", folder, list, name);
    if (access(out, F_OK) != 0)
        snprintf(out, PATH_BYTES, "%.*skernel%s.xz", folder, list, name);
    return true;
}

static int trace_target(const char *input)
{
    char list[PATH_BYTES], trace[PATH_BYTES];
    snprintf(list, sizeof(list), "%s%s", input,
             is_folder(input) ? "/kernelslist.g" : "");
    if (!ends_with(list, ".g"))
        return find_line(list, "-binary version = ", NULL);
    return first_of_list(trace, list)
               ? find_line(trace, "-binary version = ", NULL)
               : 0;
}

int input_target(const char *input)
{
    enum input_kind kind;
    if (!kernel_input_kind(&kind, input, NULL))
        return 0;
    if (kind == INPUT_PTX)
        return find_line(input, ".target sm_", NULL);
    return kind == INPUT_TRACE ? trace_target(input) : 0;
}
