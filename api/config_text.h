/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef API_CONFIG_TEXT_H
#define API_CONFIG_TEXT_H

struct gpu;

/* g in the syntax of a configuration file, to be freed; NULL without memory. */
char *config_text(const struct gpu *g);

#endif
