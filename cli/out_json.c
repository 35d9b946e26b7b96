/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * { "schema_version": 1, "metadata": {...}, "results": [{column: value}] } */
#include "cli/columns.h"
#include "cli/formats.h"
#include "configs/gpu.h"

#include <estimate.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

#define SCHEMA_VERSION 1

static void put_string(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(f, "\\%c", c);
        else if (c < 0x20)
            fprintf(f, "\\u%04x", c);
        else
            fputc(c, f);
    }
    fputc('"', f);
}

/* Text as read from a column: empty means not known. */
static void put_number(FILE *f, const char *number)
{
    fputs(number[0] != '\0' ? number : "null", f);
}

static void put_real(FILE *f, double value, int decimals)
{
    if (isfinite(value))
        fprintf(f, "%.*f", decimals, value);
    else
        fputs("null", f);
}

static void put_swept(FILE *f, const struct report *r, const double *swept)
{
    for (size_t k = 0; k < r->plan->keys; k++) {
        const struct gpu_key *key = r->plan->key[k];
        char text[COLUMN_VALUE_MAX];
        swept_text(text, key, swept[k]);
        fprintf(f, ", \"%s\": ", key->key);
        if (key->type == GPU_ENUM)
            put_string(f, text);
        else
            fputs(text, f);
    }
}

static void put_row(FILE *f, const struct report *r, const struct row *row)
{
    for (size_t i = 0; i < column_count; i++) {
        const struct column *c = &columns[i];
        const char *text = column_text(c, row);
        char number[COLUMN_VALUE_MAX];
        fprintf(f, "%s\"%s\": ", i > 0 ? ", " : "    {", c->name);
        if (text != NULL) {
            put_string(f, text);
        } else {
            column_number(number, c, row);
            put_number(f, number);
        }
        if (i + 1 == SWEPT_AFTER)
            put_swept(f, r, row->swept);
    }
    fputs("}", f);
}

/* What one kernel on one GPU variant was made from and what was spent on it. */
static void put_registers(FILE *f, const struct study *s)
{
    if (s->application != NULL || s->kernel->regs_from[0] == '\0')
        return;
    fprintf(f, ", \"registers\": %u, \"registers_from\": ",
            s->kernel->regs_per_thread);
    put_string(f, s->kernel->regs_from);
}

static void put_study(FILE *f, const struct report *r, size_t i)
{
    const struct report_study *s = &r->study[i];
    fputs("      {\"kernel\": ", f);
    put_string(f, study_name(s->study));
    fprintf(f, ", \"kernel_hash\": \"%016" PRIx64 "\", \"gpu\": ",
            study_hash(s->study));
    put_string(f, s->study->gpu->name);
    put_registers(f, s->study);
    fprintf(f, ", \"gpu_hash\": \"%016" PRIx64 "\"", gpu_hash(s->study->gpu));
    put_swept(f, r, s->view->variant->swept);
    fprintf(f, ", \"samples\": %d, \"sample_warp_insts\": %" PRIu64,
            s->result->samples, s->result->sample_insts);
    fprintf(f, ", \"rank\": %d, \"leave_one_out_pct\": ", s->result->rank);
    put_real(f, s->result->leave_one_out_pct, 3);
    fputs(", \"fit_note\": ", f);
    put_string(f, s->result->fit_note);
    fputs(", \"seconds\": ", f);
    put_real(f, s->result->seconds, 6);
    fputs("}", f);
}

static void put_plan(FILE *f, const struct report *r)
{
    const struct options *o = r->options;
    fprintf(f, "    \"sample_plan\": {\"error_pct\": %g, ", o->error_pct);
    fprintf(f, "\"budget_warp_insts\": %" PRIu64 ", \"seed\": %" PRIu64 "},\n",
            o->budget, o->seed);
    fputs("    \"studies\": [\n", f);
    for (size_t i = 0; i < r->studies; i++) {
        put_study(f, r, i);
        fputs(i + 1 < r->studies ? ",\n" : "\n", f);
    }
    fputs("    ],\n", f);
}

static void put_metadata(FILE *f, const struct report *r)
{
    char host[256] = "";
    gethostname(host, sizeof(host) - 1);
    fputs("  \"metadata\": {\n    \"version\": ", f);
    put_string(f, estimate_version());
    fputs(",\n    \"revision\": ", f);
    if (estimate_revision() != NULL)
        put_string(f, estimate_revision());
    else
        fputs("null", f);
    fputs(",\n    \"host\": ", f);
    put_string(f, host);
    fprintf(f, ",\n    \"interrupted\": %s,\n",
            r->interrupted ? "true" : "false");
    put_plan(f, r);
    fprintf(f, "    \"wall_time_s\": %.3f\n  },\n", r->wall_s);
}

void write_json(FILE *f, const struct report *r)
{
    fprintf(f, "{\n  \"schema_version\": %d,\n", SCHEMA_VERSION);
    put_metadata(f, r);
    fputs("  \"results\": [\n", f);
    for (size_t i = 0; i < r->rows; i++) {
        put_row(f, r, &r->row[i]);
        fputs(i + 1 < r->rows ? ",\n" : "\n", f);
    }
    fputs("  ]\n}\n", f);
}
