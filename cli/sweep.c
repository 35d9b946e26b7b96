/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/sweep.h"

#include "cli/values.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* How far past the last whole step a range may end and still hold it: what
 * decimal steps such as 0.1 lose in binary. */
#define ROUNDING 1e-9

#define COUNT_LIMIT 1e18 /* larger counts are reported as UINT64_MAX */

uint64_t saturating_product(uint64_t a, uint64_t b)
{
    return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t item_count(const struct sweep_item *i)
{
    double steps = i->geometric ? log(i->last / i->first) / log(i->step)
                                : (i->last - i->first) / i->step;
    double count = floor(steps * (1 + 8 * DBL_EPSILON) + ROUNDING) + 1;
    return count < COUNT_LIMIT ? (uint64_t)count : UINT64_MAX;
}

const char *const launch_key_names[LAUNCH_KEYS] = {
    [LAUNCH_BLOCK] = "block",
    [LAUNCH_REGS] = "regs",
    [LAUNCH_SHARED] = "shared",
};

/* What --block, --regs and --shared take. */
static const double launch_least[LAUNCH_KEYS] = {1, 1, 0};
static const double launch_most[LAUNCH_KEYS] = {1024, 255, INT32_MAX};

static bool wrong(struct estimate_error *e, const struct sweep *s,
                  const char *what)
{
    return fail(e, ESTIMATE_USAGE, "--sweep %s: %s", s->text, what);
}

/* The part of a range after "..": its end and how it steps. */
static bool parse_range(const struct sweep *s, struct sweep_item *i,
                        const char *p, struct estimate_error *e)
{
    if (!scan_real(&p, &i->last))
        return wrong(e, s, "expected a number without a sign after '..'");
    if (*p == ':' || *p == '*') {
        i->geometric = *p == '*';
        p++;
        if (!scan_real(&p, &i->step))
            return wrong(e, s, "expected a number after ':' or '*'");
    }
    if (*p != '\0')
        return wrong(e, s, "expected A..B, A..B:STEP or A..B*FACTOR");
    if (i->last < i->first)
        return wrong(e, s, "the range runs backwards");
    if (i->geometric && (i->step <= 1 || i->first <= 0))
        return wrong(e, s, "A..B*FACTOR needs FACTOR > 1 and A > 0");
    if (i->step <= 0)
        return wrong(e, s, "the step must be greater than 0");
    return true;
}

/* The value named p of a key whose values have names. */
static bool parse_name(const struct sweep *s, struct sweep_item *i,
                       const char *p, struct estimate_error *e)
{
    char choices[128] = "";
    size_t used = 0;
    const char *name;
    for (size_t n = 0; (name = estimate_key_value_name(s->key, n)); n++) {
        if (strcmp(p, name) == 0) {
            *i = (struct sweep_item){
                .first = (double)n, .last = (double)n, .step = 1, .count = 1};
            return true;
        }
        used += (size_t)snprintf(choices + used, sizeof(choices) - used, "%s%s",
                                 n > 0 ? ", " : "", name);
    }
    return fail(e, ESTIMATE_USAGE, "--sweep %s: '%s' is none of %s", s->text, p,
                choices);
}

static bool parse_item(const struct sweep *s, struct sweep_item *i,
                       const char *p, struct estimate_error *e)
{
    *i = (struct sweep_item){.step = 1};
    if (!scan_real(&p, &i->first))
        return wrong(e, s, "expected a number without a sign, or a range A..B");
    i->last = i->first;
    if (*p == '\0') {
        i->count = 1;
        return true;
    }
    if (strncmp(p, "..", 2) != 0)
        return wrong(e, s, "expected numbers or ranges A..B between commas");
    if (!parse_range(s, i, p + 2, e))
        return false;
    i->count = item_count(i);
    return true;
}

static double item_value(const struct sweep_item *item, uint64_t i)
{
    return item->geometric ? item->first * pow(item->step, (double)i)
                           : item->first + (double)i * item->step;
}

static bool is_whole(double x)
{
    return x == floor(x);
}

/* Resident blocks are whole and start at 1; a GPU key's values lie within its
 * range. Ends are enough: between them values ascend. */
static bool check_item(const struct sweep *s, const struct sweep_item *i,
                       struct estimate_error *e)
{
    double min = s->key != NULL ? estimate_key_min(s->key) : 1;
    double max = s->key != NULL ? estimate_key_max(s->key) : HUGE_VAL;
    if (s->launch != LAUNCH_NONE) {
        min = launch_least[s->launch];
        max = launch_most[s->launch];
    }
    bool whole =
        s->key == NULL || estimate_key_type(s->key) != ESTIMATE_KEY_REAL;
    if (i->first < min)
        return fail(e, ESTIMATE_USAGE,
                    "--sweep %s: %g is below %g, the "
                    "least %s can be",
                    s->text, i->first, min, sweep_name(s));
    double last =
        i->count != UINT64_MAX ? item_value(i, i->count - 1) : i->last;
    if (last > max)
        return fail(e, ESTIMATE_USAGE,
                    "--sweep %s: %g is above %g, the "
                    "most %s can be",
                    s->text, last, max, sweep_name(s));
    bool steps_whole = i->count == 1 || is_whole(i->step);
    if (whole && (!is_whole(i->first) || !steps_whole))
        return fail(e, ESTIMATE_USAGE, "--sweep %s: %s takes whole numbers",
                    s->text, sweep_name(s));
    return true;
}

static bool named(const struct sweep *s)
{
    return s->key != NULL && estimate_key_type(s->key) == ESTIMATE_KEY_NAME;
}

/* Numbers ascend; names come in any order. */
static bool comes_in_order(const struct sweep *s, const struct sweep_item *i)
{
    if (!named(s))
        return s->items == 0 || i->first > i[-1].last;
    for (const struct sweep_item *before = s->item; before < i; before++)
        if (before->first == i->first)
            return false;
    return true;
}

static bool parse_spec(struct sweep *s, const char *spec,
                       struct estimate_error *e)
{
    char entry[VALUE_MAX];
    if (spec[0] == '\0')
        return wrong(e, s, "expected values after '='");
    for (const char *p = spec; list_next(&p, entry);) {
        if (s->items == SWEEP_ITEMS_MAX)
            return wrong(e, s, "too many values between commas (use a range)");
        struct sweep_item *i = &s->item[s->items];
        if (!(named(s) ? parse_name(s, i, entry, e)
                       : parse_item(s, i, entry, e) && check_item(s, i, e)))
            return false;
        if (!comes_in_order(s, i))
            return wrong(e, s,
                         named(s) ? "expected every value once"
                                  : "expected values in ascending order, none "
                                    "twice");
        s->items++;
        s->count =
            s->count > UINT64_MAX - i->count ? UINT64_MAX : s->count + i->count;
    }
    return true;
}

/* Sweepable names for nearest_row(): "tb", those of launches, every GPU key. */
static const char *key_name(const void *table, size_t i)
{
    (void)table;
    if (i == 0)
        return "tb";
    return i <= LAUNCH_KEYS
               ? launch_key_names[i - 1]
               : estimate_key_name(estimate_key(i - 1 - LAUNCH_KEYS));
}

static bool no_key(const char *key, struct estimate_error *e)
{
    size_t count = 0;
    while (estimate_key(count) != NULL)
        count++;
    const char *near =
        nearest_row(key, NULL, count + 1 + LAUNCH_KEYS, key_name);
    return fail(e, ESTIMATE_USAGE, "--sweep: unknown key '%s'%s%s%s", key,
                near != NULL ? ", did you mean '" : "",
                near != NULL ? near
                             : " (keys: tb, block, regs, shared and those that "
                               "--print-config shows)",
                near != NULL ? "'?" : "");
}

bool sweep_parse(struct sweep *out, const char *text, struct estimate_error *e)
{
    *out = (struct sweep){.text = text, .launch = LAUNCH_NONE};
    const char *equals = strchr(text, '=');
    if (equals == NULL || equals == text)
        return wrong(e, out, "expected KEY=SPEC, for instance tb=1..8");
    char key[VALUE_MAX];
    size_t length = (size_t)(equals - text);
    if (length >= sizeof(key))
        length = sizeof(key) - 1;
    memcpy(key, text, length);
    key[length] = '\0';
    for (int i = 0; i < LAUNCH_KEYS; i++)
        if (strcmp(key, launch_key_names[i]) == 0)
            out->launch = (enum launch_key)i;
    if (strcmp(key, "tb") != 0 && out->launch == LAUNCH_NONE) {
        out->key = estimate_key_find(key, NULL);
        if (out->key == NULL)
            return no_key(key, e);
    }
    return parse_spec(out, equals + 1, e);
}

const char *sweep_name(const struct sweep *s)
{
    if (s->launch != LAUNCH_NONE)
        return launch_key_names[s->launch];
    return s->key != NULL ? estimate_key_name(s->key) : "tb";
}

bool sweep_is_tb(const struct sweep *s)
{
    return s->key == NULL && s->launch == LAUNCH_NONE;
}

double sweep_value(const struct sweep *s, uint64_t i)
{
    size_t n = 0;
    while (i >= s->item[n].count)
        i -= s->item[n++].count;
    return item_value(&s->item[n], i);
}
