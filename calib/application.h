/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies of applications. A point is run in full detail, all launches one
 * after another, because what a launch leaves in the caches is what the next
 * one begins with: hybrid results of applications are measured, not fitted. The
 * model alone adds up the launches, each as if caches were cold. */
#ifndef CALIB_APPLICATION_H
#define CALIB_APPLICATION_H

#include "calib/job.h"

/* Every point as the model alone has it; false with job->error set. */
bool application_model(struct job *job);

#endif
