/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paper windows: the same claims in quick windows and on the grids in full;
 * writes windows.csv. Unless named, those claims whose grids take minutes of
 * one core. */
#include "paper_repro/ledger.h"
#include "paper_repro/machines.h"
#include "paper_repro/options.h"
#include "paper_repro/sheet.h"

#include <stdio.h>
#include <string.h>

/* Those of each paper whose quick windows are less than the grids, where these
 * take minutes; of paws with waves of all weights. */
static const char *const affordable[] = {
    "paws-19", "paws-41", "kaws-06", "kaws-07", "kaws-10", "cawa-05",
    "ikra-14", "ikra-23", "ikra-25", "ikra-28", NULL};

static const enum window sizes[] = {WINDOW_QUICK, WINDOW_FULL};
#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

struct comparing {
    const struct options *options;
    struct lab *lab;
    struct sheet *sheet;
    int compared, differ; /* claims; those whose quick verdict is not full's */
};

static bool is_affordable(const char *id)
{
    for (int i = 0; affordable[i] != NULL; i++)
        if (strcmp(affordable[i], id) == 0)
            return true;
    return false;
}

static bool wanted(const struct comparing *w, const struct claim *c,
                   const char *paper)
{
    if (c->code || c->cannot != NULL || c->input != NULL)
        return false;
    return w->options->wanted_count > 0 ? options_want(w->options, paper, c->id)
                                        : is_affordable(c->id);
}

static bool compare(struct comparing *w, const struct claim *c,
                    const char *paper, struct error *e)
{
    struct view v = {.lab = w->lab, .gpu = machine_of(paper)->gpu};
    struct finding f[SIZES];
    char ours[8192];
    if (!lab_listening(w->lab))
        sheet_drop(w->sheet, c->id, NULL, 0);
    for (size_t i = 0; i < SIZES; i++) {
        v.window = sizes[i];
        claim_judge(&f[i], c, &v);
        if (lab_listening(w->lab))
            continue;
        finding_text(ours, sizeof(ours), c, &f[i]);
        const char *const cell[] = {window_names[sizes[i]],
                                    c->gpu != NULL ? c->gpu : v.gpu, c->paper,
                                    ours, verdict_names[f[i].verdict]};
        printf("%-10s %-6s %-6s %s\n", c->id, cell[0], cell[4], ours);
        if (!sheet_add(w->sheet, c->id, cell, 5))
            return error_no_memory(e);
    }
    w->compared++;
    w->differ += f[0].verdict != f[1].verdict;
    return true;
}

static bool compare_all(void *user, struct error *e)
{
    struct comparing *w = user;
    w->compared = w->differ = 0;
    bool ok = true;
    for (int p = 0; ok && p < CLAIM_PAPERS; p++)
        for (size_t i = 0; ok && i < all_claims[p]->count; i++) {
            const struct claim *c = &all_claims[p]->claim[i];
            if (wanted(w, c, all_claims[p]->paper))
                ok = compare(w, c, all_claims[p]->paper, e);
        }
    return ok;
}

bool windows_command(const struct options *o, struct lab *l, struct error *e)
{
    struct comparing w = {
        .options = o,
        .lab = l,
        .sheet = sheet_create("id,window,machine,paper,ours,verdict")};
    char path[PATH_BYTES];
    options_path(path, o, "windows.csv");
    bool ok = w.sheet != NULL || error_no_memory(e);
    ok = ok && (path[0] == '\0' || sheet_read(w.sheet, path, e)) &&
         lab_gather(l, compare_all, &w, e) &&
         (path[0] == '\0' || sheet_write(w.sheet, path, e));
    if (ok)
        printf("%d of %d claims differ between quick and full\n", w.differ,
               w.compared);
    sheet_free(w.sheet);
    return ok;
}
