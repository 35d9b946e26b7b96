/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "api/config_text.h"

#include "configs/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t group_length(const char *key)
{
    const char *dot = strchr(key, '.');
    return dot != NULL ? (size_t)(dot - key) : 0;
}

static bool same_group(const char *a, const char *b)
{
    size_t n = group_length(a);
    return n == group_length(b) && strncmp(a, b, n) == 0;
}

static void print_value(FILE *f, const struct gpu *g, const struct gpu_key *key)
{
    double value = gpu_key_get(g, key);
    char number[32];
    snprintf(number, sizeof(number), "%.12g", value);
    if (key->type == GPU_ENUM)
        fprintf(f, "\"%s\"", key->names[(int)value]);
    else if (key->type == GPU_BOOL)
        fprintf(f, "%s", value != 0 ? "true" : "false");
    else if (key->type == GPU_REAL && strpbrk(number, ".e") == NULL)
        fprintf(f, "%s.0", number); /* libconfig tells 1 from 1.0 */
    else
        fprintf(f, "%s", number);
}

static void print_key(FILE *f, const struct gpu *g, const struct gpu_key *key)
{
    size_t group = group_length(key->key);
    fprintf(f, "%s%s = ", group > 0 ? "    " : "",
            group > 0 ? key->key + group + 1 : key->key);
    print_value(f, g, key);
    fprintf(f, ";%s%s\n", key->unit[0] != '\0' ? " # " : "", key->unit);
}

/* The keys of the group that key `first` opens, all in one place. */
static void print_group(FILE *f, const struct gpu *g, size_t first)
{
    const char *key = gpu_keys[first].key;
    size_t length = group_length(key);
    if (length > 0)
        fprintf(f, "%.*s: {\n", (int)length, key);
    for (size_t i = first; i < gpu_key_count; i++)
        if (same_group(gpu_keys[i].key, key))
            print_key(f, g, &gpu_keys[i]);
    if (length > 0)
        fprintf(f, "};\n");
}

static bool opens_group(size_t i)
{
    for (size_t j = 0; j < i; j++)
        if (same_group(gpu_keys[j].key, gpu_keys[i].key))
            return false;
    return true;
}

static void print_gpu(FILE *f, const struct gpu *g)
{
    fprintf(f, "name = \"%s\";\nsummary = \"%s\";\n", g->name, g->summary);
    for (size_t i = 0; i < gpu_key_count; i++)
        if (opens_group(i))
            print_group(f, g, i);
}

char *config_text(const struct gpu *g)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return NULL;
    print_gpu(f, g);
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}
