/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * estimate completions: what a shell completes after `estimate`, from the
 * tables of commands and options. */
#include "cli/commands.h"
#include "cli/options_table.h"

#include <string.h>

/* A text in single quotes of a shell, where `escape` stands for a quote. */
static void put_quoted(const char *text, const char *escape)
{
    putchar('\'');
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs(escape, stdout);
        else
            putchar(*text);
    putchar('\'');
}

static void put_commands(const char *separator)
{
    for (int i = 0, n = 0; i < COMMANDS; i++)
        if (command_info[i].name != NULL)
            printf("%s%s", n++ > 0 ? separator : "", command_info[i].name);
}

/* "--sweep --sched", of one command; COMMANDS: of all. */
static void put_options(int command)
{
    for (size_t i = 0, n = 0; i < option_count; i++)
        if (command == COMMANDS ||
            (option_table[i].commands >> command & 1) != 0)
            printf("%s--%s", n++ > 0 ? " " : "", option_table[i].name);
}

/* ---- bash ---------------------------------------------------------------- */

static void put_bash(void)
{
    puts("_estimate() {\n"
         "    local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
         "    local options\n"
         "    COMPREPLY=()\n"
         "    case $command in");
    for (int i = 0; i < COMMANDS; i++) {
        if (command_info[i].name == NULL)
            continue;
        printf("    %s) options='", command_info[i].name);
        put_options(i);
        puts("' ;;");
    }
    fputs("    *) options='", stdout);
    put_options(COMMAND_ESTIMATE);
    puts("' ;;\n"
         "    esac\n"
         "    if [[ $cur == -* ]]; then\n"
         "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
         "    elif [[ $COMP_CWORD == 1 ]]; then");
    fputs("        COMPREPLY=($(compgen -W '", stdout);
    put_commands(" ");
    puts("' -- \"$cur\")"
         " $(compgen -f -- \"$cur\"))\n"
         "    else\n"
         "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
         "    fi\n"
         "}\n"
         "complete -o filenames -F _estimate estimate");
}

/* ---- zsh ----------------------------------------------------------------- */

/* The help of an option in brackets, which may hold no others. */
static void put_zsh_help(const char *help)
{
    for (; *help != '\0'; help++)
        if (*help == '\'')
            fputs("'\\''", stdout);
        else if (strchr("[]:", *help) != NULL)
            printf("\\%c", *help);
        else
            putchar(*help);
}

static void put_zsh(void)
{
    fputs("#compdef estimate\n_arguments \\\n    '1:command:(", stdout);
    put_commands(" ");
    puts(")' \\");
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        printf("    '*--%s%s[", row->name, row->argument != NULL ? "=" : "");
        put_zsh_help(row->help);
        printf("]%s%s' \\\n", row->argument != NULL ? ":" : "",
               row->argument != NULL ? "value:_files" : "");
    }
    puts("    '*:input:_files'");
}

/* ---- fish ---------------------------------------------------------------- */

static void put_fish(void)
{
    for (int i = 0; i < COMMANDS; i++) {
        if (command_info[i].name == NULL)
            continue;
        printf("complete -c estimate -n __fish_use_subcommand -a %s -d ",
               command_info[i].name);
        put_quoted(command_info[i].help, "\\'");
        putchar('\n');
    }
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        printf("complete -c estimate -l %s", row->name);
        if (row->letter != 0)
            printf(" -s %c", row->letter);
        printf("%s -d ", row->argument != NULL ? " -r" : "");
        put_quoted(row->help, "\\'");
        printf(" # --%s\n", row->name);
    }
}

static const struct shell {
    const char *name;
    void (*put)(void);
} shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};
#define SHELLS (sizeof(shells) / sizeof(shells[0]))

int run_completions(const struct options *o, struct estimate_error *e)
{
    for (size_t i = 0; i < SHELLS && o->inputs == 1; i++)
        if (strcmp(o->input[0], shells[i].name) == 0) {
            shells[i].put();
            return ESTIMATE_OK;
        }
    fail(e, ESTIMATE_USAGE, "completions: expected bash, zsh or fish");
    return ESTIMATE_USAGE;
}
