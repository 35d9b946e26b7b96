/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "calib/news.h"

static void tell_row(const struct batch *b, struct job *job, int tb)
{
    const struct calib_options *o = b->options;
    if (job->told[tb])
        return;
    job->told[tb] = true;
    for (int q = 0; o->known != NULL && q < job->study->policy_count; q++)
        o->known(o->user, (size_t)(job - b->job), job_at(job, tb, q));
}

/* Whether it was the last of its row, which is then as it will be. */
static bool ends_row(struct job *job, const struct sample *s)
{
    return job->options->mode == MODE_DETAILED && s->done && !s->partial &&
           ++job->ended[s->tb_index] == job->study->policy_count;
}

void news_sample(struct batch *b, struct job *job, const struct sample *s)
{
    const struct calib_options *o = b->options;
#pragma omp critical(calib_news)
    {
        if (o->progress != NULL)
            o->progress(o->user, ++b->done, b->total);
        if (o->ended != NULL)
            o->ended(o->user, (size_t)(job - b->job));
        if (ends_row(job, s)) {
            detailed_row(job, s->tb_index);
            tell_row(b, job, s->tb_index);
        }
    }
}

void news_job(const struct batch *b, struct job *job)
{
#pragma omp critical(calib_news)
    for (int tb = 0; tb < job->study->tb_count; tb++)
        tell_row(b, job, tb);
}
