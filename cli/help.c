/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options_table.h"
#include "cli/page.h"

#define OPTION_COLUMN 24 /* where the help of an option starts */

static void put_option(const struct page *page, const struct option_row *row)
{
    char left[64];
    char letter[8] = "    ";
    if (row->letter != 0)
        snprintf(letter, sizeof(letter), "-%c, ", row->letter);
    snprintf(left, sizeof(left), "  %s--%s %s", letter, row->name,
             row->argument != NULL ? row->argument : "");
    page_put(page, OPTION_COLUMN + 1, "%-*s %s%s%s%s", OPTION_COLUMN, left,
             row->help, row->fallback != NULL ? " (default " : "",
             row->fallback != NULL ? row->fallback : "",
             row->fallback != NULL ? ")" : "");
}

/* Those that a command takes. */
static void put_options(const struct page *page, unsigned commands)
{
    fputs("\noptions:\n", page->f);
    for (size_t i = 0; i < option_count; i++)
        if ((option_table[i].commands & commands) != 0)
            put_option(page, &option_table[i]);
}

static void put_usage(const struct page *page, enum command_id command,
                      const char *before)
{
    const struct command_info *c = &command_info[command];
    fprintf(page->f, "%s estimate %s%s%s\n", before,
            c->name != NULL ? c->name : "", c->name != NULL ? " " : "",
            c->operands);
}

static void put_commands(const struct page *page)
{
    for (int i = 0; i < COMMANDS; i++)
        put_usage(page, (enum command_id)i, i == 0 ? "usage:" : "      ");
    fputs("\ncommands:\n", page->f);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(page->f, "  %-*s %s\n", OPTION_COLUMN - 2,
                command_info[i].name != NULL ? command_info[i].name : "(none)",
                command_info[i].help);
    fputc('\n', page->f);
    page_put(page, 0,
             "INPUT is a bundled kernel's name, a .kernel, .cu, .ptx, .launch "
             "or .traceg[.xz] file, a kernelslist.g or a folder that holds "
             "one. Without INPUT: the 14 kernels of paws Table II. LIST is "
             "comma separated, with parameters after a colon: gto,tlgto:8.");
    fputc('\n', page->f);
    page_put(page, 0,
             "Begin with: estimate lud; estimate explain lud; estimate lud "
             "--sched all --gpu v100. What there is: estimate list kernels, "
             "gpus. The options of one command: estimate COMMAND --help.");
}

void options_help(FILE *f, enum command_id command)
{
    const struct page page = page_open(f, COLOR_NEVER, false);
    if (command == COMMAND_ESTIMATE) {
        page_put(&page, 0,
                 "Predicts the cycles of GPU kernels for every number of "
                 "resident thread blocks and every scheduling policy, and "
                 "which to use.");
        fputc('\n', f);
        put_commands(&page);
        put_options(&page, ~0u);
    } else {
        put_usage(&page, command, "usage:");
        page_put(&page, 0, "%s; estimate --help says what INPUT and LIST are.",
                 command_info[command].help);
        put_options(&page, 1u << command);
    }
    fputc('\n', f);
    page_put(&page, 0,
             "exit: 0 done, 1 failed, 2 usage, 3 bad input, 4 a limit was hit "
             "(results partial), 5 --gate, 130 interrupted. See estimate(1).");
}
