/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/options_table.h"

#define OPTION_COLUMN 24 /* where the help of an option starts */

static void print_option(FILE *f, const struct option_row *row)
{
    char left[64];
    char letter[8] = "    ";
    if (row->letter != 0)
        snprintf(letter, sizeof(letter), "-%c, ", row->letter);
    snprintf(left, sizeof(left), "  %s--%s %s", letter, row->name,
             row->argument != NULL ? row->argument : "");
    fprintf(f, "%-*s %s", OPTION_COLUMN, left, row->help);
    if (row->fallback != NULL)
        fprintf(f, " (default %s)", row->fallback);
    fputc('\n', f);
}

void options_help(FILE *f)
{
    fputs("Predicts the cycles of GPU kernels for every number of resident\n"
          "thread blocks and every scheduling policy, and which to use.\n\n",
          f);
    for (int i = 0; i < COMMANDS; i++) {
        const struct command_info *c = &command_info[i];
        fprintf(f, "%s estimate %s%s%s\n", i == 0 ? "usage:" : "      ",
                c->name != NULL ? c->name : "", c->name != NULL ? " " : "",
                c->operands);
    }
    fputs("\ncommands:\n", f);
    for (int i = 0; i < COMMANDS; i++)
        fprintf(f, "  %-*s %s\n", OPTION_COLUMN - 2,
                command_info[i].name != NULL ? command_info[i].name : "(none)",
                command_info[i].help);
    fputs(
        "\nINPUT is a bundled kernel's name, a .kernel, .cu, .ptx, .launch or\n"
        ".traceg[.xz] file, a kernelslist.g or a folder that holds one. "
        "Without\n"
        "INPUT:\n"
        "the 14 kernels of paws Table II. LIST is comma separated, with\n"
        "parameters after a colon: gto,tlgto:8.\n\noptions:\n",
        f);
    for (size_t i = 0; i < option_count; i++)
        print_option(f, &option_table[i]);
    fputs("\nexit: 0 done, 1 failed, 2 usage, 3 bad input, 4 a limit was hit\n"
          "(results partial), 130 interrupted. See estimate(1).\n",
          f);
}
