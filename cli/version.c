/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ESTIMATE_VERSION and, in a git checkout, ESTIMATE_REVISION come from the
 * Makefile. */
#include "cli/version.h"

#include <stddef.h>

const char version[] = ESTIMATE_VERSION;
#ifdef ESTIMATE_REVISION
const char *const revision = ESTIMATE_REVISION;
#else
const char *const revision = NULL;
#endif
