/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/columns.h"

const char *column_value(char buffer[COLUMN_VALUE_MAX],
                         const struct estimate_column *c,
                         const struct estimate_point *p)
{
    const char *text = estimate_column_string(c, p);
    if (text != NULL)
        return text;
    estimate_column_text(buffer, COLUMN_VALUE_MAX, c, p);
    return buffer;
}

void swept_text(char out[COLUMN_VALUE_MAX], const struct estimate_key *key,
                double value)
{
    estimate_key_text(key, value, out, COLUMN_VALUE_MAX);
}
