/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CLI_VERSION_H
#define CLI_VERSION_H

extern const char version[];
extern const char *const revision; /* git's, NULL when not built from one */

#endif
