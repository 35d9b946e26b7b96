/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

extern const char build_version[];
extern const char build_sources[];       /* hash of all that decides a sample */
extern const char *const build_revision; /* git's, NULL when not known */

#endif
