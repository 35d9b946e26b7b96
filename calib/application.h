/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Studies of applications. A point is run in full detail, all launches one
 * after another, because what a launch leaves in the caches is what the next
 * one begins with; one that is too heavy for that is taken apart
 * (application_parts.h). The model alone adds up the launches, each as if
 * caches were cold. */
#ifndef CALIB_APPLICATION_H
#define CALIB_APPLICATION_H

#include "calib/job.h"

/* Every point as the model alone has it; false with job->error set. */
bool application_model(struct job *job);

/* The sum of its launches, from 0 on: add one that is launched `times` over,
 * then take shares of the time of all. */
void application_add(struct result *sum, const struct result *r, double times);
void application_finish(struct result *sum, int sms);

#endif
