/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading the settings of a libconfig file so that every complaint names file
 * and line. Functions that return false have set the file's error. */
#ifndef KERNELS_FILE_CONFIG_FILE_H
#define KERNELS_FILE_CONFIG_FILE_H

#include "kernels/file/config_text.h"
#include "kernels/form/kernel.h"

#include <libconfig.h>

struct config_file {
    struct source_text source;
    struct error *e;
    config_t config;
    struct program_texts programs;
};

/* Parse text, size bytes and a NUL. config_file_close() also after a
 * failure. */
bool config_file_open(struct config_file *f, const char *text, size_t size,
                      const char *path, struct error *e);
void config_file_close(struct config_file *f);

bool fail_at_line(const struct config_file *f, unsigned line,
                  const char *message);
/* "found 'NAME OF s', expected ..." at the line of s. */
bool fail_setting(const struct config_file *f, const config_setting_t *s,
                  const char *expected);

/* Every member of `group` must be one of the `count` keys. */
bool check_keys(const struct config_file *f, const config_setting_t *group,
                const char *const *keys, size_t count);

bool read_number(const struct config_file *f, const config_setting_t *s,
                 int64_t low, int64_t high, int64_t *out);
/* A whole number of 32 bits that may be left out; *out keeps its value then. */
bool read_optional(const struct config_file *f, const config_setting_t *group,
                   const char *key, int64_t low, int64_t high, uint32_t *out);
/* A copy of the string in place of *out, unless it is left out. */
bool read_string(const struct config_file *f, const char *key, char **out);
bool copy_string(const struct config_file *f, const char *from, char **out);

/* One to three numbers, or one alone, each by `read`. */
typedef bool dimension_reader(const struct config_file *f,
                              const config_setting_t *s, void *user,
                              int64_t *out);
bool read_dimensions(const struct config_file *f, const config_setting_t *s,
                     dimension_reader *read, void *user, struct dim3 *out);

#endif
