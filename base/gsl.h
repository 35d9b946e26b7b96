/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BASE_GSL_H
#define BASE_GSL_H

/* Have GSL return its errors. Its own handler ends the process, and there is
 * one handler for all threads, so it is set once and stays. To be called before
 * any function of GSL that may fail, from any thread. */
void gsl_return_errors(void);

#endif
