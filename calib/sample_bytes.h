/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What came of a sample as bytes, the same on every machine, with a sum that
 * tells damaged ones. A field of struct sample that a run fills has its line in
 * sample_bytes.c. */
#ifndef CALIB_SAMPLE_BYTES_H
#define CALIB_SAMPLE_BYTES_H

#include "calib/sample.h"

/* A word for each real and whole number. */
#define SAMPLE_BYTES_MAX 816

/* Returns how many bytes were written. */
size_t sample_pack(unsigned char out[SAMPLE_BYTES_MAX],
                   const struct sample *sample);

/* Fill what sample_run() fills. False, with the sample as it was, when the
 * bytes are none of sample_pack(). */
bool sample_unpack(struct sample *sample, const unsigned char *bytes,
                   size_t size);

#endif
