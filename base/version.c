/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ESTIMATE_VERSION and, in a git checkout, ESTIMATE_REVISION come from the
 * Makefile. */
#include "base/version.h"

#include <stddef.h>

const char build_version[] = ESTIMATE_VERSION;
#ifdef ESTIMATE_REVISION
const char *const build_revision = ESTIMATE_REVISION;
#else
const char *const build_revision = NULL;
#endif
