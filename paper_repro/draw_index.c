/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "paper_repro/draw_index.h"

#include "paper_repro/draw.h"
#include "paper_repro/ledger.h"

#include <stdio.h>
#include <string.h>

#define PATH 512

static const char head[] =
    "# What came out\n"
    "\n"
    "Written by `make paper`, which writes it again. Every figure and table of "
    "the\nfive papers in their order, with the claims about it: the verdict, "
    "what the paper\nsays and what came out here, where `!` marks values on "
    "the "
    "wrong side and `=`\nthose that are even. Diamonds in the pictures are "
    "numbers that the paper prints;\nin tables they stand in brackets, bold "
    "where ours differs by more than a tie. All\nclaims: "
    "[claims.txt](claims.txt), [claims.csv](claims.csv).\n";

/* Claims of a paper, or of all, by what came of them. */
struct score {
    int verdict[VERDICTS];
    int close;  /* of those that hold: at 1.5, too */
    int caused; /* of those that fail or tie: with a known cause */
    int count;
};

static void count_claim(struct score *s, const struct ledger *g, const char *id)
{
    const char *verdict = ledger_get(g, id, COLUMN_VERDICT);
    const char *cause = ledger_get(g, id, COLUMN_CAUSE);
    s->count++;
    for (int v = 0; v < VERDICTS; v++) {
        if (strcmp(verdict, verdict_names[v]) != 0)
            continue;
        s->verdict[v]++;
        s->close +=
            v == HOLDS && strcmp(ledger_get(g, id, COLUMN_CLOSE), "yes") == 0;
        s->caused += (v == FAILS || v == TIE) && cause[0] != '\0' &&
                     strncmp(cause, NOT_KNOWN, strlen(NOT_KNOWN)) != 0;
    }
}

static void write_score(FILE *out, const char *name, const struct score *s)
{
    fprintf(out, "| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", name,
            s->count, s->verdict[HOLDS], s->close, s->verdict[TIE],
            s->verdict[FAILS], s->caused, s->verdict[INPUT],
            s->verdict[CANNOT]);
}

static void write_scores(FILE *out, const struct ledger *g)
{
    struct score all = {.count = 0};
    fputs("\n| | claims | hold | at 1.5, too | tie | fail | of both with a "
          "known cause | inputs | cannot be judged "
          "|\n|---|---|---|---|---|---|---|---|---|\n",
          out);
    for (int p = 0; p < CLAIM_PAPERS; p++) {
        struct score s = {.count = 0};
        for (size_t i = 0; i < all_claims[p]->count; i++) {
            count_claim(&s, g, all_claims[p]->claim[i].id);
            count_claim(&all, g, all_claims[p]->claim[i].id);
        }
        write_score(out, all_claims[p]->paper, &s);
    }
    write_score(out, "all", &all);
}

/* "- paws-07 holds: the paper 10 %, here ...". */
static void write_claim(FILE *out, const struct ledger *g, const char *id)
{
    const char *verdict = ledger_get(g, id, COLUMN_VERDICT);
    const char *ours = ledger_get(g, id, COLUMN_OURS);
    const char *cause = ledger_get(g, id, COLUMN_CAUSE);
    const char *reason = ledger_get(g, id, COLUMN_REASON);
    if (verdict[0] == '\0') {
        fprintf(out, "- %s: not judged yet\n", id);
        return;
    }
    fprintf(out, "- %s **%s**: %s: %s", id, verdict,
            ledger_get(g, id, COLUMN_WHAT), ledger_get(g, id, COLUMN_PAPER));
    if (ours[0] != '\0')
        fprintf(out, "; here %s", ours);
    if (cause[0] != '\0')
        fprintf(out, "; cause: %s", cause);
    if (reason[0] != '\0')
        fprintf(out, " (%s)", reason);
    fputc('\n', out);
}

/* A table: the file's lines behind its first one. */
static void include(FILE *out, FILE *in)
{
    char line[4096];
    for (bool first = true; fgets(line, sizeof(line), in) != NULL;
         first = false)
        if (!first)
            fputs(line, out);
}

static void write_figure(FILE *out, const struct ledger *g, const char *folder,
                         const char *paper, const struct figure *f)
{
    char file[64], path[PATH], id[32];
    snprintf(file, sizeof(file), "figures/%s_%s.%s", paper, f->id,
             figure_is_table(f) ? "md" : "svg");
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    FILE *in = fopen(path, "r");
    fprintf(out, "\n### %s\n\n%s", f->title, f->what);
    if (in == NULL)
        fputs(" Not drawn yet.\n", out);
    else
        fprintf(out, " ([values](figures/%s_%s.csv))\n", paper, f->id);
    if (in != NULL && figure_is_table(f))
        include(out, in);
    else if (in != NULL)
        fprintf(out, "\n![%s](%s)\n", f->title, file);
    if (in != NULL)
        fclose(in);
    const char *list = f->claims != NULL ? f->claims : "";
    if (list[0] != '\0')
        fputc('\n', out);
    while (next_word(id, sizeof(id), &list))
        write_claim(out, g, id);
}

static void write_page(FILE *out, const struct ledger *g, const char *folder)
{
    fputs(head, out);
    write_scores(out, g);
    for (const struct figures *p = all_figures; p->paper != NULL; p++) {
        if (p->figure->id != NULL)
            fprintf(out, "\n## %s\n", p->paper);
        for (const struct figure *f = p->figure; f->id != NULL; f++)
            write_figure(out, g, folder, p->paper, f);
    }
}

bool draw_index(const char *folder, struct error *e)
{
    char path[PATH];
    struct ledger *g = ledger_create();
    if (g == NULL)
        return error_no_memory(e);
    snprintf(path, sizeof(path), "%s/claims.csv", folder);
    bool ok = ledger_read_csv(g, path, e);
    snprintf(path, sizeof(path), "%s/README.md", folder);
    FILE *out = ok ? fopen(path, "w") : NULL;
    if (out != NULL)
        write_page(out, g, folder);
    ledger_free(g);
    if (!ok)
        return false;
    return (out != NULL && fclose(out) == 0) ||
           error_set(e, STATUS_FAILED, "%s: cannot be written", path);
}
