/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "kernels/form/load_options.h"

struct load_options load_options_default(void)
{
    return (struct load_options){.seed = 1};
}
