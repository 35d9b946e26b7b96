/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate entries: the kernels of a PTX file, with what a launch of each has
 * to say. */
#include "cli/commands.h"
#include "cli/header.h"
#include "cli/names.h"
#include "cli/options.h"
#include "cli/page.h"

#include <string.h>

/* Registers and shared memory; unknown where the entry needs what is not
 * supported. */
static void resources_text(char *out, size_t size, const struct options *o,
                           const struct estimate_entry *entry)
{
    struct estimate_launch with = o->launch;
    struct estimate_error why;
    char registers[32];
    with.entry = entry->name;
    with.code_only = true;
    with.grid = with.block = (struct estimate_dim){1, 1, 1};
    struct estimate_input *in = estimate_input_load(o->input[0], &with, &why);
    if (in == NULL) {
        snprintf(out, size, "%s", why.text);
        return;
    }
    const struct estimate_launch_info *l =
        estimate_kernel_launch(estimate_input_kernel(in, 0), 0);
    registers_text(registers, sizeof(registers), l);
    snprintf(out, size, "%s registers (%s), %u bytes of shared memory",
             registers, l->registers_from, l->shared_bytes);
    estimate_input_free(in);
}

static void put_entry(const struct page *page, const struct options *o,
                      const struct estimate_entry *entry)
{
    char name[NAME_BYTES], resources[1024], types[1024] = "none";
    size_t used = 0;
    name_text(name, sizeof(name), entry->name, o->mangled);
    resources_text(resources, sizeof(resources), o, entry);
    for (size_t i = 0; i < entry->parameters && used < sizeof(types); i++)
        used += (size_t)snprintf(types + used, sizeof(types) - used, "%s%s",
                                 i > 0 ? ", " : "", entry->parameter[i]);
    page_put(page, 2, "%s", name);
    if (strcmp(name, entry->name) != 0)
        page_put(page, 4, "  --entry %s", entry->name);
    page_put(page, 4, "  %s; parameters: %s", entry->target, types);
    page_put(page, 4, "  %s", resources);
    if (entry->max_threads > 0)
        page_put(page, 4, "  at most %u threads a block", entry->max_threads);
}

int run_entries(const struct options *o, struct estimate_error *e)
{
    const struct estimate_entry *entry;
    if (o->inputs != 1) {
        fail(e, ESTIMATE_USAGE, "entries: expected one FILE.ptx, found %zu",
             o->inputs);
        return ESTIMATE_USAGE;
    }
    struct estimate_entries *all = estimate_entries_load(o->input[0], e);
    if (all == NULL)
        return e->status;
    const struct page page = page_open(stdout, COLOR_NEVER, false);
    for (size_t i = 0; (entry = estimate_entry(all, i)) != NULL; i++)
        put_entry(&page, o, entry);
    estimate_entries_free(all);
    return ESTIMATE_OK;
}
