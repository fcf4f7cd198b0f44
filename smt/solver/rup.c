#include "smt/solver/rup.h"

#include "base/clock.h"
#include "smt/context.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STEPS_A_LOOK 64 /* at the clock */

/* Literals are 2 * variable + sign. */
struct ints {
    int *items;
    size_t count, room;
};

struct rup {
    double deadline;      /* on clock_seconds()'s clock; 0: none */
    struct ints arena;    /* per clause: length (negative: deleted), then literals */
    struct ints *watches; /* per literal: places of clauses that watch it */
    signed char *value;   /* per literal: 1 true, -1 false, 0 open */
    struct ints trail;    /* true literals, in order */
    size_t propagated;
    size_t literals;      /* 2 * (variables + 1) */
    struct ints *by_hash; /* places of clauses by hash */
    bool conflict;        /* the empty clause has been reached */
};

#define HASHES 65536u

static void push(struct ints *list, int x)
{
    list->items = smt_room(list->items, list->count, &list->room, sizeof *list->items);
    list->items[list->count++] = x;
}

static void assign(struct rup *r, int literal)
{
    r->value[literal] = 1;
    r->value[literal ^ 1] = -1;
    push(&r->trail, literal);
}

/* Looks for another literal to watch in place of the false one, which stands second. */
static bool move_watch(struct rup *r, int place, int *clause, int length)
{
    for (int k = 2; k < length; k++)
        if (r->value[clause[k]] >= 0) {
            int other = clause[k];
            clause[k] = clause[1];
            clause[1] = other;
            push(&r->watches[other], place);
            return true;
        }
    return false;
}

/* Handles one clause that watches the literal that is now false. Returns false when every literal of the clause is
 * false. Sets *keep when it still watches this literal. */
static bool visit(struct rup *r, int place, int literal, bool *keep)
{
    int length = r->arena.items[place];
    int *clause = &r->arena.items[place + 1];
    *keep = length > 0;
    if (length <= 0)
        return true;
    if (clause[0] == literal) {
        clause[0] = clause[1];
        clause[1] = literal;
    }
    if (r->value[clause[0]] > 0)
        return true;
    if (move_watch(r, place, clause, length)) {
        *keep = false;
        return true;
    }
    if (r->value[clause[0]] < 0)
        return false;
    assign(r, clause[0]);
    return true;
}

static bool propagate(struct rup *r)
{
    while (r->propagated < r->trail.count) {
        int literal = r->trail.items[r->propagated++] ^ 1;
        struct ints *list = &r->watches[literal];
        size_t kept = 0;
        bool good = true;
        for (size_t i = 0; i < list->count; i++) {
            bool keep = true;
            int place = list->items[i];
            if (good)
                good = visit(r, place, literal, &keep);
            if (keep)
                list->items[kept++] = place;
        }
        list->count = kept;
        if (!good)
            return false;
    }
    return true;
}

static void undo(struct rup *r, size_t count)
{
    while (r->trail.count > count) {
        int literal = r->trail.items[--r->trail.count];
        r->value[literal] = r->value[literal ^ 1] = 0;
    }
    r->propagated = count;
}

/* Assumes that all literals are false (but `except`); true when that leads to a conflict, or one is true already. */
static bool refute(struct rup *r, const int *literals, int n, int except)
{
    for (int i = 0; i < n; i++) {
        if (literals[i] == except)
            continue;
        if (r->value[literals[i]] > 0)
            return true;
        if (r->value[literals[i]] == 0)
            assign(r, literals[i] ^ 1);
    }
    return !propagate(r);
}

static bool contains(const int *clause, int n, int literal)
{
    for (int i = 0; i < n; i++)
        if (clause[i] == literal)
            return true;
    return false;
}

/* Is the clause redundant by resolution on the first literal? Then each resolvent with a clause that has its
 * negation is a consequence. */
static bool redundant(struct rup *r, const int *literals, int n)
{
    size_t before = r->trail.count;
    if (n == 0)
        return false;
    for (size_t at = 0; at < r->arena.count;) {
        int length = r->arena.items[at];
        int size = abs(length);
        const int *clause = &r->arena.items[at + 1];
        bool good = true;
        if (length > 0 && contains(clause, size, literals[0] ^ 1)) {
            good = refute(r, literals, n, INT_MIN) || refute(r, clause, size, literals[0] ^ 1);
            undo(r, before);
        }
        if (!good)
            return false;
        at += (size_t)size + 1;
    }
    return true;
}

static bool follows(struct rup *r, const int *literals, int n)
{
    size_t before = r->trail.count;
    bool good = refute(r, literals, n, INT_MIN);
    undo(r, before);
    return good || redundant(r, literals, n);
}

static unsigned hash_of(const int *literals, int n)
{
    unsigned sum = 0, product = 1, mix = 0;
    for (int i = 0; i < n; i++) {
        unsigned x = (unsigned)literals[i] + 1u;
        sum += x;
        product *= x | 1u;
        mix ^= x * 2654435761u;
    }
    return (1023u * sum + product + mix) % HASHES;
}

/* Watches two literals that are not false, where there are two. A single one makes a lasting unit; none makes the
 * empty clause. */
static void add_clause(struct rup *r, const int *literals, int n)
{
    int place = (int)r->arena.count;
    int *clause;
    int open = 0;
    push(&r->arena, n);
    for (int i = 0; i < n; i++)
        push(&r->arena, literals[i]);
    push(&r->by_hash[hash_of(literals, n)], place);
    clause = &r->arena.items[place + 1];
    for (int i = 0; i < n && open < 2; i++)
        if (r->value[clause[i]] >= 0) {
            int literal = clause[i];
            clause[i] = clause[open];
            clause[open++] = literal;
        }
    if (open == 0)
        r->conflict = true;
    if (n >= 2) {
        push(&r->watches[clause[0]], place);
        push(&r->watches[clause[1]], place);
    }
    if (open == 1 && r->value[clause[0]] == 0) {
        assign(r, clause[0]);
        if (!propagate(r))
            r->conflict = true;
    }
}

static bool same_literals(const int *x, const int *y, int n)
{
    for (int i = 0; i < n; i++)
        if (!contains(y, n, x[i]))
            return false;
    return true;
}

/* Keeps a clause that is the only reason for a lasting unit: without it the unit would have to go too. */
static bool makes_unit(const struct rup *r, const int *clause, int n)
{
    int true_ones = 0;
    for (int i = 0; i < n; i++)
        true_ones += r->value[clause[i]] > 0;
    for (int i = 0; i < n; i++)
        if (r->value[clause[i]] == 0)
            return false;
    return true_ones == 1;
}

/* Ignores the deletion of a missing clause: the remaining set is stronger, so no wrong proof passes because of it. */
static void delete_clause(struct rup *r, const int *literals, int n)
{
    struct ints *chain = &r->by_hash[hash_of(literals, n)];
    for (size_t i = 0; i < chain->count; i++) {
        int *length = &r->arena.items[chain->items[i]];
        if (*length != n || !same_literals(literals, length + 1, n))
            continue;
        if (n > 1 && !makes_unit(r, length + 1, n)) {
            *length = -n;
            chain->items[i] = chain->items[--chain->count];
        }
        return;
    }
}

/* Reads the literals up to 0. False: no clause could be read. */
static bool read_clause(const char **at, size_t literals, struct ints *clause)
{
    clause->count = 0;
    for (;;) {
        char *end;
        long x = strtol(*at, &end, 10);
        size_t variable = (size_t)labs(x);
        if (end == *at || 2 * variable + 1 >= literals)
            return false;
        *at = end;
        if (x == 0)
            return true;
        push(clause, (int)(2 * variable + (x < 0)));
    }
}

static void skip_line(const char **at)
{
    *at += strcspn(*at, "\n");
    *at += **at == '\n';
}

static bool read_formula(struct rup *r, const char *at, struct ints *clause)
{
    for (at += strspn(at, " \n"); *at != '\0'; at += strspn(at, " \n")) {
        if (*at == 'c' || *at == 'p')
            skip_line(&at);
        else if (read_clause(&at, r->literals, clause))
            add_clause(r, clause->items, (int)clause->count);
        else
            return false;
    }
    return true;
}

static bool read_proof(struct rup *r, const char *at, struct ints *clause, struct error *error)
{
    size_t step = 0;
    for (at += strspn(at, " \n"); *at != '\0' && !r->conflict; at += strspn(at, " \n")) {
        bool deletes = *at == 'd';
        step++;
        at += deletes;
        if (r->deadline > 0 && step % STEPS_A_LOOK == 0 && clock_seconds() > r->deadline) {
            error_set(error, ERROR_TIMEOUT, "timeout in our proof checker, at step %zu", step);
            return false;
        }
        if (!read_clause(&at, r->literals, clause)) {
            error_set(error, ERROR_INPUT, "step %zu of the DRAT proof cannot be read", step);
            return false;
        }
        if (deletes) {
            delete_clause(r, clause->items, (int)clause->count);
            continue;
        }
        if (!follows(r, clause->items, (int)clause->count)) {
            error_set(error, ERROR_INPUT, "step %zu of the DRAT proof does not follow", step);
            return false;
        }
        add_clause(r, clause->items, (int)clause->count);
    }
    if (!r->conflict)
        error_set(error, ERROR_INPUT, "the DRAT proof does not reach the empty clause");
    return r->conflict;
}

static void rup_free(struct rup *r)
{
    for (size_t i = 0; i < r->literals && r->watches != NULL; i++)
        free(r->watches[i].items);
    for (size_t i = 0; i < HASHES && r->by_hash != NULL; i++)
        free(r->by_hash[i].items);
    free(r->watches);
    free(r->by_hash);
    free(r->value);
    free(r->arena.items);
    free(r->trail.items);
}

bool rup_check(const char *dimacs, const char *proof, double deadline, struct error *error)
{
    struct rup r = {.deadline = deadline};
    struct ints clause = {0};
    const char *header = strstr(dimacs, "p cnf ");
    long variables = header != NULL ? strtol(header + 6, NULL, 10) : -1;
    bool good = false;
    if (variables < 0 || variables > INT_MAX / 4) {
        error_set(error, ERROR_INPUT, "the clauses have no header");
        return false;
    }
    r.literals = 2 * (size_t)variables + 2;
    r.watches = calloc(r.literals, sizeof *r.watches);
    r.by_hash = calloc(HASHES, sizeof *r.by_hash);
    r.value = calloc(r.literals, 1);
    if (r.watches == NULL || r.by_hash == NULL || r.value == NULL)
        error_set(error, ERROR_SYSTEM, "out of memory in the proof checker");
    else if (!read_formula(&r, dimacs, &clause))
        error_set(error, ERROR_INPUT, "the clauses cannot be read");
    else
        good = read_proof(&r, proof, &clause, error);
    free(clause.items);
    rup_free(&r);
    return good;
}
