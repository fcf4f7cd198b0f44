#include "fuzz/kernels/culprit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLE     400u /* kernels of the suite, and kernels that differ, which are counted, at most */
#define CANDIDATES 256u
#define ENOUGH     0.4 /* of the surest word's share: it may be the one */
#define NEAR       0.7 /* of it: as sure; then the one in more of the kernels that differ counts */

/* ---- words ---- */

bool culprit_line_word(const char *line, char word[CULPRIT_WORD_MAX])
{
    const char *guard = "", *at = line + strspn(line, " \t");
    if (*at == '@') {
        guard = at[1] == '!' ? "@!" : "@";
        at += strcspn(at, " \n");
        at += *at == ' ';
    }
    const size_t length = strcspn(at, " ;\n:");
    if (length == 0 || length >= CULPRIT_WORD_MAX || *at < 'a' || *at > 'z' || at[length] == ':')
        return false;
    snprintf(word, CULPRIT_WORD_MAX, "%.*s", (int)length, at);
    if (strncmp(word, "bra", 3) == 0 && at[length] == ' ')
        snprintf(word, CULPRIT_WORD_MAX, "%sbra.%c", guard, at[length + 1]);
    return true;
}

/* Is it the word, or does it begin with it? */
static bool is_word(const char *longer, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(longer, word, length) == 0 && (longer[length] == '\0' || longer[length] == '.');
}

#define PAIR "d|p" /* instructions that write both */

static unsigned count_word(const char *text, const char *word)
{
    char line[CULPRIT_WORD_MAX];
    unsigned count = 0;
    if (strcmp(word, PAIR) == 0) {
        for (const char *at = text; (at = strstr(at, "|%p")) != NULL; at++)
            count++;
        return count;
    }
    for (const char *at = text; at != NULL && *at != '\0'; at = strchr(at, '\n')) {
        at += *at == '\n';
        count += culprit_line_word(at, line) && is_word(line, word);
    }
    return count;
}

/* A kernel, its statements' words, and its text with all of them and with none. */
struct reading {
    const char *words[MAKE_NODES * MAKE_NODE_WORDS];
    unsigned words_count;
    struct buffer text, frame;
};

static void add_words(const struct make_kernel *k, uint16_t first, struct reading *r)
{
    for (uint16_t n = first; n != 0; n = k->nodes[n].next) {
        r->words_count += make_node_words(&k->nodes[n], &r->words[r->words_count]);
        add_words(k, k->nodes[n].body, r);
        add_words(k, k->nodes[n].other, r);
    }
}

static bool read_kernel(const struct make_kernel *k, struct reading *r)
{
    struct make_kernel empty = *k;
    empty.root = 0;
    memset(r, 0, sizeof *r);
    add_words(k, k->root, r);
    make_write(k, &r->text, NULL, NULL);
    make_write(&empty, &r->frame, NULL, NULL);
    return !r->text.failed && !r->frame.failed;
}

static void reading_free(struct reading *r)
{
    buffer_free(&r->text);
    buffer_free(&r->frame);
}

static bool has_word(const struct reading *r, const char *word)
{
    for (unsigned n = 0; n < r->words_count; n++)
        if (strcmp(r->words[n], word) == 0)
            return true;
    return count_word(buffer_string(&r->text), word) > count_word(buffer_string(&r->frame), word);
}

/* ---- the surest word ---- */

struct candidate {
    char word[CULPRIT_WORD_MAX];
    unsigned differing, all; /* kernels of each sample that have it */
};

struct choice {
    struct candidate candidates[CANDIDATES];
    unsigned count;
};

/* A word of the statements, that is not in what stands around all of them. */
static void add_candidate(struct choice *c, const struct reading *r, const char *word)
{
    unsigned n = 0;
    while (n < c->count && strcmp(c->candidates[n].word, word) != 0)
        n++;
    if (n == c->count && n < CANDIDATES && count_word(buffer_string(&r->frame), word) == 0)
        snprintf(c->candidates[c->count++].word, CULPRIT_WORD_MAX, "%s", word);
}

static void add_candidates(struct choice *c, const struct reading *r)
{
    char word[CULPRIT_WORD_MAX];
    for (unsigned n = 0; n < r->words_count; n++)
        add_candidate(c, r, r->words[n]);
    if (has_word(r, PAIR))
        add_candidate(c, r, PAIR);
    for (const char *at = buffer_string(&r->text); at != NULL && *at != '\0'; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (!culprit_line_word(at, word))
            continue;
        add_candidate(c, r, word);
        for (char *dot; (dot = strrchr(word, '.')) != NULL && word[0] != '@'; add_candidate(c, r, word))
            *dot = '\0';
    }
}

static bool count_kernel(struct choice *c, const struct make_suite *suite, uint64_t number, bool differs)
{
    struct make_kernel k;
    struct reading r;
    make_draw(suite, number, &k);
    const bool ok = read_kernel(&k, &r);
    for (unsigned n = 0; ok && n < c->count; n++)
        if (has_word(&r, c->candidates[n].word))
            *(differs ? &c->candidates[n].differing : &c->candidates[n].all) += 1;
    reading_free(&r);
    return ok;
}

/* The share of its kernels that differ, in units that are the same for all words; one that differs tells little. */
static double share(const struct candidate *c)
{
    return (c->differing - sqrt(c->differing) * 0.9) / (c->all + 1.0);
}

/* The candidate that is not taken yet and comes next: of those that are as sure, the one in most of the kernels that
 * differ. NULL: none, or none that is sure enough. */
static struct candidate *next_surest(struct choice *c, double *most)
{
    struct candidate *best = NULL;
    double now = 0;
    for (unsigned n = 0; n < c->count; n++)
        now = share(&c->candidates[n]) > now ? share(&c->candidates[n]) : now;
    *most = now > *most ? now : *most;
    for (unsigned n = 0; n < c->count && now >= ENOUGH * *most; n++) {
        struct candidate *const one = &c->candidates[n];
        if (share(one) >= NEAR * now && one->differing > 0 &&
            (best == NULL || one->differing > best->differing ||
             (one->differing == best->differing && share(one) > share(best))))
            best = one;
    }
    return best;
}

/* Does a line lead elsewhere than to the next one? */
static bool has_branch(const char *text)
{
    static const char *const words[] = {"bra", "@bra", "@!bra", "brx", "call"};
    unsigned count = 0;
    for (size_t n = 0; n < sizeof words / sizeof words[0]; n++)
        count += count_word(text, words[n]);
    return count > 0;
}

bool culprit_choose(const struct make_suite *suite, const struct make_kernel *reduced, const char *text,
                    const uint64_t *differing, size_t count, struct culprit culprits[CULPRITS],
                    unsigned *culprits_count, struct error *error)
{
    static struct choice c;
    struct reading r;
    double most = 0;
    c.count = 0;
    memset(c.candidates, 0, sizeof c.candidates);
    bool ok = read_kernel(reduced, &r);
    if (ok && text[0] != '\0') {
        r.words_count = has_branch(text) ? r.words_count : 0; /* where statements stand does not matter any more */
        buffer_free(&r.text);
        buffer_text(&r.text, text);
    }
    if (ok)
        add_candidates(&c, &r);
    reading_free(&r);
    const size_t step = count / SAMPLE + 1;
    for (size_t n = 0; ok && n < count; n += step)
        ok = count_kernel(&c, suite, differing[n], true);
    for (uint64_t n = 0; ok && n < SAMPLE; n++)
        ok = count_kernel(&c, suite, n, false);
    *culprits_count = 0;
    for (struct candidate *one; ok && *culprits_count < CULPRITS && (one = next_surest(&c, &most)) != NULL;) {
        memcpy(culprits[(*culprits_count)++].word, one->word, sizeof one->word);
        one->differing = 0;
    }
    if (*culprits_count == 0)
        culprits[(*culprits_count)++].word[0] = '\0';
    return ok || error_set(error, ERROR_SYSTEM, "out of memory");
}

/* ---- without it ---- */

static bool node_has(const struct make_node *node, const char *word)
{
    const char *words[MAKE_NODE_WORDS];
    const unsigned count = make_node_words(node, words);
    for (unsigned n = 0; n < count; n++)
        if (strcmp(words[n], word) == 0)
            return true;
    return false;
}

/* Leaves out the statements without which the word is written less often: those that hold others last. */
static void leave_out_writers(struct make_kernel *kernel, const char *word, unsigned left, unsigned wanted)
{
    for (unsigned holds = 0; holds < 2 && left > wanted; holds++)
        for (uint32_t n = 1; n < kernel->nodes_count && left > wanted; n++) {
            struct make_kernel smaller = *kernel;
            struct buffer text = {0};
            if ((kernel->nodes[n].kind == MAKE_CONTROL) != (holds != 0))
                continue;
            make_leave_out(&smaller, (uint16_t)n);
            make_write(&smaller, &text, NULL, NULL);
            const unsigned now = text.failed ? left : count_word(buffer_string(&text), word);
            buffer_free(&text);
            if (now >= left)
                continue;
            left = now;
            *kernel = smaller;
        }
}

bool culprit_without(const struct culprit *culprit, struct make_kernel *kernel)
{
    struct reading r;
    const char *const word = culprit->word;
    if (word[0] == '\0') {
        const bool has = kernel->root != 0;
        kernel->root = 0;
        return has;
    }
    bool has = read_kernel(kernel, &r) && has_word(&r, word);
    reading_free(&r);
    if (!has)
        return false;
    for (uint32_t n = 1; n < kernel->nodes_count; n++)
        if (node_has(&kernel->nodes[n], word))
            make_leave_out(kernel, (uint16_t)n);
    has = read_kernel(kernel, &r);
    const unsigned frame = count_word(buffer_string(&r.frame), word), left = count_word(buffer_string(&r.text), word);
    reading_free(&r);
    if (has)
        leave_out_writers(kernel, word, left, frame);
    return has;
}

bool culprit_without_lines(const struct culprit *culprit, const char *text, struct buffer *out)
{
    char word[CULPRIT_WORD_MAX];
    bool has = false;
    for (const char *at = text; *at != '\0';) {
        const size_t length = strcspn(at, "\n") + (strchr(at, '\n') != NULL);
        if (culprit_line_word(at, word) && is_word(word, culprit->word))
            has = true;
        else
            buffer_add(out, at, length);
        at += length;
    }
    return has;
}

bool culprit_is_shown(const struct culprit *culprit, bool agrees)
{
    return agrees == (culprit->word[0] != '\0');
}
