/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/hardware.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "20 % less", "44 % more" */
static void end_text(char *out, size_t size, double pct)
{
    snprintf(out, size, "%.0f %% %s", fabs(pct), pct < 0 ? "less" : "more");
}

static bool is_measured(const struct plan_case *c)
{
    return estimate_gpu_measured(c->variant->gpu).kernels > 0;
}

/* A GPU with keys of its own has the name of the one it is made from. */
static bool same_gpu(const struct plan_case *a, const struct plan_case *b)
{
    return strcmp(case_gpu(a), case_gpu(b)) == 0 &&
           is_measured(a) == is_measured(b);
}

/* Whether a case before `which` is on the same GPU. */
static bool was_before(const struct report *r, size_t which)
{
    for (size_t i = 0; i < which; i++)
        if (same_gpu(r->at[i].at, r->at[which].at))
            return true;
    return false;
}

/* GPUs of which a key was set. */
static const char designs[] = "designs of ";
static const char unmeasured[] = ": no kernel was compared with hardware";

void hardware_text(char *out, size_t size, const struct plan_case *c,
                   const struct options *o)
{
    const struct estimate_measured m = estimate_gpu_measured(c->variant->gpu);
    char low[32], high[32];
    if (m.kernels == 0) {
        snprintf(out, size, "%s%s%s", o->settings > 0 ? designs : "",
                 case_gpu(c), unmeasured);
        return;
    }
    end_text(low, sizeof(low), -m.less_pct);
    end_text(high, sizeof(high), m.more_pct);
    snprintf(out, size,
             "%s: %d of %d kernels on hardware took %s to %s cycles than "
             "samples say",
             case_gpu(c), m.held, m.kernels, low, high);
}

/* The GPUs of which nothing is known, as far as there is room; empty without
 * any. */
static void unmeasured_text(char *out, size_t size, const struct report *r)
{
    size_t used = 0;
    bool changed = r->plan->keys > 0 || r->options->settings > 0;
    const char *before = changed ? designs : "";
    out[0] = '\0';
    for (size_t i = 0; i < r->cases && used < size; i++)
        if (!is_measured(r->at[i].at) && !was_before(r, i))
            used += (size_t)snprintf(out + used, size - used, "%s%s",
                                     used > 0 ? ", " : before,
                                     case_gpu(r->at[i].at));
    if (used > 0 && used < size)
        snprintf(out + used, size - used, "%s", unmeasured);
}

void hardware_tell(const struct report *r, void *user,
                   void (*put)(void *user, const char *text))
{
    char text[HARDWARE_TEXT];
    for (size_t i = 0; i < r->cases; i++) {
        if (!is_measured(r->at[i].at) || was_before(r, i))
            continue;
        hardware_text(text, sizeof(text), r->at[i].at, r->options);
        put(user, text);
    }
    unmeasured_text(text, sizeof(text), r);
    if (text[0] != '\0')
        put(user, text);
}

static void put_line(void *user, const char *text)
{
    page_put(user, 2, "%s", text);
}

void put_hardware(const struct page *page, const struct report *r)
{
    struct page p = *page;
    hardware_tell(r, &p, put_line);
}
