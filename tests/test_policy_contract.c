/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The policies' layer: what is refused, what goes for a callback left out,
 * roles, names, and policies that a program adds. */
#include "sampler/memory/cache.h"
#include "sampler/policy/block/block_scheduler.h"
#include "sampler/policy/check.h"
#include "sampler/policy/warp/table.h"
#include "tests/plain_policies.h"
#include "tests/script_gate.h"

static const struct policy_info *built_in(enum policy_kind kind, size_t i)
{
    return policy_at(NULL, kind, i);
}

/* ---- the contracts ------------------------------------------------------ */

START_TEST(built_in_policies_keep_the_contract)
{
    const struct policy_info *info;
    struct error e;
    for (size_t i = 0; (info = built_in(_i, i)) != NULL; i++) {
        ck_assert_msg(policy_check((enum policy_kind)_i, info, &e), "%s",
                      e.text);
        ck_assert_ptr_nonnull(info->summary);
        ck_assert_ptr_nonnull(info->paper);
    }
}
END_TEST

static uint64_t any_eligible(void *state, const struct warp_table *table,
                             uint64_t cycle)
{
    (void)state;
    (void)cycle;
    return table->live;
}

static uint64_t never_due(const void *state)
{
    (void)state;
    return UINT64_MAX;
}

static uint64_t never_sampled(const void *state, int sm)
{
    (void)state;
    (void)sm;
    return UINT64_MAX;
}

static void no_event(void *state, const struct warp_table *table,
                     const struct sched_event *event)
{
    (void)state;
    (void)table;
    (void)event;
}

static bool has_departed(const void *state)
{
    (void)state;
    return false;
}

#define PARAM(least, most, otherwise)                                          \
    {                                                                          \
        {                                                                      \
            .name = "n", .min = (least), .max = (most),                        \
            .fallback = (otherwise)                                            \
        }                                                                      \
    }

static const struct {
    struct warp_policy policy;
    const char *words[2]; /* of the error; NULL: it is in order */
} warp_cases[] = {
    {{.info = {.name = "young"}, .pick = plain_pick}, {NULL}},
    {{.info = {.name = "young"}}, {"scheduler 'young'", "'pick'"}},
    {{.info = {.name = "young"}, .pick = plain_pick, .events = EVENT_ISSUE},
     {"scheduler 'young'", "'event'"}},
    {{.info = {.name = "young"}, .pick = plain_pick, .event = no_event},
     {"scheduler 'young'", "'event'"}},
    {{.info = {.name = "young"}, .pick = plain_pick, .next_change = never_due},
     {"scheduler 'young'", "'eligible'"}},
    {{.info = {.name = "young"},
      .pick = plain_pick,
      .eligible = any_eligible,
      .next_change = never_due},
     {NULL}},
    {{.info = {.name = "young"}, .pick = plain_pick, .departed = has_departed},
     {"scheduler 'young'", "'base'"}},
    {{.info = {.name = "young"}, .pick = plain_pick, .base = &warp_gto},
     {"scheduler 'young'", "'departed'"}},
    {{.pick = plain_pick}, {"a scheduler", "no name"}},
    {{.info = {.name = ""}, .pick = plain_pick}, {"a scheduler", "no name"}},
    {{.info = {.name = "all"}, .pick = plain_pick}, {"'all'", "name"}},
    {{.info = {.name = "a:8"}, .pick = plain_pick}, {"'a:8'", "name"}},
    {{.info = {.name = "a,b"}, .pick = plain_pick}, {"'a,b'", "name"}},
    {{.info = {.name = "young", .param = PARAM(1, 8, 8)}, .pick = plain_pick},
     {NULL}},
    {{.info = {.name = "young", .param = PARAM(1, 8, 9)}, .pick = plain_pick},
     {"young", "'n'"}},
    {{.info = {.name = "young", .param = PARAM(1, 8, 1.5)}, .pick = plain_pick},
     {"young", "'n'"}},
};
#define WARP_CASES (sizeof(warp_cases) / sizeof(warp_cases[0]))

static void assert_checked(enum policy_kind kind,
                           const struct policy_info *info,
                           const char *const *words)
{
    struct error e = {.text = ""};
    ck_assert_int_eq(policy_check(kind, info, &e), words[0] == NULL);
    for (int i = 0; i < 2 && words[0] != NULL; i++)
        ck_assert_msg(strstr(e.text, words[i]) != NULL, "'%s' lacks %s", e.text,
                      words[i]);
    if (words[0] != NULL)
        ck_assert_int_eq(e.status, STATUS_USAGE);
}

START_TEST(contract_of_warp_schedulers)
{
    assert_checked(POLICY_WARP, &warp_cases[_i].policy.info,
                   warp_cases[_i].words);
}
END_TEST

START_TEST(contract_of_the_others)
{
    const char *const fine[2] = {NULL};
    const struct block_policy sampled = {.info = {.name = "sampled"},
                                         .sample_at = never_sampled};
    const struct cache_policy full = {.info = {.name = "full"}};
    assert_checked(POLICY_BLOCK, &plain_block.info, fine);
    assert_checked(
        POLICY_BLOCK, &sampled.info,
        (const char *[]){"thread-block scheduler 'sampled'", "'event'"});
    assert_checked(POLICY_L1, &plain_cache.info, fine);
    assert_checked(POLICY_L1, &full.info,
                   (const char *[]){"L1 policy 'full'", "'victim'"});
}
END_TEST

/* ---- runs under them ---------------------------------------------------- */

static bool run_under(struct sampler_run *out, struct policy_set p,
                      struct error *e)
{
    struct gpu g = plain_gpu();
    g.sms = 2;
    g.l1.ways = PLAIN_WAYS;
    g.l1.size_kb = 0.001 * PLAIN_WAYS * g.l1.line_bytes; /* one set */
    struct script s = SCRIPT(MEM(OP_LOAD, SPACE_GLOBAL, 1, 2, 4, OWN_LINES),
                             ALU(OP_SP, 3, 1, 3));
    s.repeat = 12;
    struct kernel *k = script_kernel(&s, 9, 2);
    struct sampler_options o = {.max_cycles = 0};
    bool ok = sampler_simulate(out,
                               &(struct sampler_job){.kernel = &k,
                                                     .kernels = 1,
                                                     .gpu = &g,
                                                     .policies = &p,
                                                     .options = &o},
                               e);
    k->ops->destroy(k);
    return ok;
}

static struct policy_set with(const struct warp_policy *warp,
                              const struct block_policy *block,
                              const struct cache_policy *l1)
{
    return (struct policy_set){.warp = choice_of(&warp->info),
                               .block = choice_of(&block->info),
                               .l1 = choice_of(&l1->info)};
}

/* Nothing but what is required, and no init. */
START_TEST(plain_policies_run)
{
    struct sampler_run r;
    struct error e;
    if (!run_under(&r, with(&plain_warp, &plain_block, &plain_cache), &e))
        ck_abort_msg("%s", e.text);
    ck_assert_uint_eq(r.counts.blocks_done, 9);
    ck_assert_int_eq(r.search.settled, 0);
}
END_TEST

START_TEST(null_policies_end_with_an_error)
{
    const struct {
        struct policy_set set;
        const char *words;
    } cases[] = {
        {with(&null_warp, &plain_block, &plain_cache), "for its scheduler"},
        {with(&plain_warp, &null_block, &plain_cache), "no block can be"},
        {with(&plain_warp, &plain_block, &null_cache), "waits for"},
    };
    struct sampler_run r;
    struct error e;
    ck_assert(!run_under(&r, cases[_i].set, &e));
    ck_assert_int_eq(e.status, STATUS_LIMIT);
    ck_assert_msg(strstr(e.text, "no warp can issue") != NULL, "%s", e.text);
    ck_assert_msg(strstr(e.text, cases[_i].words) != NULL, "%s", e.text);
}
END_TEST

START_TEST(a_run_refuses_what_is_missing)
{
    const struct warp_policy mute = {.info = {.name = "mute"}};
    const struct cache_policy full = {.info = {.name = "full"}};
    struct sampler_run r;
    struct error e;
    ck_assert(!run_under(&r, with(&mute, &plain_block, &plain_cache), &e));
    ck_assert_str_eq(e.text, "scheduler 'mute': no callback 'pick'");
    ck_assert(!run_under(&r, with(&plain_warp, &plain_block, &full), &e));
    ck_assert_str_eq(e.text, "L1 policy 'full': no callback 'victim'");
}
END_TEST

/* ---- defaults ----------------------------------------------------------- */

/* A thread-block policy of nothing but a name is rr. */
START_TEST(blocks_go_out_in_turn)
{
    const struct choice c = choice_of(&plain_block.info);
    const struct block_context kernel = {.max_blocks = 2, .blocks = 5};
    struct block_scheduler s;
    ck_assert(block_scheduler_init(&s, &c, 3));
    block_scheduler_start(&s, &kernel);
    ck_assert_int_eq(block_scheduler_limit(&s, 0), 2);
    ck_assert(block_scheduler_sample_at(&s, 0) == UINT64_MAX);
    ck_assert(!block_scheduler_settled(&s, 0));
    for (int block = 0; block < 5; block++) {
        int sm = block_scheduler_first_sm(&s);
        ck_assert_int_eq(sm, block % 3);
        ck_assert_uint_eq(block_scheduler_left(&s), 5 - (uint64_t)block);
        ck_assert_int_eq(block_scheduler_next(&s, sm), block);
    }
    ck_assert_int_eq(block_scheduler_next(&s, 0), -1);
    /* The next kernel begins behind the SM that finished last. */
    block_scheduler_event(
        &s, &(struct block_event){.type = BLOCK_EVENT_END, .sm = 0});
    block_scheduler_start(&s, &kernel);
    ck_assert_int_eq(block_scheduler_first_sm(&s), 1);
    ck_assert_int_eq(block_scheduler_next(&s, 1), 0);
    block_scheduler_free(&s);
}
END_TEST

static int64_t backwards(void *state, const struct block_context *context,
                         int sm)
{
    (void)state;
    (void)sm;
    return (int64_t)(context->blocks - 1 - context->handed_out);
}

/* What is not written goes on as in turn. */
START_TEST(one_callback_of_a_block_policy)
{
    const struct block_policy policy = {.info = {.name = "backwards"},
                                        .next = backwards};
    const struct choice c = choice_of(&policy.info);
    struct block_scheduler s;
    ck_assert(block_scheduler_init(&s, &c, 2));
    block_scheduler_start(&s, &(struct block_context){.blocks = 3});
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(block_scheduler_first_sm(&s), i % 2);
        ck_assert_int_eq(block_scheduler_next(&s, i % 2), 2 - i);
    }
    ck_assert_int_eq(block_scheduler_next(&s, 1), -1);
    block_scheduler_free(&s);
}
END_TEST

/* One SM full before the next. */
static int64_t fill_next(void *state, const struct block_context *context,
                         int sm)
{
    (void)state;
    for (int i = 0; i < sm; i++)
        if (context->resident[i] < context->max_blocks)
            return -1;
    return (int64_t)context->handed_out;
}

START_TEST(block_policies_see_what_is_resident)
{
    const struct block_policy policy = {.info = {.name = "fill"},
                                        .next = fill_next};
    const struct choice c = choice_of(&policy.info);
    struct block_scheduler s;
    ck_assert(block_scheduler_init(&s, &c, 2));
    block_scheduler_start(
        &s, &(struct block_context){.max_blocks = 2, .blocks = 9});
    ck_assert_int_eq(block_scheduler_next(&s, 1), -1);
    ck_assert_int_eq(block_scheduler_next(&s, 0), 0);
    ck_assert_int_eq(block_scheduler_next(&s, 1), -1);
    ck_assert_int_eq(block_scheduler_next(&s, 0), 1);
    ck_assert_int_eq(block_scheduler_next(&s, 1), 2);
    block_scheduler_event(
        &s, &(struct block_event){.type = BLOCK_EVENT_END, .sm = 0});
    ck_assert_int_eq(block_scheduler_next(&s, 1), -1);
    ck_assert_int_eq(block_scheduler_next(&s, 0), 3);
    block_scheduler_free(&s);
}
END_TEST

/* Each kernel begins with a state of zeros, with init or without. */
START_TEST(a_kernel_begins_with_zeros)
{
    const struct warp_policy policy = {
        .info = {.name = "a"}, .state_size = 8, .pick = plain_pick};
    char state[9] = "xxxxxxxx";
    warp_policy_start(&policy, state, &(struct warp_context){.index = 0});
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(state[i], 0);
}
END_TEST

/* ---- the best L1 policy ------------------------------------------------- */

static int misses_of(const struct cache_policy *policy, const uint64_t *line,
                     int accesses)
{
    const struct choice c = choice_of(&policy->info);
    struct cache cache;
    struct cache_line old;
    int misses = 0;
    ck_assert(cache_init(&cache, PLAIN_WAYS * 128.0 / 1024, PLAIN_WAYS, 128,
                         false, &c));
    for (int i = 0; i < accesses; i++) {
        struct cache_access a = {
            .line = line[i], .address = line[i] * 128, .pc = line[i] % 3};
        int way = cache_find(&cache, 0, line[i]);
        if (policy == &best_cache) {
            struct best *b = cache.state;
            b->line = line;
            b->accesses = accesses;
            b->now = i;
        }
        if (way != NO_WAY)
            cache_touch(&cache, 0, way, &a);
        else
            ck_assert_int_ne(cache_allocate(&cache, 0, &a, &old), NO_WAY);
        misses += way == NO_WAY;
    }
    cache_free(&cache);
    return misses;
}

START_TEST(no_policy_beats_the_best)
{
    enum { ACCESSES = 400 };
    uint64_t line[ACCESSES];
    srand(3);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < ACCESSES; i++) /* loops and strays */
            line[i] = (uint64_t)(rand() % 3 ? i % (round / 4 + 4) : rand() % 9);
        int best = misses_of(&best_cache, line, ACCESSES);
        for (size_t p = 0; cache_policies[p] != NULL; p++)
            ck_assert_int_ge(misses_of(cache_policies[p], line, ACCESSES),
                             best);
        ck_assert_int_ge(misses_of(&plain_cache, line, ACCESSES), best);
    }
}
END_TEST

/* ---- roles -------------------------------------------------------------- */

static double role_of(const char *text, enum param_role role)
{
    struct choice c;
    struct error e;
    if (!choice_parse(&c, NULL, POLICY_WARP, text, &e))
        ck_abort_msg("%s", e.text);
    return choice_param(&c, role, -1);
}

START_TEST(roles_of_parameters)
{
    static const char *const two_levels[] = {"tlrr", "tlgto", "tlpaws"};
    for (int i = 0; i < 3; i++) {
        char text[32];
        snprintf(text, sizeof(text), "%s:9", two_levels[i]);
        ck_assert_double_eq(role_of(two_levels[i], ROLE_READY_QUEUE), 6);
        ck_assert_double_eq(role_of(text, ROLE_READY_QUEUE), 9);
        ck_assert_double_eq(role_of(text, ROLE_WARP_LIMIT), -1);
    }
    ck_assert_double_eq(role_of("swl:3", ROLE_WARP_LIMIT), 3);
    ck_assert_double_eq(role_of("swl:3", ROLE_READY_QUEUE), -1);
    ck_assert_double_eq(role_of("ccws:3", ROLE_WARP_LIMIT), -1);
    ck_assert_double_eq(role_of("gto", ROLE_READY_QUEUE), -1);
}
END_TEST

/* ---- names -------------------------------------------------------------- */

START_TEST(defaults_are_policies)
{
    static const char *const names[POLICY_KINDS] = {"gto", "rr", "lru"};
    const struct policy_set set = policy_set_default();
    struct policy_set parsed;
    for (int kind = 0; kind < POLICY_KINDS; kind++)
        ck_assert_str_eq(policy_default((enum policy_kind)kind), names[kind]);
    ck_assert(policy_set_parse(&parsed, NULL, NULL, NULL, NULL, NULL));
    ck_assert(policy_set_equal(&set, &parsed));
    ck_assert(policy_set_parse(&parsed, NULL, "gto", "rr", "lru", NULL));
    ck_assert(policy_set_equal(&set, &parsed));
}
END_TEST

START_TEST(labels_parse_back)
{
    static const char *const texts[] = {"gto", "tlgto:8", "swl:64", "tlrr:6:1"};
    for (size_t i = 0; i < 4; i++) {
        struct choice c, again;
        char label[64];
        ck_assert(choice_parse(&c, NULL, POLICY_WARP, texts[i], NULL));
        choice_label(label, sizeof(label), &c);
        ck_assert_str_eq(label, texts[i]);
        ck_assert(choice_parse(&again, NULL, POLICY_WARP, label, NULL));
        ck_assert(choice_equal(&c, &again));
    }
}
END_TEST

START_TEST(names_and_parameters_that_are_wrong)
{
    static const struct {
        enum policy_kind kind;
        const char *text, *words;
    } cases[] = {
        {POLICY_WARP, "gtp", "unknown scheduler 'gtp', did you mean 'gto'?"},
        {POLICY_BLOCK, "zzzzz", "unknown thread-block scheduler 'zzzzz'"},
        {POLICY_L1, "lrr", "unknown L1 policy 'lrr', did you mean 'lru'?"},
        {POLICY_WARP, "gto:1", "gto takes 0 parameters"},
        {POLICY_WARP, "swl:1:2", "swl takes 1 parameter,"},
        {POLICY_WARP, "swl:0", "from 1 to 64"},
        {POLICY_WARP, "swl:", "parameter 'warps' is ''"},
        {POLICY_WARP, "swl:2.5", "whole number"},
        {POLICY_WARP, "swl:nan", "whole number"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct choice c;
        struct error e;
        ck_assert(!choice_parse(&c, NULL, cases[i].kind, cases[i].text, &e));
        ck_assert_int_eq(e.status, STATUS_USAGE);
        ck_assert_msg(strstr(e.text, cases[i].words) != NULL, "%s", e.text);
    }
}
END_TEST

/* ---- policies of a program's own ---------------------------------------- */

START_TEST(added_policies_are_found)
{
    struct policy_registry r = {0};
    struct choice c;
    struct error e;
    size_t count = 0;
    while (policy_at(NULL, POLICY_WARP, count) != NULL)
        count++;
    ck_assert(!choice_parse(&c, &r, POLICY_WARP, "plain", &e));
    ck_assert(policy_register(&r, POLICY_WARP, &plain_warp.info, &e));
    ck_assert(policy_register(&r, POLICY_BLOCK, &plain_block.info, &e));
    ck_assert(choice_parse(&c, &r, POLICY_WARP, "plain", &e));
    ck_assert_ptr_eq(c.warp, &plain_warp);
    ck_assert_ptr_eq(policy_at(&r, POLICY_WARP, count), &plain_warp.info);
    ck_assert_ptr_null(policy_at(&r, POLICY_WARP, count + 1));
    ck_assert(choice_parse(&c, &r, POLICY_WARP, "gto", &e));
    ck_assert(!choice_parse(&c, &r, POLICY_WARP, "plan", &e));
    ck_assert(strstr(e.text, "did you mean 'plain'?") != NULL);
    ck_assert(!choice_parse(&c, NULL, POLICY_WARP, "plain", &e));
    policy_registry_free(&r);
}
END_TEST

START_TEST(what_may_not_be_added)
{
    struct policy_registry r = {0};
    const struct warp_policy mute = {.info = {.name = "mute"}};
    const struct warp_policy gto = {.info = {.name = "gto"},
                                    .pick = plain_pick};
    struct error e;
    ck_assert(!policy_register(&r, POLICY_WARP, &mute.info, &e));
    ck_assert_str_eq(e.text, "scheduler 'mute': no callback 'pick'");
    ck_assert(!policy_register(&r, POLICY_WARP, &gto.info, &e));
    ck_assert_str_eq(e.text, "scheduler 'gto': there is one already");
    ck_assert(policy_register(&r, POLICY_WARP, &plain_warp.info, &e));
    ck_assert(!policy_register(&r, POLICY_WARP, &plain_warp.info, &e));
    ck_assert_int_eq(e.status, STATUS_USAGE);
    ck_assert_uint_eq(r.added[POLICY_WARP].count, 1);
    policy_registry_free(&r);
}
END_TEST

int main(void)
{
    TCase *tc = tcase_create("contract");
    tcase_add_loop_test(tc, built_in_policies_keep_the_contract, 0,
                        POLICY_KINDS);
    tcase_add_loop_test(tc, contract_of_warp_schedulers, 0, WARP_CASES);
    tcase_add_test(tc, contract_of_the_others);
    tcase_add_test(tc, plain_policies_run);
    tcase_add_loop_test(tc, null_policies_end_with_an_error, 0, 3);
    tcase_add_test(tc, a_run_refuses_what_is_missing);
    tcase_add_test(tc, blocks_go_out_in_turn);
    tcase_add_test(tc, one_callback_of_a_block_policy);
    tcase_add_test(tc, block_policies_see_what_is_resident);
    tcase_add_test(tc, a_kernel_begins_with_zeros);
    tcase_add_test(tc, no_policy_beats_the_best);
    tcase_add_test(tc, roles_of_parameters);
    tcase_add_test(tc, defaults_are_policies);
    tcase_add_test(tc, labels_parse_back);
    tcase_add_test(tc, names_and_parameters_that_are_wrong);
    tcase_add_test(tc, added_policies_are_found);
    tcase_add_test(tc, what_may_not_be_added);
    return run_suite("policies: contract, registry, defaults", tc);
}
