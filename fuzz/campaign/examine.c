/*
 * The child's part of examining an input. A plugin runs in a process of its own (check/impl/impl.h), so that this one
 * judges: how it ends is a finding. What is built in runs here: its crash, hang or exit ends this process in the midst
 * of a call, and the parent knows of which call.
 */
#define _GNU_SOURCE /* dup2, setenv */
#include "fuzz/campaign/rerun.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "check/impl/impl.h"
#include "check/random.h"
#include "check/reduce.h"
#include "fuzz/derive.h"
#include "fuzz/harness.h"
#include "fuzz/laws.h"
#include "kernel/bytes.h"
#include "kernel/differ.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define OP_MAX         ((size_t)1 << 18)
#define REDUCE_LIMIT   4000u
#define SEQUENCE_LIMIT 2000u /* for each case of a sequence */
#define REDUCE_S       2.5   /* for what one case shows */
#define REDUCE_ALL_S   8.0   /* for what one input shows */
#define REDUCED_OFTEN  12u   /* mismatches of one sort that are reduced; the others of that sort are passed over */
#define REPLAYED_MAX   64u   /* cases that warpcheck replay asks in one call */
#define NAMES_MAX      (HARNESS_TESTED_MAX * 20u)
#define SPEED_CASES    40u /* pseudo-random, so that most families are among them */
#define PROGRAM_PROBES 16u /* inputs on which a shorter program must differ */

/* Stands for an implementation under test, and notes what it is asked in the shared memory. */
struct noted {
    struct warp_impl impl;
    const struct warp_impl *inner;
    struct examiner *examiner;
};

struct examiner {
    const struct job_plan *plan;
    struct examination *shared;
    struct harness h; /* tested[] are noted ones */
    struct noted noted[HARNESS_TESTED_MAX];
    bool list; /* plan->impl is the name of several, of which this machine may have one */
    unsigned from;
    bool measures;       /* how long cases take, and nothing else */
    bool reduce;         /* step `from` */
    double reduce_until; /* for the whole input */
    struct finding f;
    char all[NAMES_MAX], only[NAMES_MAX];
};

/* --- what is asked is written down --- */

static void begin(const struct noted *n, const struct warp_case *c)
{
    struct examination *const x = n->examiner->shared;
    x->c = *c;
    snprintf(x->observed, sizeof x->observed, "%s", n->examiner->list ? n->inner->name : "");
    x->asks++;
    x->since_us = (uint64_t)(clock_seconds() * 1e6) + 1;
}

static void end(const struct noted *n, size_t cases)
{
    struct examination *const x = n->examiner->shared;
    const uint64_t took = (uint64_t)(clock_seconds() * 1e6) + 1 - x->since_us;
    x->since_us = 0;
    if (cases == 1 && took > x->slowest_us)
        x->slowest_us = took;
}

static void keep(struct examiner *e, const struct finding *f, finding_shows_fn shows, void *context);

/* Keeps the case on which the implementation's process ended, and starts another; after some of these, the rest of the
 * input is left. True when it had ended. */
static bool keep_ending(struct noted *noted, const struct warp_case *c)
{
    static unsigned weight;
    const struct impl_failure *const failure = impl_failure(noted->inner);
    struct examiner *const e = noted->examiner;
    struct finding f;
    struct error error;
    if (failure == NULL)
        return false;
    f = finding_of_ending(e->plan->impl, failure->has_case ? &failure->c : c, &failure->error);
    f.what = failure->error.text;
    keep(e, &f, NULL, NULL);
    weight += f.kind == FINDING_HANG ? RERUN_HANG_WEIGHS : 1;
    if (weight >= RERUN_ENDINGS_MAX || !impl_restart(noted->inner, &error))
        _exit(0);
    return true;
}

/* Keeps a case on which the implementation said that it cannot answer: one for each family. */
static void not_answered(struct noted *noted, const struct warp_case *c, const char *why)
{
    static uint32_t families;
    const uint32_t family = WARP_FAMILY_BIT(warp_form_get(c->form)->family);
    struct examiner *const e = noted->examiner;
    const struct warp_impl *const before = e->h.observed;
    const bool many = e->list;
    const struct finding f = {.kind = FINDING_ERROR,
                              .c = *c,
                              .observed_name = many ? noted->inner->name : e->plan->impl,
                              .only = rerun_variant(many ? noted->inner->name : ""),
                              .what = why};
    if (families & family)
        return;
    families |= family;
    e->h.observed = &noted->impl;
    keep(e, &f, NULL, NULL);
    e->h.observed = before;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    struct noted *const noted = state;
    char why[512] = "it does not say why";
    bool answered;
    begin(noted, cases);
    answered = noted->inner->eval(noted->inner->state, cases, n, results, why, sizeof why);
    end(noted, n);
    if (answered) {
        noted->examiner->shared->answered += n;
        return true;
    }
    snprintf(error, error_size, "%s", why);
    if (!keep_ending(noted, cases) && n == 1)
        not_answered(noted, cases, why);
    return false;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    struct noted *const noted = state;
    bool accepted;
    begin(noted, c);
    accepted = noted->inner->accepts(noted->inner->state, c, why, why_size);
    end(noted, 0);
    return !keep_ending(noted, c) && accepted;
}

/* The implementation itself, not the one that watches it: this process may crash. */
static const struct warp_impl *bare(const struct warp_impl *impl)
{
    const struct warp_impl *inner;
    (void)impl_batch(impl, &inner);
    return inner;
}

/* In a process of its own, with the campaign's limit. While speed is measured, this process has the limit. */
static void open_plugin(struct examiner *e)
{
    char limit[16];
    struct error error;
    const unsigned ms = plan_limit_ms(e->plan);
    snprintf(limit, sizeof limit, "%u", e->measures ? ms + 10 * LIMIT_MOST_MS : ms);
    setenv(IMPL_TIMEOUT_VARIABLE, limit, 1);
    e->h.tested[0] = impl_open(e->plan->impl, &error);
    e->h.tested_count = 1;
    if (e->h.tested[0] != NULL)
        return;
    fprintf(stderr, "%s\n", error.text); /* in the log */
    _exit(2);
}

/* A call that hung, and did not when it was repeated, is no clean bill. Where a mismatch was seen nobody gives one. */
static void take_notes(struct examiner *e)
{
    for (size_t i = 0; i < e->h.tested_count && e->shared->wrong == 0; i++)
        if (impl_note(e->noted[i].inner) != NULL)
            e->shared->unsure = true;
}

static void open_all(struct examiner *e)
{
    struct impl_name name;
    e->h.observed_spec = e->plan->impl;
    e->h.reference = spec_get();
    e->h.families = e->plan->families != 0 ? e->plan->families : WARP_FAMILY_ALL;
    if (plan_is_guarded(e->plan))
        open_plugin(e);
    else
        harness_open(&e->h);
    for (size_t i = 0; i < e->h.tested_count; i++) {
        struct noted *const n = &e->noted[i];
        n->inner = bare(e->h.tested[i]);
        n->impl = *n->inner;
        n->examiner = e;
        n->impl.state = n;
        n->impl.eval = eval;
        n->impl.accepts = n->inner->accepts != NULL ? accepts : NULL;
        n->impl.close = NULL;
        e->h.tested[i] = &n->impl;
    }
    e->h.observed = e->h.tested[0];
    e->list = e->h.tested_count > 1 || (impl_name_parse(e->plan->impl, &name, NULL) && name.kind == IMPL_FAST_ALL);
}

/* --- keeping --- */

/* Keeps the finding and tells the campaign. Asking the implementation once more, to see what is kept already, may give
 * a finding of its own. */
static void keep(struct examiner *e, const struct finding *f, finding_shows_fn shows, void *context)
{
    static struct rerun_finding found; /* large */
    struct examination *const x = e->shared;
    if (x->count >= EXAMINED_MAX)
        return;
    rerun_keep(e->plan, f, e->list ? e->h.observed->name : "", shows, context, &found);
    if (x->count >= EXAMINED_MAX)
        return;
    x->found[x->count] = found;
    x->count++; /* only now: the campaign reads what is counted */
}

/* Adds a name after a separator, as much of it as there is room for. */
static void add_name(char names[NAMES_MAX], char separator, const char *name)
{
    const size_t used = strlen(names);
    snprintf(names + used, NAMES_MAX - used, "%.*s%.16s", used > 0, &separator, name);
}

/* Notes in the finding which of the tested implementations show it: all by their names, and in the signature unless
 * all of them do. */
typedef bool (*shows_it)(void *context, const struct warp_impl *impl);
static void name_who(struct examiner *e, struct finding *f, shows_it shows, void *context)
{
    size_t count = 0;
    f->observed_name = e->h.observed->name;
    if (e->h.tested_count == 1)
        return;
    e->all[0] = e->only[0] = '\0';
    for (size_t i = 0; i < e->h.tested_count; i++) {
        const char *const name = e->h.tested[i]->name;
        if (!shows(context, e->h.tested[i]))
            continue;
        add_name(e->all, ',', name);
        add_name(e->only, '.', rerun_variant(name));
        count++;
    }
    if (count == 0)
        return;
    f->observed_name = e->all;
    f->only = count < e->h.tested_count ? e->only : NULL;
}

/* --- reducing --- */

/* Was this sort of mismatch reduced often enough? */
static bool is_known(struct examiner *e, const char *sort, uint32_t who)
{
    const uint64_t hash =
        (hash_bytes(hash_bytes(HASH_START, sort, strlen(sort)), &who, sizeof who) & ~UINT64_C(0xff)) | 0x100;
    for (size_t probe = 0; probe < EXAMINED_SORTS; probe++) {
        uint64_t *const slot = &e->shared->sorts[(hash / 256 + probe) % EXAMINED_SORTS];
        if (*slot != 0 && (*slot & ~UINT64_C(0xff)) != hash)
            continue;
        if ((*slot & 0xff) >= REDUCED_OFTEN)
            return true;
        *slot = hash | ((*slot & 0xff) + 1);
        return false;
    }
    return false;
}

/* The limits for reducing what this step shows. */
static struct reduction limits_now(const struct examiner *e, uint64_t limit)
{
    const double now = clock_seconds();
    const bool may = e->reduce || e->shared->step != e->from;
    const double until = now + REDUCE_S < e->reduce_until ? now + REDUCE_S : e->reduce_until;
    return (struct reduction){.limit = may && now < e->reduce_until ? limit : 0, .until = until};
}

/* --- mismatches --- */

struct asked {
    const struct warp_impl *reference;
    const struct warp_case *c;
};

static bool differs_on(void *context, const struct warp_impl *impl)
{
    static struct finding other;
    const struct asked *asked = context;
    return finding_make(&other, asked->reference, impl, asked->c);
}

static void keep_mismatch(struct examiner *e, struct finding *f)
{
    struct asked asked = {e->h.reference, &f->c};
    struct finding_pair pair = {e->h.reference, e->h.observed};
    if (f->sequence == NULL)
        name_who(e, f, differs_on, &asked);
    keep(e, f, finding_pair_shows, &pair);
}

/* Does it differ on the last of these cases, asked for one after the other in a fresh process? Fills e->f. */
static bool differs_afresh(struct examiner *e, const struct warp_case *cases, size_t n)
{
    const struct noted *const noted = e->h.observed->state;
    struct error error;
    return impl_restart(noted->inner, &error) &&
           (n == 1 ? finding_make(&e->f, e->h.reference, e->h.observed, cases)
                   : finding_make_sequence(&e->f, e->h.reference, e->h.observed, cases, n, n - 1));
}

/* A replay asks a fresh process, once. What keeps state may differ only when it is asked for the same once more: then
 * these two calls are the finding. False: neither shows it. */
static bool settle_mismatch(struct examiner *e, const struct warp_case *c, const struct warp_case *reduced)
{
    static struct warp_case twice[2];
    if (!plan_is_guarded(e->plan) || differs_afresh(e, reduced, 1) || differs_afresh(e, c, 1))
        return true;
    twice[0] = twice[1] = *reduced;
    if (differs_afresh(e, twice, 2))
        return true;
    twice[0] = twice[1] = *c;
    return differs_afresh(e, twice, 2);
}

/* `who`: bit i: tested[i] differs on the case when it is asked alone. */
static void mismatch(struct examiner *e, const struct warp_case *c, uint32_t who)
{
    char sort[FINDING_SIGNATURE_MAX];
    struct warp_case reduced = *c;
    struct reduction limits = limits_now(e, REDUCE_LIMIT);
    e->h.observed = e->h.tested[__builtin_ctz(who)];
    if (!finding_make(&e->f, e->h.reference, e->h.observed, c)) {
        e->shared->unsure = true;
        return;
    }
    finding_class(&e->f, sort);
    e->shared->wrong++;
    if (is_known(e, sort, who))
        return;
    e->shared->reducing = true;
    if (reduce_finding(&e->f, &reduced, e->h.reference, e->h.observed, &limits) && settle_mismatch(e, c, &reduced))
        keep_mismatch(e, &e->f);
    else
        e->shared->unsure = true;
    e->shared->reducing = false;
}

/* Does the case differ in one call with the others, every time, and not alone, as a replay asks? */
static bool differs_together(struct examiner *e, const struct warp_case *cases, size_t n, size_t at)
{
    static struct finding alone;
    for (unsigned times = 0; times < 2; times++) {
        for (size_t i = 0; i < n; i++)
            if (finding_make(&alone, e->h.reference, e->h.observed, &cases[i]) && i == at)
                return false;
        if (!finding_make_sequence(&e->f, e->h.reference, e->h.observed, cases, n, at))
            return false;
    }
    return true;
}

/* Makes a finding of a case that does not differ alone: with the cases that were asked in the same call. */
static void mismatch_together(struct examiner *e, const struct warp_case *cases, size_t n, size_t at)
{
    static struct warp_case copy[CHECKER_BATCH];
    struct reduction limits = limits_now(e, SEQUENCE_LIMIT);
    char sort[FINDING_SIGNATURE_MAX] = "together";
    memcpy(copy, cases, n * sizeof *copy);
    if (differs_together(e, copy, n, at)) {
        e->shared->wrong++;
        finding_class(&e->f, sort);
        if (is_known(e, sort, UINT32_MAX))
            return;
        e->shared->reducing = true;
        if (limits.limit > 0)
            reduce_sequence(copy, &n, &at, e->h.reference, e->h.observed, &limits);
    }
    if (n <= REPLAYED_MAX && differs_together(e, copy, n, at))
        keep_mismatch(e, &e->f);
    else
        e->shared->unsure = true;
    e->shared->reducing = false;
}

/* Asks for all cases in one call, as the target does. */
static void ask_together(struct examiner *e, const struct warp_case *cases, size_t n)
{
    static struct warp_result expected[DERIVED_ORDER_CASES], observed[DERIVED_ORDER_CASES];
    static struct finding alone;
    if (!finding_ask(e->h.reference, cases, n, expected))
        return;
    for (size_t i = 0; i < e->h.tested_count; i++) {
        const uint32_t parts = e->h.reference->provides & e->h.tested[i]->provides & WARP_PART_ALL;
        e->h.observed = e->h.tested[i];
        if (!finding_ask(e->h.observed, cases, n, observed))
            continue;
        for (size_t k = 0, told = 0; k < n && (told == 0 || n <= DERIVED_MAX + 1); k++)
            if (!warp_result_compare(&cases[k], &expected[k], &observed[k], parts, NULL) &&
                !finding_make(&alone, e->h.reference, e->h.observed, &cases[k])) {
                mismatch_together(e, cases, n, k);
                told++; /* of a long call the first is enough */
            }
    }
}

/* Does the target ask for more than the case and its relatives? */
static bool makes_calls(const struct examiner *e)
{
    return !e->plan->slow && plan_is_guarded(e->plan);
}

/* The case of the input and `derived` of its relatives, as a target that asks so many derives them; those that are
 * accepted. */
static size_t make_cases(struct examiner *e, const uint8_t *data, size_t size, unsigned derived,
                         struct warp_case cases[DERIVED_MAX + 1])
{
    size_t kept = 0;
    struct warp_case base, c;
    warp_case_from_bytes(data, size, e->h.families, &base);
    for (unsigned k = 0; k <= derived; k++) {
        c = base;
        if (k > 0)
            derive_case(&base, derive_number(&base, k - 1, derived), &c);
        if (warp_impl_accepts(e->h.observed, &c, NULL, 0))
            cases[kept++] = c;
    }
    return kept;
}

/* Asks for the cases of the input in the long call in which the target asked for them, if there was one. What goes
 * wrong there alone is reduced with a part of the call before it. */
static void ask_in_long_call(struct examiner *e, const uint8_t *data, size_t size)
{
    static struct warp_case few[DERIVED_MAX + 1], cases[DERIVED_CALL_MAX];
    static struct warp_result expected[DERIVED_CALL_MAX], observed[DERIVED_CALL_MAX];
    static struct finding alone;
    const size_t total = makes_calls(e) ? derive_call_size(data, size) : 0;
    const uint32_t parts = e->h.reference->provides & e->h.observed->provides & WARP_PART_ALL;
    const size_t n = total > 0 ? make_cases(e, data, size, DERIVED_MAX, few) : 0;
    for (size_t at = 0; n > 0 && at < total; at++)
        cases[at] = few[derive_call_case(data, size, n, at)];
    if (n == 0 || !finding_ask(e->h.reference, cases, total, expected) ||
        !finding_ask(e->h.observed, cases, total, observed))
        return;
    for (size_t at = 0; at < total; at++)
        if (!warp_result_compare(&cases[at], &expected[at], &observed[at], parts, NULL) &&
            !finding_make(&alone, e->h.reference, e->h.observed, &cases[at])) {
            if (total <= CHECKER_BATCH)
                mismatch_together(e, cases, total, at);
            else
                e->shared->unsure = true;
            return;
        }
}

/* The cases of the call that the input spells out; those that are accepted. */
static size_t make_order(struct examiner *e, const uint8_t *data, size_t size,
                         struct warp_case cases[DERIVED_ORDER_CASES])
{
    const size_t n = makes_calls(e) ? derive_order(data, size, e->h.families, cases) : 0;
    size_t kept = 0;
    for (size_t at = 0; at < n; at++)
        if (warp_impl_accepts(e->h.observed, &cases[at], NULL, 0))
            cases[kept++] = cases[at];
    return kept;
}

/* Asks each case alone, then all in one call. Their steps begin at `first`. */
static void ask_cases(struct examiner *e, const struct warp_case *cases, size_t n, unsigned first)
{
    static struct finding f;
    for (unsigned at = e->from > first ? e->from - first : 0; at < n; at++) {
        uint32_t who = 0;
        e->shared->step = first + at;
        for (size_t i = 0; i < e->h.tested_count; i++)
            who |= (uint32_t)finding_make(&f, e->h.reference, e->h.tested[i], &cases[at]) << i;
        if (who != 0)
            mismatch(e, &cases[at], who);
    }
    if (e->from <= first + n && n > 0) {
        e->shared->step = first + (unsigned)n;
        ask_together(e, cases, n);
    }
}

/*
 * How many relatives a target asks depends on the job, and on how slow the implementation seemed when the campaign
 * began, which may have been another one that was killed. So where those of this plan show nothing all are asked,
 * before it is said that the input shows nothing. An input that may merely have been slow is not worth that time.
 */
static bool is_worth_all(const struct examiner *e, const char *path)
{
    return e->plan->derived < DERIVED_MAX && e->shared->wrong == 0 && e->shared->count == 0 && !rerun_may_be_slow(path);
}

static void examine_cases(struct examiner *e, const char *path, const uint8_t *data, size_t size)
{
    static struct warp_case cases[DERIVED_ORDER_CASES];
    /* The first steps of the call that is spelled out, and of the cases that the plan does not ask. */
    const unsigned order = DERIVED_MAX + 2, rest = order + DERIVED_ORDER_CASES + 1;
    if (e->from < order) {
        const size_t n = make_cases(e, data, size, e->plan->derived, cases);
        ask_cases(e, cases, n, 0);
        if (e->from <= n && n > 0)
            ask_in_long_call(e, data, size);
    }
    if (e->from < rest)
        ask_cases(e, cases, make_order(e, data, size, cases), order);
    if (e->from >= rest || is_worth_all(e, path))
        ask_cases(e, cases, make_cases(e, data, size, DERIVED_MAX, cases), rest);
}

/* --- laws --- */

struct broken {
    const struct law *law;
    const struct warp_impl *impl;
    const char *wrong; /* what is wrong; NULL: whatever it is */
    const struct warp_case *c;
};

static bool breaks(const struct broken *b, const struct warp_impl *impl, const struct warp_case *c)
{
    bool tried = false;
    const char *wrong = b->law->check(impl, c, &tried);
    return wrong != NULL && (b->wrong == NULL || strcmp(wrong, b->wrong) == 0);
}

static bool still_broken(void *context, const struct warp_case *c)
{
    const struct broken *b = context;
    return breaks(b, b->impl, c);
}

static bool is_broken_by(void *context, const struct warp_impl *impl)
{
    const struct broken *b = context;
    return breaks(b, impl, b->c);
}

/* Does the implementation still break the law on the case that is kept under the name? */
static bool kept_is_broken(void *context, const struct finding *f, const char *folder)
{
    struct broken any = *(const struct broken *)context;
    struct warp_case c;
    any.wrong = NULL;
    return f->unsure || (finding_read_case(folder, &c) && breaks(&any, any.impl, &c));
}

static void law_broken(struct examiner *e, const struct law *law, const char *wrong, const struct warp_case *c,
                       uint32_t who)
{
    struct warp_case reduced = *c;
    struct reduction limits = limits_now(e, REDUCE_LIMIT);
    struct broken b = {law, e->h.tested[__builtin_ctz(who)], wrong, &reduced};
    struct finding f = {.kind = FINDING_LAW,
                        .property = law->name,
                        .statement = law->statement,
                        .what = wrong,
                        .of_family = (law->families & (law->families - 1)) != 0};
    e->h.observed = b.impl;
    e->shared->reducing = true;
    reduce_case(&reduced, still_broken, &b, &limits);
    f.c = reduced;
    f.unsure = !breaks(&b, b.impl, &reduced) || !breaks(&b, b.impl, &reduced);
    name_who(e, &f, is_broken_by, &b);
    keep(e, &f, kept_is_broken, &b);
    e->shared->reducing = false;
}

static void examine_laws(struct examiner *e, const uint8_t *data, size_t size)
{
    static struct warp_case c;
    const struct law *law;
    warp_case_from_bytes(data, size, e->h.families, &c);
    for (unsigned step = e->from; (law = law_get(step)) != NULL; step++) {
        const char *first = NULL;
        uint32_t who = 0;
        if (!(law->families & WARP_FAMILY_BIT(warp_form_get(c.form)->family)))
            continue;
        e->shared->step = step;
        for (size_t i = 0; i < e->h.tested_count; i++) {
            bool tried = false;
            const char *wrong = law->check(e->h.tested[i], &c, &tried);
            who |= (uint32_t)(wrong != NULL) << i;
            first = first != NULL ? first : wrong;
        }
        if (who != 0)
            law_broken(e, law, first, &c, who);
    }
}

/* --- programs --- */

struct parting {
    const struct warp_impl *reference, *impl;
    char signature[FINDING_SIGNATURE_MAX]; /* "": any defect */
    const struct program *program;         /* that is kept */
    struct program_difference difference;  /* the last that was found */
    char instruction[FINDING_SIGNATURE_MAX];
};

static bool parts(struct parting *p, const struct warp_impl *impl, const struct program *program)
{
    char signature[FINDING_SIGNATURE_MAX];
    for (uint64_t index = 0; index < PROGRAM_PROBES; index++) {
        struct finding f;
        if (program_find_difference(program, p->reference, impl, PROGRAM_DIFFER_SEED, index, &p->difference, NULL) !=
            PROGRAM_DIFFERS)
            continue;
        f = program_difference_finding(program, &p->difference, p->instruction);
        finding_signature(&f, signature);
        return p->signature[0] == '\0' || strcmp(signature, p->signature) == 0;
    }
    return false;
}

static bool still_parts(void *context, const struct program *program)
{
    struct parting *p = context;
    return parts(p, p->impl, program);
}

static bool is_parted_by(void *context, const struct warp_impl *impl)
{
    struct parting *p = context;
    return parts(p, impl, p->program);
}

/* Does the implementation still differ on the program that is kept under the name? */
static bool kept_parts(void *context, const struct finding *f, const char *folder)
{
    struct parting any = *(const struct parting *)context;
    char path[FILE_PATH_MAX];
    struct warp_text_error where;
    size_t size;
    char *text = file_join(folder, finding_file(f), path, NULL) ? file_read(path, OP_MAX, &size, NULL) : NULL;
    struct program *program = text != NULL ? program_parse(text, size, NULL, &where) : NULL;
    bool shows;
    any.signature[0] = '\0';
    shows = f->unsure || (program != NULL && parts(&any, any.impl, program));
    program_free(program);
    free(text);
    return shows;
}

/* The text to keep, and the program that it reads as, with the line numbers that a reader counts. NULL: too long. */
static struct program *write_program(const struct parting *p, const struct program *program, const char *who,
                                     char text[OP_MAX])
{
    struct warp_text_error where;
    const int head = snprintf(text, OP_MAX, "// %s: %s against %s\n", p->signature, who, p->reference->name);
    const size_t size = (size_t)head + program_print(program, text + head, OP_MAX - (size_t)head);
    return size < OP_MAX ? program_parse(text, size, NULL, &where) : NULL;
}

/* Keeps the program as a finding. `sure`: it differs each time that it is asked. */
static void keep_program(struct examiner *e, struct parting *p, const struct program *program, bool sure)
{
    static char text[OP_MAX], what[1400];
    struct finding f = {.unsure = !sure};
    struct program *kept;
    p->program = program;
    name_who(e, &f, is_parted_by, p);
    kept = write_program(p, program, f.observed_name, text);
    if (kept == NULL) {
        e->shared->unsure = true; /* the input is kept instead */
        return;
    }
    if (sure)
        parts(p, p->impl, kept); /* the difference with these lines */
    const struct finding named = program_difference_finding(sure ? kept : program, &p->difference, p->instruction);
    program_difference_text(sure ? kept : program, &p->difference, what, sizeof what);
    f.kind = FINDING_PROGRAM;
    f.property = named.property;
    f.faults = named.faults;
    f.what = what;
    f.reference_name = p->reference->name;
    f.data = text;
    f.size = strlen(text);
    keep(e, &f, kept_parts, p);
    program_free(kept);
}

static void program_parts(struct examiner *e, const struct program *program, const struct program_difference *d,
                          uint32_t who)
{
    struct reduction limits = limits_now(e, REDUCE_LIMIT);
    struct parting p = {.reference = e->h.reference, .impl = e->h.tested[__builtin_ctz(who)], .difference = *d};
    struct finding f = program_difference_finding(program, d, p.instruction);
    struct program *reduced;
    finding_signature(&f, p.signature);
    e->h.observed = p.impl;
    e->shared->reducing = true;
    reduced = limits.limit > 0 ? program_reduce(program, still_parts, &p, &limits) : NULL;
    if (reduced != NULL && parts(&p, p.impl, reduced) && parts(&p, p.impl, reduced)) {
        keep_program(e, &p, reduced, true);
    } else {
        const bool sure = parts(&p, p.impl, program) && parts(&p, p.impl, program);
        p.difference = *d;
        keep_program(e, &p, program, sure);
    }
    program_free(reduced);
    e->shared->reducing = false;
}

static void examine_program(struct examiner *e, const uint8_t *data, size_t size)
{
    const struct program_options options = {.implicit_inputs = true};
    struct warp_text_error where;
    struct program *program = program_parse((const char *)data, size, &options, &where);
    for (unsigned step = e->from; program != NULL && step < PROGRAM_DIFFER_RUNS; step++) {
        struct program_difference first, d;
        uint32_t who = 0;
        e->shared->step = step;
        for (size_t i = 0; i < e->h.tested_count; i++) {
            const bool differs = program_find_difference(program, e->h.reference, e->h.tested[i], PROGRAM_DIFFER_SEED,
                                                         step, &d, NULL) == PROGRAM_DIFFERS;
            if (differs && who == 0)
                first = d;
            who |= (uint32_t)differs << i;
        }
        if (who != 0)
            program_parts(e, program, &first, who);
    }
    program_free(program);
}

/* --- kernels --- */

/* Keeps what the launch shows, reduced. What is asked is the transcription: nothing here ends the process. */
static void examine_kernel(struct examiner *e, const uint8_t *data, size_t size)
{
    static struct kernel_search search;
    struct kernel_input in;
    struct error error;
    const struct kernel_search_options options = {.impl = e->h.reference,
                                                  .seed = 1,
                                                  .seconds = REDUCE_S,
                                                  .steps = KERNEL_BYTES_STEPS,
                                                  .shared = KERNEL_BYTES_SHARED};
    struct kernel_set *set = kernel_set_open(getenv(KERNEL_SET_VARIABLE), e->h.reference, &error);
    const struct kernel_entry *entry = set ? kernel_set_decode(set, data, size, &in) : NULL;
    if (entry && e->from == 0 && kernel_search_input(entry->code, &options, &in, &search))
        for (uint32_t n = 0; n < search.findings_count; n++) {
            struct kernel_finding_texts texts;
            struct finding f;
            if (!kernel_finding_is_error(&search.findings[n]))
                continue;
            e->shared->wrong++;
            if (kernel_finding_make(&search, &search.findings[n], set->text, set->size, options.steps, &texts, &f))
                keep(e, &f, NULL, NULL);
            kernel_finding_free(&texts);
        }
    kernel_set_free(set);
}

/* --- the process --- */

/* Asks a case. Does it take longer than those before, it is asked once more, and the shorter time counts: the machine
 * may have been busy with something else. */
static void time_case(struct examination *x, const struct warp_impl *impl, const struct warp_case *c)
{
    static struct warp_result result;
    char error[256];
    const uint64_t before = x->slowest_us;
    (void)impl->eval(impl->state, c, 1, &result, error, sizeof error);
    const uint64_t first = x->slowest_us;
    if (first <= before)
        return;
    const double began = clock_seconds();
    (void)impl->eval(impl->state, c, 1, &result, error, sizeof error);
    const uint64_t again = (uint64_t)((clock_seconds() - began) * 1e6) + 1, shorter = again < first ? again : first;
    x->slowest_us = shorter > before ? shorter : before;
}

/* Measures how long an answer takes; the answers are not compared. */
static void ask_for_speed(struct examiner *e)
{
    for (unsigned step = e->from; step < SPEED_CASES; step++) {
        struct warp_case c;
        random_case(1, step, e->h.families, &c);
        e->shared->step = step;
        for (size_t i = 0; i < e->h.tested_count; i++)
            if (warp_impl_accepts(e->h.tested[i], &c, NULL, 0))
                time_case(e->shared, e->h.tested[i], &c);
    }
}

/* Sends the implementation's output to a log. */
static void redirect(const struct job_plan *plan)
{
    char path[FILE_PATH_MAX];
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    const int log = file_join(plan->work, "log-rerun", path, NULL) ? file_log(path) : -1;
    dup2(null, STDIN_FILENO);
    dup2(log >= 0 ? log : null, STDOUT_FILENO);
    dup2(log >= 0 ? log : null, STDERR_FILENO);
}

/* Restores the default signals, so that a crash ends the process whatever handlers were set before. */
static void settle(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS, SIGALRM};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        signal(crashes[i], SIG_DFL);
    prctl(PR_SET_DUMPABLE, 0); /* while it writes a core it would seem to hang */
}

static void examine_input(struct examiner *e, const char *path, const uint8_t *data, size_t size)
{
    switch (target_kind(e->plan->target)) {
    case TARGET_CASES:
        examine_cases(e, path, data, size);
        break;
    case TARGET_LAWS:
        examine_laws(e, data, size);
        break;
    case TARGET_PROGRAM:
        examine_program(e, data, size);
        break;
    case TARGET_KERNEL:
        examine_kernel(e, data, size);
        break;
    case TARGET_BYTES:
    case TARGET_TEXT: /* the campaign keeps what these tell as it is */
        break;
    }
}

void examine(const struct job_plan *plan, const char *path, unsigned from, bool reduce, struct examination *shared)
{
    static struct examiner e; /* large */
    struct error error;
    uint8_t *data = NULL;
    size_t size = 0;
    if (path[0] != '\0' && (data = (uint8_t *)file_read(path, PLAN_INPUT_MAX, &size, &error)) == NULL)
        _exit(3);
    redirect(plan);
    settle();
    interrupt_clear(); /* who asked the campaign to end did not end this: the campaign does, when its time is over */
    madvise(shared, sizeof *shared, MADV_DONTFORK); /* the plugin's process does not see it */
    e.plan = plan;
    e.shared = shared;
    e.from = from;
    e.measures = path[0] == '\0';
    e.reduce = reduce;
    e.reduce_until = clock_seconds() + REDUCE_ALL_S;
    open_all(&e);
    if (path[0] == '\0')
        ask_for_speed(&e);
    else
        examine_input(&e, path, data, size);
    take_notes(&e);
    _exit(0);
}
