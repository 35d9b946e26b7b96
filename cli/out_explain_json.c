/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An explanation as JSON: the point's columns, then its parts. */
#include "cli/columns.h"
#include "cli/explain.h"
#include "cli/formats.h"

#include <math.h>

static void put_real(FILE *f, const char *name, double value)
{
    fprintf(f, ", \"%s\": ", name);
    if (isfinite(value))
        fprintf(f, "%.6g", value);
    else
        fputs("null", f);
}

static void put_text(FILE *f, const char *name, const char *value)
{
    fprintf(f, ", \"%s\": ", name);
    put_json_text(f, value);
}

static void put_point(FILE *f, const struct explanation *x)
{
    const struct row row = {x->point, x->at};
    fputs("  \"point\": ", f);
    put_json_point(f, x->plan, &row);
}

/* The names of CSV, at the top as well. */
static void put_stalls(FILE *f, const struct explanation *x)
{
    struct stall_row s;
    for (size_t i = 0; explanation_stall(&s, x->point, i); i++)
        fprintf(f, ",\n  \"stall_%s\": %.6f", s.name, s.share);
    static const char *const by[] = {"l1", "remote", "l2", "memory"};
    const double share[] = {x->point->served.l1, x->point->served.remote,
                            x->point->served.l2, x->point->served.memory};
    for (size_t i = 0; i < sizeof(by) / sizeof(by[0]); i++) {
        fputs(i == 0 ? ",\n  \"served\": {" : ", ", f);
        fprintf(f, "\"%s\": ", by[i]);
        if (isnan(share[i]))
            fputs("null", f);
        else
            fprintf(f, "%.6f", share[i]);
    }
    fputs("}", f);
}

static void put_uses(FILE *f, const struct explanation *x)
{
    fputs(",\n  \"limiter\": ", f);
    put_json_text(f, x->point->limiter);
    fputs(",\n  \"speed_of_light\": [", f);
    for (size_t i = 0; i < x->uses; i++) {
        fprintf(f, "%s\n    {\"resource\": ", i > 0 ? "," : "");
        put_json_text(f, x->use[i].resource);
        put_real(f, "achieved", x->use[i].achieved);
        put_real(f, "peak", x->use[i].peak);
        put_real(f, "share", x->use[i].share);
        put_text(f, "unit", x->use[i].unit);
        fputc('}', f);
    }
    fputs("\n  ]", f);
}

static void put_occupancy(FILE *f, const struct explanation *x)
{
    fprintf(f, ",\n  \"occupancy\": {\"warps\": %d, \"warps_most\": %d",
            x->warps, x->warps_most);
    fprintf(f, ", \"blocks\": %d, \"blocks_most\": %d", x->at->tb[0],
            x->fit.blocks);
    put_text(f, "bound_by", x->fit.limit);
    fprintf(f, ", \"registers_for_one_more\": %u", x->fewer_registers);
    fprintf(f, ", \"shared_bytes_for_one_more\": %u}", x->fewer_shared);
}

static void put_phases(FILE *f, const struct explanation *x)
{
    const struct estimate_phase *p;
    fputs(",\n  \"phases\": [", f);
    for (size_t i = 0; (p = estimate_code_phase(x->code, i)) != NULL; i++) {
        const struct estimate_instruction *first =
            estimate_code_instruction(x->code, p->first);
        fprintf(f, "%s\n    {\"phase\": %zu", i > 0 ? "," : "", i);
        put_real(f, "share", x->phase_share[i]);
        fprintf(f, ", \"instructions\": %u, \"cycles\": %u, \"loads\": %u",
                p->count, p->cycles, p->loads);
        put_text(f, "ended_by", p->ended_by);
        fprintf(f, ", \"line\": %u, \"address\": %u}", first->line,
                first->address);
    }
    fputs("\n  ],\n  \"lines\": [", f);
    for (size_t i = 0; i < x->lines; i++) {
        const struct source_line *l = &x->line[i];
        fprintf(f,
                "%s\n    {\"line\": %u, \"address\": %u, \"instructions\": %u, "
                "\"loads\": %u",
                i > 0 ? "," : "", l->line, l->address, l->instructions,
                l->loads);
        put_real(f, "share", l->share);
        fputc('}', f);
    }
    fputs("\n  ]", f);
}

static void put_changes(FILE *f, const struct explanation *x)
{
    fputs(",\n  \"what_if\": [", f);
    for (size_t i = 0; i < explanation_changes(x); i++) {
        const struct what_if *w = &x->what_if.item[i];
        fprintf(f, "%s\n    {\"change\": ", i > 0 ? "," : "");
        put_json_text(f, w->change);
        put_text(f, "key", w->key);
        put_text(f, "value", w->value);
        put_real(f, "delta_pct", w->pct);
        put_real(f, "delta_lo", w->lo);
        put_real(f, "delta_hi", w->hi);
        fprintf(f, ", \"tie\": %s", w->tie ? "true" : "false");
        put_text(f, "whose", w->whose);
        put_real(f, "confirmed_pct", w->confirmed);
        fputc('}', f);
    }
    fputs("\n  ]", f);
}

static void put_rules(FILE *f, const struct explanation *x)
{
    const struct rule *r;
    fputs(",\n  \"rules\": [", f);
    for (size_t i = 0; (r = rule_holding(x->fact, i)) != NULL; i++) {
        fprintf(f, "%s\n    {\"rule\": ", i > 0 ? "," : "");
        put_json_text(f, r->name);
        put_text(f, "text", r->text);
        fputs(", \"key\": ", f);
        if (r->what_if != NULL)
            put_json_text(f, r->what_if);
        else
            fputs("null", f);
        fputc('}', f);
    }
    fputs("\n  ]", f);
}

void write_explanation_json(FILE *f, const struct explanation *x)
{
    fputs("{\n  \"schema_version\": 1,\n", f);
    put_point(f, x);
    put_stalls(f, x);
    put_uses(f, x);
    put_occupancy(f, x);
    put_phases(f, x);
    put_changes(f, x);
    put_rules(f, x);
    fputs("\n}\n", f);
}
