/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * { "schema_version": 1, "metadata": {...}, "results": [{column: value}] } */
#include "cli/columns.h"
#include "cli/formats.h"

#include <estimate.h>
#include <inttypes.h>
#include <math.h>
#include <unistd.h>

void put_json_text(FILE *f, const char *text)
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

static void put_swept(FILE *f, const struct plan *p, const struct plan_case *c)
{
    for (size_t k = 0; k < plan_columns(p); k++) {
        char text[COLUMN_VALUE_MAX];
        bool name = plan_column_text(text, sizeof(text), p, c, k);
        fprintf(f, ", \"%s\": ", plan_column_name(p, k));
        if (name)
            put_json_text(f, text);
        else
            fputs(text, f);
    }
}

/* `d` (may be NULL): designs that are compared. */
static void put_row(FILE *f, const struct plan *p, const struct row *row,
                    const struct designs *d)
{
    const struct estimate_column *c;
    for (size_t i = 0; (c = estimate_column(i)) != NULL; i++) {
        char buffer[COLUMN_VALUE_MAX];
        const char *value = column_value(buffer, c, row->point);
        fprintf(f, "%s\"%s\": ", i > 0 ? ", " : "{", estimate_column_name(c));
        if (estimate_column_type(c) == ESTIMATE_COLUMN_TEXT)
            put_json_text(f, value);
        else
            put_number(f, value);
        if (i + 1 == SWEPT_AFTER)
            put_swept(f, p, row->at);
    }
    if (row->at->stands->launches > 1)
        fprintf(f, ", \"launches\": %zu, \"times\": %.4f",
                row->at->stands->launches, row->at->stands->times);
    if (d != NULL && d->cost != NULL)
        fprintf(f, ", \"cost\": %.10g", d->cost[row->at->variant->number]);
    if (d != NULL && d->front != NULL)
        fprintf(f, ", \"pareto\": %d", d->front[row->at->variant->number]);
    fputs("}", f);
}

void put_json_point(FILE *f, const struct plan *p, const struct row *row)
{
    put_row(f, p, row, NULL);
}

/* What one kernel on one GPU variant was made from and what was spent on it. */
static void put_registers(FILE *f, const struct plan_case *c)
{
    const struct estimate_launch_info *told = case_registers(c);
    if (told == NULL)
        return;
    fprintf(f, ", \"registers\": %u, \"registers_from\": ", told->registers);
    put_json_text(f, told->registers_from);
}

static void put_measured(FILE *f, struct estimate_measured m)
{
    if (m.kernels > 0)
        fprintf(f,
                ", \"measured\": {\"kernels\": %d, \"held\": %d, "
                "\"less_pct\": %g, \"more_pct\": %g}",
                m.kernels, m.held, m.less_pct, m.more_pct);
}

static void put_case(FILE *f, const struct report *r, size_t i)
{
    const struct plan_case *c = r->at[i].at;
    const struct estimate_fit *fit = estimate_result_fit(r->results, i);
    fputs("      {\"kernel\": ", f);
    put_json_text(f, case_kernel(c));
    fprintf(f, ", \"kernel_hash\": \"%016" PRIx64 "\", \"gpu\": ",
            estimate_kernel_info(c->kernel)->hash);
    put_json_text(f, case_gpu(c));
    put_registers(f, c);
    fprintf(f, ", \"gpu_hash\": \"%016" PRIx64 "\"",
            estimate_gpu_hash(c->variant->gpu));
    put_measured(f, estimate_gpu_measured(c->variant->gpu));
    put_swept(f, r->plan, c);
    fprintf(f, ", \"samples\": %d, \"sample_warp_insts\": %" PRIu64,
            fit->samples, fit->sample_insts);
    fputs(", \"seconds\": ", f);
    put_real(f, fit->seconds, 6);
    fputs("}", f);
}

static void put_plan(FILE *f, const struct report *r)
{
    const struct options *o = r->options;
    fprintf(f, "    \"sample_plan\": {\"error_pct\": %g, ", o->run.error_pct);
    fprintf(f, "\"budget_warp_insts\": %" PRIu64 ", \"seed\": %" PRIu64 "},\n",
            o->run.budget_insts, o->run.seed);
}

static void put_studies(FILE *f, const struct report *r)
{
    fputs("    \"studies\": [\n", f);
    for (size_t i = 0; i < r->cases; i++) {
        put_case(f, r, i);
        fputs(i + 1 < r->cases ? ",\n" : "\n", f);
    }
    fputs("    ],\n", f);
}

void put_json_metadata(FILE *f, const struct report *r, bool studies)
{
    char host[256] = "";
    gethostname(host, sizeof(host) - 1);
    fputs("  \"metadata\": {\n    \"version\": ", f);
    put_json_text(f, estimate_version());
    fputs(",\n    \"revision\": ", f);
    if (estimate_revision() != NULL)
        put_json_text(f, estimate_revision());
    else
        fputs("null", f);
    fputs(",\n    \"host\": ", f);
    put_json_text(f, host);
    fprintf(f, ",\n    \"interrupted\": %s,\n",
            r->interrupted ? "true" : "false");
    put_plan(f, r);
    if (studies)
        put_studies(f, r);
    fprintf(f, "    \"wall_time_s\": %.3f\n  },\n", r->wall_s);
}

void write_json(FILE *f, const struct report *r)
{
    fprintf(f, "{\n  \"schema_version\": %d,\n", JSON_SCHEMA_VERSION);
    put_json_metadata(f, r, true);
    fputs("  \"results\": [\n", f);
    for (size_t i = 0; i < r->rows; i++) {
        fputs("    ", f);
        put_row(f, r->plan, &r->row[i], r->designs);
        fputs(i + 1 < r->rows ? ",\n" : "\n", f);
    }
    fputs("  ]\n}\n", f);
}

void write_jsonl_point(FILE *f, const struct plan *p, const struct row *row)
{
    put_json_point(f, p, row);
    fputc('\n', f);
}

void write_jsonl_part(FILE *f, const struct report *r, bool first)
{
    (void)first;
    write_jsonl(f, r);
}

void write_jsonl(FILE *f, const struct report *r)
{
    for (size_t i = 0; i < r->rows; i++)
        write_jsonl_point(f, r->plan, &r->row[i]);
}
