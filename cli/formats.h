/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The output formats. A format is one file with one writer and one line in the
 * table of formats.c. */
#ifndef CLI_FORMATS_H
#define CLI_FORMATS_H

#include "cli/launches.h"
#include "cli/report.h"

struct format {
    const char *name;      /* of --format */
    const char *extension; /* of -o FILE, with the dot */
    void (*write)(FILE *f, const struct report *r);
    /* Of a program; NULL: it is not written so. */
    void (*write_launches)(FILE *f, const struct launch_report *r);
    /* A point by itself, which is printed as soon as it is known; NULL: only
     * the whole report is. */
    void (*write_point)(FILE *f, const struct plan *p, const struct row *row);
    /* Rows of a part of the designs, one part after another; NULL: only the
     * whole report is written. */
    void (*write_part)(FILE *f, const struct report *r, bool first);
};

/* NULL with e set, ESTIMATE_USAGE, when there is none of that name. */
const struct format *format_by_name(const char *name, struct estimate_error *e);
const struct format *format_by_extension(const char *path,
                                         struct estimate_error *e);

/* Whether a command writes the formats of --format and every -o; e names the
 * first that it does not and those `expected`, ESTIMATE_USAGE. */
bool check_formats(const struct options *o,
                   bool (*is_written)(const struct format *f),
                   const char *command, const char *expected,
                   struct estimate_error *e);

/* What goes to a file, as a format has it. */
struct written {
    void (*write)(FILE *f, const struct format *format, const void *what);
    const void *what;
    bool interrupted; /* not all of it is there */
    /* Why write() could not make it, its status set by write(); NULL: it always
     * can. */
    const struct estimate_error *failure;
};

/* Write to path: to a temporary file beside it that is renamed when whole, so
 * that path never holds half a report. What is not a regular file (a device, a
 * pipe) is written directly. A file that is there stays as it is, with a note
 * on standard error, when the report was interrupted. */
bool write_file(const char *path, const struct format *format,
                const struct written *w, struct estimate_error *e);

/* To the file of every -o, also after one that failed. Of several failures the
 * last is left in e, the others are told here. */
bool write_outputs(const struct options *o, const struct written *w,
                   struct estimate_error *e);

/* Whether write_file() has a chance, before anything is computed. */
bool check_writable(const char *path, struct estimate_error *e);

void write_table(FILE *f, const struct report *r);
void write_html(FILE *f, const struct report *r);
void write_markdown(FILE *f, const struct report *r);
void write_csv(FILE *f, const struct report *r);
void write_csv_part(FILE *f, const struct report *r, bool first);
void write_json(FILE *f, const struct report *r);
void write_jsonl(FILE *f, const struct report *r);
void write_jsonl_part(FILE *f, const struct report *r, bool first);
void write_jsonl_point(FILE *f, const struct plan *p, const struct row *row);

void write_launches_table(FILE *f, const struct launch_report *r);
void write_launches_csv(FILE *f, const struct launch_report *r);
void write_launches_json(FILE *f, const struct launch_report *r);

/* A field of a CSV row, in quotes where it needs them. */
void put_csv_text(FILE *f, const char *text);
/* A point with its swept keys as an object of JSON, on one line. */
void put_json_point(FILE *f, const struct plan *p, const struct row *row);
#define JSON_SCHEMA_VERSION 1
/* The member "metadata" with a comma behind it, without its studies where these
 * are too many to be of use. */
void put_json_metadata(FILE *f, const struct report *r, bool studies);
/* A string of JSON. */
void put_json_text(FILE *f, const char *text);

#endif
