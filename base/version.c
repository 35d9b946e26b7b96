/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * ESTIMATE_VERSION, ESTIMATE_SOURCES and, in a git checkout, ESTIMATE_REVISION
 * come from the Makefile. */
#include "base/version.h"

#include <stddef.h>

const char build_version[] = ESTIMATE_VERSION;
const char build_sources[] = ESTIMATE_SOURCES;
#ifdef ESTIMATE_REVISION
const char *const build_revision = ESTIMATE_REVISION;
#else
const char *const build_revision = NULL;
#endif
