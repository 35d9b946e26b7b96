/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/watch.h"

#include "cli/formats.h"
#include "cli/out_interval.h"
#include "cli/out_timeline.h"
#include "cli/out_trace.h"

#include <string.h>

static const struct watched {
    const char *option;
    bool (*write)(const struct options *o, const struct plan *p,
                  struct estimate_error *e);
} watched[] = {
    {"timeline", write_timeline},
    {"interval", write_intervals},
    {"trace-json", write_trace},
};
#define WATCHED (sizeof(watched) / sizeof(watched[0]))

static bool check_sm(const struct options *o, const struct plan *p,
                     struct estimate_error *e)
{
    const struct estimate_key *k = estimate_key_find("sms", NULL);
    double sms = estimate_gpu_get(p->at[0].variant->gpu, k);
    if (!options_given(o, "sm") || (double)o->sm < sms)
        return true;
    return fail(e, ESTIMATE_USAGE, "--sm %llu: expected an SM of %s, 0 to %.0f",
                (unsigned long long)o->sm, case_gpu(&p->at[0]), sms - 1);
}

static bool check_files(const struct options *o, struct estimate_error *e)
{
    const char *const path[] = {o->interval_out, o->trace_json};
    for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++)
        if (path[i] != NULL && !check_writable(path[i], e))
            return false;
    return true;
}

/* What is printed behind the results must not break their format. */
static bool check_behind(const struct options *o, const char *option,
                         struct estimate_error *e)
{
    static const char *const alone[] = {"json", "jsonl", "html"};
    for (size_t i = 0; i < sizeof(alone) / sizeof(alone[0]); i++)
        if (strcmp(o->format->name, alone[i]) == 0)
            return fail(e, ESTIMATE_USAGE,
                        "--%s: expected --format table, csv or markdown, which "
                        "it can stand behind, found %s",
                        option, o->format->name);
    return true;
}

static bool check_standing_behind(const struct options *o,
                                  struct estimate_error *e)
{
    if (options_given(o, "timeline") && !check_behind(o, "timeline", e))
        return false;
    return o->interval == 0 || o->interval_out != NULL ||
           check_behind(o, "interval", e);
}

/* An option that only says more of others. */
static bool check_alone(const struct options *o, struct estimate_error *e)
{
    if (o->interval_out != NULL && o->interval == 0)
        return fail(e, ESTIMATE_USAGE,
                    "--interval-out: expected --interval with it");
    if (options_given(o, "sm") && !options_given(o, "timeline") &&
        o->trace_json == NULL)
        return fail(e, ESTIMATE_USAGE,
                    "--sm: expected --timeline or --trace-json with it");
    return true;
}

bool check_watch(const struct options *o, const struct plan *p,
                 struct estimate_error *e)
{
    if (!check_alone(o, e) || !check_standing_behind(o, e))
        return false;
    for (size_t i = 0; i < WATCHED; i++)
        if (options_given(o, watched[i].option) && p->shown_points != 1)
            return fail(e, ESTIMATE_USAGE,
                        "--%s: expected one design point, found %zu",
                        watched[i].option, p->shown_points);
    return check_sm(o, p, e) && check_files(o, e);
}

bool write_watch(const struct options *o, const struct plan *p,
                 struct estimate_error *e)
{
    for (size_t i = 0; i < WATCHED; i++)
        if (options_given(o, watched[i].option) && !watched[i].write(o, p, e))
            return false;
    return true;
}
