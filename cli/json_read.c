/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/json_read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT(member) offsetof(struct estimate_point, member)

enum kind { TEXT, WHOLE, REAL };

/* Columns that pages show. */
static const struct field {
    const char *name;
    enum kind kind;
    size_t offset;
} fields[] = {
    {"kernel", TEXT, AT(kernel)},
    {"gpu", TEXT, AT(gpu)},
    {"tb", WHOLE, AT(tb)},
    {"sched", TEXT, AT(sched)},
    {"tb_sched", TEXT, AT(tb_sched)},
    {"l1_policy", TEXT, AT(l1_policy)},
    {"mode", TEXT, AT(mode)},
    {"limiter", TEXT, AT(limiter)},
    {"cycles", REAL, AT(cycles)},
    {"cycles_lo", REAL, AT(cycles_lo)},
    {"cycles_hi", REAL, AT(cycles_hi)},
    {"ipc", REAL, AT(ipc)},
    {"warp_insts", REAL, AT(warp_insts)},
    {"thread_insts", REAL, AT(thread_insts)},
    {"time_us", REAL, AT(time_us)},
    {"occupancy", REAL, AT(occupancy)},
    {"stall_issued", REAL, AT(stall.issued)},
    {"stall_idle", REAL, AT(stall.idle)},
    {"stall_sb_mem", REAL, AT(stall.sb_mem)},
    {"stall_sb_alu", REAL, AT(stall.sb_alu)},
    {"stall_pipe_mem", REAL, AT(stall.pipe_mem)},
    {"stall_pipe_alu", REAL, AT(stall.pipe_alu)},
    {"l1_miss", REAL, AT(l1_miss)},
    {"l2_miss", REAL, AT(l2_miss)},
    {"dram_gbps", REAL, AT(dram_gbps)},
    {"energy_uj", REAL, AT(energy_uj)},
};
#define FIELDS (sizeof(fields) / sizeof(fields[0]))

static char *skip_blanks(char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* A string at its quote, decoded where it stands: *out, and the text behind it.
 * NULL: it is none. What is not ASCII among \u escapes becomes '?'. */
static char *read_string(char **out, char *at)
{
    if (*at != '"')
        return NULL;
    char *to = ++at;
    *out = to;
    for (; *at != '"' && *at != '\0'; at++) {
        if (*at != '\\') {
            *to++ = *at;
            continue;
        }
        unsigned code = 0;
        at++;
        if (*at == 'u' && sscanf(at + 1, "%4x", &code) == 1 && strlen(at) > 4) {
            *to++ = code > 0 && code < 128 ? (char)code : '?';
            at += 4;
        } else if (*at == '\0')
            return NULL;
        else
            *to++ = *at;
    }
    if (*at == '\0')
        return NULL;
    *to = '\0';
    return at + 1;
}

static void set_field(struct estimate_point *p, const char *name, char *text,
                      double number)
{
    for (size_t i = 0; i < FIELDS; i++) {
        char *field = (char *)p + fields[i].offset;
        if (strcmp(fields[i].name, name) != 0)
            continue;
        if (fields[i].kind == TEXT && text != NULL)
            *(const char **)field = text;
        else if (fields[i].kind == WHOLE && isfinite(number))
            *(int *)field = (int)number;
        else if (fields[i].kind == REAL)
            *(double *)field = number;
    }
    if (strcmp(name, "sampled") == 0)
        p->sampled = number != 0;
    if (strcmp(name, "partial") == 0)
        p->partial = number != 0;
}

/* "name": value; the text behind it, NULL: it is none. */
static char *read_member(struct estimate_point *p, char *at)
{
    char *name, *text = NULL, *end;
    at = read_string(&name, at);
    if (at == NULL || *(at = skip_blanks(at)) != ':')
        return NULL;
    at = skip_blanks(at + 1);
    double number = NAN;
    if (*at == '"')
        end = read_string(&text, at);
    else if (strncmp(at, "null", 4) == 0)
        end = at + 4;
    else {
        number = strtod(at, &end);
        if (end == at)
            return NULL;
    }
    set_field(p, name, text, number);
    return end;
}

static char *read_object(struct estimate_point *p, char *at)
{
    *p = (struct estimate_point){.kernel = "",
                                 .gpu = "",
                                 .sched = "",
                                 .tb_sched = "",
                                 .l1_policy = "",
                                 .mode = "",
                                 .limiter = "",
                                 .cycles = NAN};
    for (at = skip_blanks(at); at != NULL && *at == '"';) {
        at = read_member(p, at);
        if (at == NULL || *(at = skip_blanks(at)) != ',')
            break;
        at = skip_blanks(at + 1);
    }
    return at != NULL && *at == '}' ? at + 1 : NULL;
}

static bool add_point(struct json_results *r, size_t *room)
{
    if (r->points < *room)
        return true;
    *room = *room > 0 ? 2 * *room : 64;
    void *grown = realloc(r->point, *room * sizeof(*r->point));
    if (grown == NULL)
        return false;
    r->point = grown;
    return true;
}

static bool read_results(struct json_results *r, const char *path,
                         struct estimate_error *e)
{
    static const char key[] = "\"results\": [";
    size_t room = 0;
    char *at = strstr(r->text, key);
    for (at = at != NULL ? skip_blanks(at + strlen(key)) : NULL;
         at != NULL && *at == '{';) {
        if (!add_point(r, &room))
            return fail_no_memory(e);
        at = read_object(&r->point[r->points], at + 1);
        if (at == NULL)
            break;
        r->points++;
        at = skip_blanks(at);
        at = skip_blanks(at + (*at == ','));
    }
    return (at != NULL && *at == ']' && r->points > 0) ||
           fail(e, ESTIMATE_BAD_INPUT,
                "%s: expected results as --format json writes them", path);
}

static char *read_text(const char *path)
{
    FILE *f = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;
    if (f == NULL)
        return NULL;
    if (getdelim(&text, &size, '\0', f) < 0) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

bool json_results_read(struct json_results *out, const char *path,
                       struct estimate_error *e)
{
    *out = (struct json_results){0};
    errno = 0;
    out->text = read_text(path);
    if (out->text == NULL)
        return fail(e, ESTIMATE_BAD_INPUT, "%s: %s", path,
                    errno != 0 ? strerror(errno) : "found an empty file");
    return read_results(out, path, e);
}

void json_results_free(struct json_results *r)
{
    free(r->text);
    free(r->point);
}
