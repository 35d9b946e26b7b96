/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/values.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    unsigned long long value = strtoull(text, NULL, 10);
    if (errno != 0 || value < min || value > max)
        return false;
    *out = value;
    return true;
}

static size_t digits(const char *p)
{
    return strspn(p, "0123456789");
}

/* Length of the number at the start of text, 0 when there is none. */
static size_t number_length(const char *text)
{
    size_t n = digits(text);
    if (n == 0)
        return 0;
    if (text[n] == '.' && isdigit((unsigned char)text[n + 1]))
        n += 1 + digits(text + n + 1);
    if (text[n] == 'e' || text[n] == 'E') {
        size_t sign = text[n + 1] == '+' || text[n + 1] == '-';
        size_t exponent = digits(text + n + 1 + sign);
        if (exponent > 0)
            n += 1 + sign + exponent;
    }
    return n;
}

bool scan_real(const char **text, double *out)
{
    char number[64];
    size_t n = number_length(*text);
    if (n == 0 || n >= sizeof(number))
        return false;
    memcpy(number, *text, n);
    number[n] = '\0';
    *out = strtod(number, NULL);
    *text += n;
    return isfinite(*out);
}

bool parse_real(const char *text, double *out)
{
    return scan_real(&text, out) && *text == '\0';
}

bool parse_amount(const char *text, uint64_t min, uint64_t max, uint64_t *out)
{
    static const char unit[] = "kMG";
    double value, exact = 0x1p53;
    if (parse_u64(text, min, max, out))
        return true;
    if (!scan_real(&text, &value))
        return false;
    const char *at = *text != '\0' ? strchr(unit, *text) : NULL;
    if (at != NULL)
        value *= pow(1000, (double)(at - unit + 1));
    value = round(value);
    if (text[at != NULL] != '\0' || value > exact || value < (double)min ||
        value > (double)max)
        return false;
    *out = (uint64_t)value;
    return true;
}

bool list_next(const char **cursor, char out[VALUE_MAX])
{
    if (*cursor == NULL)
        return false;
    const char *comma = strchr(*cursor, ',');
    size_t n = comma != NULL ? (size_t)(comma - *cursor) : strlen(*cursor);
    if (n >= VALUE_MAX)
        n = VALUE_MAX - 1;
    memcpy(out, *cursor, n);
    out[n] = '\0';
    *cursor = comma != NULL ? comma + 1 : NULL;
    return true;
}
