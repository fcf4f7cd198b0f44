#include "cli/kernels/proof.h"

#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
#include "kernel/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WARPCHECK_HAVE_SMT
#include "base/clock.h"
#include "base/interrupt.h"
#include "smt/pair/pair.h"

#define MEMORY_MB 1000u

/* What is said of an instruction, the best first. */
enum said { SAID_PROVED, SAID_UNKNOWN, SAID_REFUTED, SAID_CONTRADICTED };

/* One launch. */
struct attempt {
    struct pair_launch launch;
    struct pair_outcome outcome;
    bool tried; /* else `error` says why not */
    struct error error;
    bool has_rule; /* it holds when this is required, too: found by execution, proved here */
    struct kernel_require rule;
    bool when_apart; /* it holds when no two pointer parameters overlap */
};

struct proof {
    const struct code *code;
    const struct kernel_search *search;
    const struct kernel_search_options *options;
    struct attempt *attempts;
    uint32_t count;
    bool cross, races;
};

static bool stopped(void *context)
{
    (void)context;
    return interrupted();
}

/* --- what executions say --- */

static bool covers(const struct pair_launch *launch, const uint32_t block[3])
{
    if (launch->block[0] == 0)
        return block[0] % 32 == 0 && block[1] == 1 && block[2] == 1;
    return memcmp(launch->block, block, sizeof launch->block) == 0;
}

static bool is_about(enum kernel_kind kind, enum pair_obligation obligation)
{
    switch (obligation) {
    case PAIR_MEMBER:
        return kind == KERNEL_UNDEFINED;
    case PAIR_MEETS:
        return kind == KERNEL_DEADLOCK || kind == KERNEL_UNDEFINED || kind == KERNEL_CONVERGENCE;
    case PAIR_USE:
        return kind == KERNEL_UNPREDICTABLE;
    case PAIR_BARRIER:
        return kind == KERNEL_BARRIER || kind == KERNEL_DEADLOCK;
    case PAIR_RACE:
        return kind == KERNEL_RACE;
    }
    return false;
}

/* The error of an execution in this launch that shows the obligation to fail; NULL: none does. */
static const struct kernel_finding *shown_by(const struct proof *p, const struct attempt *a,
                                             const struct pair_item *item)
{
    for (uint32_t n = 0; n < p->search->findings_count; n++) {
        const struct kernel_finding *const f = &p->search->findings[n];
        /* Which access it was that came before is not always told exactly: only the later one contradicts a proof. */
        const bool is_here = f->event.at == item->at || (item->obligation == PAIR_RACE && f->event.from == item->at &&
                                                         item->verdict != PAIR_PROVED);
        if (kernel_is_error(f->event.kind) && is_here && is_about(f->event.kind, item->obligation) &&
            covers(&a->launch, f->input.block))
            return f;
    }
    return NULL;
}

static const struct kernel_finding *race_of(const struct proof *p, const struct attempt *a)
{
    for (uint32_t n = 0; n < p->search->findings_count; n++)
        if (p->search->findings[n].event.kind == KERNEL_RACE && covers(&a->launch, p->search->findings[n].input.block))
            return &p->search->findings[n];
    return NULL;
}

/* How many executions in this launch came to an end, and can say something. */
static uint64_t ended_in(const struct kernel_search *s, const struct pair_launch *launch)
{
    uint64_t count = 0;
    for (uint32_t n = 0; n < s->launches_count; n++)
        count += covers(launch, s->launches[n]) ? s->launch_ended[n] : 0;
    return count;
}

static enum said said_of(const struct proof *p, const struct attempt *a, const struct pair_item *item)
{
    const bool error = shown_by(p, a, item) != NULL;
    if (item->verdict == PAIR_PROVED && (race_of(p, a) == NULL || (item->obligation == PAIR_RACE && error)))
        return error && a->tried                      ? SAID_CONTRADICTED
               : error                                ? SAID_REFUTED /* nothing was claimed */
               : ended_in(p->search, &a->launch) == 0 ? SAID_UNKNOWN
                                                      : SAID_PROVED;
    return error ? SAID_REFUTED : SAID_UNKNOWN;
}

static const char *word_of(enum said said)
{
    static const char *const words[] = {"PROVED", "UNKNOWN", "REFUTED", "CONTRADICTED"};
    return words[said];
}

static const char *why_race(const struct proof *p, const struct pair_item *item)
{
    static char text[256];
    const struct code_place other = code_place(p->code, item->other);
    if (item->other == item->at)
        snprintf(text, sizeof text,
                 "it could not be shown that two lanes which execute this touch different words of shared memory; no "
                 "execution failed");
    else
        snprintf(
            text, sizeof text,
            "it could not be shown that a barrier lies between this and line %u (%s) of another lane, or that they "
            "touch different words; no execution failed",
            other.line, other.text);
    return text;
}

static const char *why(const struct proof *p, const struct attempt *a, const struct pair_item *item);

/* It names what is not proved by itself, and why that is. */
static const char *why_rests(const struct proof *p, const struct attempt *a, const struct pair_item *item)
{
    static char text[1024];
    const struct pair_item *const root = &a->outcome.items[a->outcome.root];
    const struct code_place place = code_place(p->code, root->at);
    snprintf(text, sizeof text, "%s line %u (%s, PTX line %u) is, and that is not: %s",
             item->obligation == PAIR_RACE
                 ? "no race was seen; lanes are ordered only where it is proved that they meet: it is proved if"
                 : "it is proved if",
             place.line, place.text, place.ptx_line,
             root->verdict > PAIR_RESTS ? why(p, a, root) : "the time was over before it was asked");
    return text;
}

/* Why it is not proved, in words of a person who writes CUDA. */
static const char *why(const struct proof *p, const struct attempt *a, const struct pair_item *item)
{
    if (item->verdict == PAIR_PROVED && shown_by(p, a, item) != NULL)
        return "an execution shows it: see the error above";
    if (item->verdict == PAIR_PROVED && race_of(p, a) == NULL)
        return p->search->trapped > 0 && p->search->trapped == p->search->executions
                   ? "every execution ended in a trap or a failed assert: the proof, which assumes that there is none, "
                     "may be about nothing"
                   : "no execution of this launch has ended: the proof, which assumes that loops end, may be about "
                     "nothing";
    if (item->verdict == PAIR_PROVED)
        return "a race in shared memory was found by execution: what the lanes read is not what the proof assumes";
    if (item->verdict == PAIR_POLLS && shown_by(p, a, item) == NULL)
        return "it is proved if the loop ends that polls shared memory: what it waits for comes from another lane";
    if (item->verdict == PAIR_RESTS)
        return why_rests(p, a, item);
    if (item->verdict == PAIR_OPEN)
        return "the solver had no answer in its time";
    if (shown_by(p, a, item) != NULL)
        return "an execution shows it: see the error above";
    switch (item->obligation) {
    case PAIR_MEMBER:
        return "it could not be shown that the lane is in its own membermask; no execution failed";
    case PAIR_MEETS:
        return "it could not be shown that every lane of the membermask comes here with the same one; no execution "
               "failed";
    case PAIR_RACE:
        return why_race(p, item);
    case PAIR_USE:
        return "it could not be shown that no unpredictable value is used here; no execution failed";
    case PAIR_BARRIER:
        return "it could not be shown that all threads of the block come to this barrier (with a count: always the "
               "same warps, as many as it says); no execution failed";
    }
    return "";
}

static bool is_proved(const struct proof *p, const struct attempt *a)
{
    if (!a->tried || race_of(p, a) != NULL)
        return false;
    for (size_t n = 0; n < a->outcome.count; n++)
        if (said_of(p, a, &a->outcome.items[n]) != SAID_PROVED)
            return false;
    return true;
}

bool proof_is_whole(const struct proof *p)
{
    for (uint32_t n = 0; n < p->count; n++)
        if (!is_proved(p, &p->attempts[n]) || p->attempts[n].outcome.count == 0)
            return false;
    return true;
}

bool proof_is_contradicted(const struct proof *p)
{
    for (uint32_t n = 0; n < p->count; n++)
        for (size_t i = 0; i < p->attempts[n].outcome.count; i++)
            if (said_of(p, &p->attempts[n], &p->attempts[n].outcome.items[i]) == SAID_CONTRADICTED)
                return true;
    return false;
}

/* --- trying --- */

static bool try_launch(struct proof *p, struct attempt *a, double seconds, const struct kernel_require *more,
                       bool apart)
{
    struct kernel_require requires[KERNEL_REQUIRES_MAX + 1];
    if (seconds <= 0)
        return error_set(&a->error, ERROR_TIMEOUT, "no time is left");
    struct pair_options options = {.launch = a->launch,
                                   .slots = &p->search->slots,
                                   .requires = requires,
                                   .requires_count = p->options->requires_count,
                                   .pointers_apart = apart,
                                   .effort = PAIR_EFFORT,
                                   .seconds = seconds,
                                   .cross = p->cross,
                                   .races = p->races,
                                   .memory_mb = MEMORY_MB,
                                   .stop = stopped};
    memcpy(requires, p->options->requires, sizeof p->options->requires);
    if (more != NULL)
    requires[options.requires_count++] = *more;
    return pair_prove(p->code, &options, &a->outcome, &a->error);
}

static bool rule_of(const struct kernel_rule *rule, struct kernel_require *require)
{
    *require = (struct kernel_require){.slot = rule->slot, .number = (int64_t)rule->number};
    switch (rule->kind) {
    case RULE_MULTIPLE:
        *require = (struct kernel_require){.slot = rule->slot, .modulus = rule->number, .relation = RELATION_EQ};
        return true;
    case RULE_BELOW:
        require->relation = RELATION_LT;
        return true;
    case RULE_FROM:
        require->relation = RELATION_GE;
        return true;
    case RULE_NONE:
    case RULE_NEVER_CLEAN:
        break;
    }
    return false;
}

/* Executions say for which numbers the kernel is right: is it then? */
static void try_rule(struct proof *p, struct attempt *a, double end)
{
    for (uint32_t n = 0; n < p->search->findings_count && !a->has_rule && !interrupted(); n++) {
        struct attempt again = {.launch = a->launch};
        bool proved = rule_of(&p->search->findings[n].rule, &a->rule) &&
                      try_launch(p, &again, end - clock_seconds(), &a->rule, false);
        for (size_t i = 0; i < again.outcome.count; i++)
            proved &= again.outcome.items[i].verdict == PAIR_PROVED;
        a->has_rule = proved;
        pair_outcome_free(&again.outcome);
    }
}

/* A load that another thread may disturb through another parameter gives anything: is that the reason? */
static void try_apart(struct proof *p, struct attempt *a, double end)
{
    struct attempt again = {.launch = a->launch};
    bool proved = !interrupted() && race_of(p, a) == NULL && try_launch(p, &again, end - clock_seconds(), NULL, true);
    for (size_t i = 0; i < again.outcome.count; i++)
        proved &= again.outcome.items[i].verdict == PAIR_PROVED;
    a->when_apart = proved && kernel_errors(p->search) == 0;
    pair_outcome_free(&again.outcome);
}

static void add_launch(struct proof *p, const uint32_t block[3])
{
    struct attempt *const a = &p->attempts[p->count++];
    memcpy(a->launch.block, block, sizeof a->launch.block);
}

/* Those of the user, else those of the search: its multiples of 32 in one dimension are proved together. */
static void choose_launches(struct proof *p)
{
    static const struct pair_launch any = {{0, 0, 0}};
    const struct kernel_search *const s = p->search;
    for (uint32_t n = 0; n < p->options->blocks_count; n++)
        add_launch(p, p->options->blocks[n]);
    if (p->count > 0)
        return;
    for (uint32_t n = 0; n < s->launches_count; n++) {
        const bool together = s->launches_count > 1 && covers(&any, s->launches[n]);
        if (!together)
            add_launch(p, s->launches[n]);
        else if (p->count == 0 || p->attempts[0].launch.block[0] != 0) {
            memmove(p->attempts + 1, p->attempts, p->count * sizeof *p->attempts);
            p->count++;
            p->attempts[0] = (struct attempt){.launch = any};
        }
    }
}

struct proof *proof_try(const struct code *code, const struct kernel_search *search,
                        const struct kernel_search_options *options, double seconds, bool cross, bool races,
                        struct error *error)
{
    struct proof *const p = calloc(1, sizeof *p);
    if (p != NULL)
        *p = (struct proof){code, search, options, calloc(KERNEL_LAUNCHES_MAX + 1u, sizeof *p->attempts),
                            0,    cross,  races};
    if (p == NULL || p->attempts == NULL) {
        free(p);
        error_set(error, ERROR_SYSTEM, "out of memory");
        return NULL;
    }
    choose_launches(p);
    for (uint32_t n = 0; n < p->count; n++) {
        struct attempt *const a = &p->attempts[n];
        const double end = clock_seconds() + seconds; /* for all that is tried of this launch */
        a->tried = try_launch(p, a, seconds, NULL, false);
        if (ended_in(search, &a->launch) == 0)
            continue; /* nothing is proved */
        if (a->tried && !is_proved(p, a))
            try_rule(p, a, end);
        if (a->tried && !is_proved(p, a) && !a->has_rule && a->outcome.overlap_matters)
            try_apart(p, a, end);
    }
    return p;
}

void proof_free(struct proof *p)
{
    for (uint32_t n = 0; p != NULL && n < p->count; n++)
        pair_outcome_free(&p->attempts[n].outcome);
    if (p != NULL)
        free(p->attempts);
    free(p);
}

/* --- telling --- */

static void launch_text(const struct pair_launch *launch, char text[96])
{
    if (launch->block[0] == 0)
        snprintf(text, 96, "every block of 32, 64, ... 1024 threads in one dimension");
    else
        snprintf(text, 96, "block %u x %u x %u", launch->block[0], launch->block[1], launch->block[2]);
}

static void require_text(const struct proof *p, const struct kernel_require *r, char text[160])
{
    char modulus[32] = "";
    if (r->modulus != 0)
        snprintf(modulus, sizeof modulus, " %% %llu", (unsigned long long)r->modulus);
    snprintf(text, 160, "%s%s %s %lld", p->search->slots.slots[r->slot].name, modulus,
             kernel_relation_name(r->relation), (long long)r->number);
}

/* What is not proved by itself is worse than what rests on others. */
static bool is_worse(const struct proof *p, const struct attempt *a, const struct pair_item *x,
                     const struct pair_item *than)
{
    const enum said said = said_of(p, a, x), other = said_of(p, a, than);
    return said != other ? said > other : x->verdict > than->verdict;
}

/* The worst that is said of the obligations at this place; the first of them is `first`. */
static const struct pair_item *worst_at(const struct proof *p, const struct attempt *a, size_t first)
{
    const struct pair_item *worst = &a->outcome.items[first];
    for (size_t n = first + 1; n < a->outcome.count; n++)
        if (a->outcome.items[n].at == worst->at && is_worse(p, a, &a->outcome.items[n], worst))
            worst = &a->outcome.items[n];
    return worst;
}

static bool is_first_at(const struct attempt *a, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (a->outcome.items[k].at == a->outcome.items[n].at)
            return false;
    return true;
}

static enum paint paint_of(enum said said)
{
    return said == SAID_PROVED ? PAINT_GREEN : said == SAID_UNKNOWN ? PAINT_YELLOW : PAINT_RED;
}

static void print_place(const struct proof *p, const struct attempt *a, const struct pair_item *item)
{
    const enum said said = said_of(p, a, item);
    struct buffer b = {0};
    kernel_place_text(p->code, item->at, &b);
    printf("    %s%-7s%s %s\n", paint(paint_of(said)), word_of(said), paint(PAINT_PLAIN), buffer_string(&b));
    if (said == SAID_CONTRADICTED)
        printf("            an execution shows the error above: this proof is wrong, please report it\n");
    else if (said != SAID_PROVED)
        printf("            %s\n", why(p, a, item));
    buffer_free(&b);
}

/* What the second solver says. */
static void print_second(const struct pair_outcome *o)
{
    printf("    cvc5 says the same of %u of %u queries that Z3 finds impossible", o->agreed, o->agreed + o->undecided);
    if (o->undecided > 0)
        printf("; of %u it had no answer (%s)", o->undecided, o->undecided_why);
    printf("\n");
}

static void print_summary(const struct proof *p, const struct attempt *a, unsigned places, unsigned proved)
{
    char text[160];
    const bool whole = is_proved(p, a);
    printf("    %s%s%s: %u of %u places, %u queries, %.1f s; %s executions%s\n",
           paint(whole ? PAINT_GREEN : PAINT_YELLOW),
           !whole        ? "NOT PROVED"
           : places == 0 ? "NOTHING TO PROVE"
                         : "PROVED",
           paint(PAINT_PLAIN), proved, places, a->outcome.queries, a->outcome.seconds,
           number_text(ended_in(p->search, &a->launch)),
           proof_is_contradicted(p)                       ? " CONTRADICT it"
           : whole && ended_in(p->search, &a->launch) > 0 ? " say the same"
                                                          : "");
    if (p->cross)
        print_second(&a->outcome);
    for (uint32_t n = 0; n < p->options->requires_count; n++) {
        require_text(p, &p->options->requires[n], text);
        printf("    required: %s\n", shown(text));
    }
    if (a->when_apart)
        printf("    %sPROVED when no two pointer parameters overlap%s (or declare them const __restrict__)\n",
               paint(PAINT_GREEN), paint(PAINT_PLAIN));
    if (a->has_rule) {
        require_text(p, &a->rule, text);
        printf("    %sPROVED when %s%s (found by execution, proved here)\n", paint(PAINT_GREEN), shown(text),
               paint(PAINT_PLAIN));
    }
}

/* The proof ended before its time: what is open stays open, and of the rest some turn was not looked at. */
static void print_unfinished(const struct proof *p, const struct attempt *a)
{
    unsigned good = 0;
    for (size_t n = 0; n < a->outcome.count; n++) {
        const struct pair_item *const worst = is_first_at(a, n) ? worst_at(p, a, n) : NULL;
        if (worst != NULL && said_of(p, a, worst) != SAID_PROVED)
            print_place(p, a, worst);
        good += worst != NULL && said_of(p, a, worst) == SAID_PROVED;
    }
    if (a->outcome.queries > 0)
        printf("    until then: %u more places looked at without an objection, %u queries, %.1f s\n", good,
               a->outcome.queries, a->outcome.seconds);
}

static void print_attempt(const struct proof *p, const struct attempt *a)
{
    char launch[96];
    unsigned places = 0, proved = 0;
    launch_text(&a->launch, launch);
    printf("  proof for %s, all inputs and schedules%s\n", launch,
           a->outcome.other_warps ? "; barriers also between threads of different warps" : "");
    if (!a->tried) {
        printf("    %sUNKNOWN%s: %s\n", paint(PAINT_YELLOW), paint(PAINT_PLAIN), shown(a->error.text));
        print_unfinished(p, a);
        return;
    }
    for (size_t n = 0; n < a->outcome.count; n++) {
        const struct pair_item *worst;
        if (!is_first_at(a, n))
            continue;
        worst = worst_at(p, a, n);
        places++;
        proved += said_of(p, a, worst) == SAID_PROVED;
        print_place(p, a, worst);
    }
    print_summary(p, a, places, proved);
}

void proof_print(const struct proof *p)
{
    for (uint32_t n = 0; n < p->count; n++)
        print_attempt(p, &p->attempts[n]);
    printf("    assumed: loops end, also those that wait for a lock or a flag in global memory; traps and failed "
           "asserts do not happen; other blocks write global memory by atomic operations alone\n");
}

static void json_item(const struct proof *p, const struct attempt *a, const struct pair_item *item)
{
    const enum said said = said_of(p, a, item);
    const struct code_place place = code_place(p->code, item->at);
    out_begin_object(NULL);
    out_text("verdict", word_of(said));
    out_text("obligation", pair_obligation_name(item->obligation));
    out_text("file", shown(place.file));
    out_number("line", place.line);
    out_number("ptx_line", place.ptx_line);
    out_text("instruction", place.text);
    if (said != SAID_PROVED)
        out_text("why",
                 said == SAID_CONTRADICTED ? "an execution shows the error: the proof is wrong" : why(p, a, item));
    out_end();
}

void proof_json(const struct proof *p)
{
    char text[160];
    out_begin_array("proofs");
    for (uint32_t n = 0; n < p->count; n++) {
        const struct attempt *const a = &p->attempts[n];
        out_begin_object(NULL);
        launch_text(&a->launch, text);
        out_text("launch", text);
        out_text("verdict", !a->tried               ? "UNKNOWN"
                            : !is_proved(p, a)      ? "NOT PROVED"
                            : a->outcome.count == 0 ? "NOTHING TO PROVE"
                                                    : "PROVED");
        if (!a->tried)
            out_text("why", shown(a->error.text));
        out_number("executions", ended_in(p->search, &a->launch));
        out_number("queries", a->outcome.queries);
        if (p->cross) {
            out_number("agreed", a->outcome.agreed);
            out_number("undecided", a->outcome.undecided);
        }
        out_real("seconds", a->outcome.seconds);
        if (a->has_rule) {
            require_text(p, &a->rule, text);
            out_text("proved_when", shown(text));
        } else if (a->when_apart)
            out_text("proved_when", "no two pointer parameters overlap");
        out_begin_array("places");
        for (size_t i = 0; a->tried && i < a->outcome.count; i++)
            json_item(p, a, &a->outcome.items[i]);
        out_end();
        out_end();
    }
    out_end();
}

#else

struct proof *proof_try(const struct code *code, const struct kernel_search *search,
                        const struct kernel_search_options *options, double seconds, bool cross, bool races,
                        struct error *error)
{
    (void)code, (void)search, (void)options, (void)seconds, (void)cross, (void)races;
    error_set(error, ERROR_UNAVAILABLE, "built without Z3 (Debian: libz3-dev)");
    return NULL;
}

void proof_free(struct proof *proof)
{
    (void)proof;
}

bool proof_is_whole(const struct proof *proof)
{
    (void)proof;
    return false;
}

bool proof_is_contradicted(const struct proof *proof)
{
    (void)proof;
    return false;
}

void proof_print(const struct proof *proof)
{
    (void)proof;
}

void proof_json(const struct proof *proof)
{
    (void)proof;
}
#endif
