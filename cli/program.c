/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/program.h"

#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the program's file -------------------------------------------------- */

static bool find(char *out, const char *name, struct estimate_error *e)
{
    const char *folders = getenv("PATH");
    if (strchr(name, '/') != NULL || folders == NULL) {
        snprintf(out, PATH_BYTES, "%s", name);
        return access(name, X_OK) == 0 ||
               fail(e, ESTIMATE_BAD_INPUT, "%s: %s", name, strerror(errno));
    }
    while (*folders != '\0') {
        size_t length = strcspn(folders, ":");
        snprintf(out, PATH_BYTES, "%.*s/%s", (int)length, folders, name);
        if (access(out, X_OK) == 0)
            return true;
        folders += length + (folders[length] == ':');
    }
    return fail(e, ESTIMATE_BAD_INPUT,
                "%s: found no such program in PATH (a program of this folder "
                "is ./%s)",
                name, name);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    struct stat s;
    FILE *f = fopen(path, "rb");
    uint8_t *bytes = NULL;
    if (f != NULL && fstat(fileno(f), &s) == 0 && S_ISREG(s.st_mode))
        bytes = malloc((size_t)s.st_size + 1);
    *size = bytes != NULL ? fread(bytes, 1, (size_t)s.st_size, f) : 0;
    if (bytes != NULL)
        bytes[*size] = 0;
    if (f != NULL)
        fclose(f);
    return bytes;
}

struct elf {
    const uint8_t *bytes;
    size_t size;
    const Elf64_Ehdr *header;
};

static const void *at(const struct elf *f, uint64_t offset, uint64_t bytes)
{
    return offset <= f->size && bytes <= f->size - offset ? f->bytes + offset
                                                          : NULL;
}

static bool open_elf(struct elf *f, const uint8_t *bytes, size_t size)
{
    *f = (struct elf){bytes, size, NULL};
    f->header = at(f, 0, sizeof(*f->header));
    return f->header != NULL &&
           memcmp(f->header->e_ident, ELFMAG, SELFMAG) == 0 &&
           f->header->e_ident[EI_CLASS] == ELFCLASS64;
}

static const Elf64_Shdr *section(const struct elf *f, const char *name)
{
    const Elf64_Ehdr *h = f->header;
    const Elf64_Shdr *s = at(f, h->e_shoff, (uint64_t)h->e_shnum * sizeof(*s));
    if (s == NULL || h->e_shstrndx >= h->e_shnum)
        return NULL;
    const char *names =
        at(f, s[h->e_shstrndx].sh_offset, s[h->e_shstrndx].sh_size);
    size_t length = strlen(name) + 1;
    for (int i = 0; names != NULL && i < h->e_shnum; i++)
        if (s[i].sh_name < s[h->e_shstrndx].sh_size &&
            length <= s[h->e_shstrndx].sh_size - s[i].sh_name &&
            memcmp(names + s[i].sh_name, name, length) == 0)
            return &s[i];
    return NULL;
}

/* Whether it asks for a shared library whose name begins so. */
static bool needs(const struct elf *f, const char *library)
{
    const Elf64_Shdr *d = section(f, ".dynamic"), *s = section(f, ".dynstr");
    if (d == NULL || s == NULL)
        return false;
    const Elf64_Dyn *entry = at(f, d->sh_offset, d->sh_size);
    const char *names = at(f, s->sh_offset, s->sh_size);
    size_t length = strlen(library);
    for (size_t i = 0;
         entry != NULL && names != NULL && i < d->sh_size / sizeof(*entry);
         i++) {
        uint64_t name = entry[i].d_un.d_val;
        if (entry[i].d_tag == DT_NEEDED && name < s->sh_size &&
            length < s->sh_size - name &&
            memcmp(names + name, library, length) == 0)
            return true;
    }
    return false;
}

static bool check_elf(const struct elf *f, const char *name,
                      struct estimate_error *e)
{
    static const char *const known[] = {"libcudart.so.11.0", "libcudart.so.12",
                                        "libcudart.so.13"};
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (needs(f, known[i]))
            return true;
    if (needs(f, "libcudart.so"))
        return fail(e, ESTIMATE_BAD_INPUT,
                    "%s: found a version of the CUDA runtime that is not "
                    "known, expected 11 to 13",
                    name);
    if (section(f, ".nv_fatbin") != NULL)
        return fail(e, ESTIMATE_BAD_INPUT,
                    "%s: found the CUDA runtime inside the program, expected "
                    "it to be linked with nvcc -cudart shared",
                    name);
    return true;
}

bool program_check(char *out, const char *name, struct estimate_error *e)
{
    struct elf f;
    size_t size;
    if (!find(out, name, e))
        return false;
    uint8_t *bytes = read_file(out, &size);
    bool ok =
        bytes == NULL || !open_elf(&f, bytes, size) || check_elf(&f, name, e);
    free(bytes);
    return ok;
}

/* ---- the runtime --------------------------------------------------------- */

#define RUNTIME "libcudart.so.13"

/* The folder of our runtime: where `make` or `make install` leave it, as seen
 * from the program. */
static bool runtime_folder(char *out, struct estimate_error *e)
{
    static const char *const places[] = {"build/cuda", "cuda", "../cuda",
                                         "../lib/estimate"};
    char self[PATH_BYTES], path[2 * PATH_BYTES];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
    self[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(self, '/');
    if (slash != NULL)
        *slash = '\0';
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(out, PATH_BYTES, "%.3000s/%s", self, places[i]);
        snprintf(path, sizeof(path), "%s/%s", out, RUNTIME);
        if (access(path, R_OK) == 0)
            return true;
    }
    return fail(e, ESTIMATE_FAILED,
                "found no %s beside the program, expected it in %s", RUNTIME,
                out);
}

static void set_number(const char *name, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof(text), "%" PRIu64, value);
    if (value != 0)
        setenv(name, text, 1);
}

/* What cuda/runtime.c reads. */
static void set_environment(const struct options *o, const char *folder,
                            const char *runtime)
{
    const char *before = getenv("LD_LIBRARY_PATH");
    char path[3 * PATH_BYTES], sched[256];
    snprintf(path, sizeof(path), "%s%s%.8000s", runtime,
             before != NULL ? ":" : "", before != NULL ? before : "");
    snprintf(sched, sizeof(sched), "%.*s", (int)strcspn(o->sched, ","),
             o->sched);
    setenv("LD_LIBRARY_PATH", path, 1);
    setenv("ESTIMATE_RUN_FOLDER", folder, 1);
    setenv("ESTIMATE_RUN_GPU", o->gpu, 1);
    setenv("ESTIMATE_RUN_SCHED", strcmp(sched, "all") != 0 ? sched : "gto", 1);
    if (o->kernel != NULL)
        setenv("ESTIMATE_RUN_KERNEL", o->kernel, 1);
    set_number("ESTIMATE_RUN_THREADS", o->threads);
    set_number("ESTIMATE_RUN_CHECK_INIT", o->check_init);
    set_number("ESTIMATE_RUN_CHECK_RACES", o->check_races);
    set_number("ESTIMATE_RUN_LAUNCH", o->only_launch);
    set_number("ESTIMATE_RUN_MAX_LAUNCHES", o->max_launches);
}

_Noreturn static void become(const char *path, char *const *argv,
                             const struct options *o, const char *folder,
                             const char *runtime)
{
    set_environment(o, folder, runtime);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* it does not outlive the command */
    execv(path, argv);
    fprintf(stderr, "estimate: %s: %s\n", path, strerror(errno));
    _exit(ESTIMATE_BAD_INPUT);
}

/* The exit status, as shells have it for a program that a signal ended. Signals
 * of the terminal reach the program itself: what it does then is its own
 * matter. */
static int wait_for(pid_t child, const char *path)
{
    int status = 0;
    void (*old)(int) = signal(SIGINT, SIG_IGN);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    signal(SIGINT, old);
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "estimate: %s: ended by signal %d (%s)\n", path,
            WTERMSIG(status), strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

bool program_run(int *status, const char *path, char *const *argv,
                 const struct options *o, const char *folder,
                 struct estimate_error *e)
{
    char runtime[PATH_BYTES];
    if (!runtime_folder(runtime, e))
        return false;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return fail(e, ESTIMATE_FAILED, "%s: %s", path, strerror(errno));
    if (child == 0)
        become(path, argv, o, folder, runtime);
    *status = wait_for(child, path);
    return true;
}
