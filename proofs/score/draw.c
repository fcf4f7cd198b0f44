#include "proofs/score/draw.h"

#include "base/random.h"
#include "proofs/score/program.h"
#include "proofs/user/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- tables --- */

#define FLOAT_BITS                                                                                                     \
    "static float f_#N(uint32_t w) { float f; memcpy(&f, &w, 4); return f; }\n"                                        \
    "static uint32_t b_#N(float f) { uint32_t w; memcpy(&w, &f, 4); return w; }\n"

static const struct drawn_step {
    const char *what;
    enum draw_how how;
    const char *needs, *before, *body;
} steps[] = {
#define DRAW_STEP(what, how, needs, before, body) {what, DRAW_##how, needs, before, body},
#include "proofs/score/draw.def"
#undef DRAW_STEP
};
#define STEPS (sizeof steps / sizeof *steps)

static const char *const groups[] = {
#define DRAW_GROUP(word) word,
#include "proofs/score/draw.def"
#undef DRAW_GROUP
};

static const struct body {
    const char *of, *needs, *text;
} bodies[] = {
#define DRAW_BODY(of, needs, text) {#of, needs, text},
#include "proofs/score/draw.def"
#undef DRAW_BODY
};
#define BODIES (sizeof bodies / sizeof *bodies)

#define SLIP   "slip" /* stands for the step, where a body itself is wrong */

/* What a shape is in C: its parameters, and the words by which the witness is told (%u: a lane of the group). */
static const struct kind {
    unsigned weight; /* how often it is drawn: those of one lane have few ways to be written */
    const char *shape, *body, *result, *parameters, *arguments, *words[3];
} kinds[] = {
    {4, "vote", "", "uint32_t", "uint32_t v, uint32_t m, uint32_t n", "v, m, n", {"m", "n", "v"}},
    {3,
     "match",
     "MATCH",
     "void",
     "const W *a, uint32_t m, uint32_t n, uint32_t *d, uint32_t *p",
     "a, m, n, d, &p",
     {"m", "n", "a[%u]"}},
    {4, "redux", "REDUX", "uint32_t", "const uint32_t *a, uint32_t m, uint32_t n", "a, m, n", {"m", "n", "a[%u]"}},
    {2,
     "shfl",
     "SHFL",
     "void",
     "const uint32_t *a, const uint32_t *b, const uint32_t *c, uint32_t m, uint32_t n, uint32_t *d, uint32_t *p",
     "a, bs, cs, m, n, d, &p",
     {"m", "n", "a[%u]"}},
    {1,
     "shfl-inplace",
     "INPLACE",
     "void",
     "uint32_t *r, const uint32_t *b, const uint32_t *c, uint32_t m, uint32_t n, uint32_t *p",
     "r, bs, cs, m, n, &p",
     {"m", "n", "r[%u]"}},
    {1, "lane", "LANE", "uint32_t", "uint32_t lane, uint32_t b, uint32_t c", "lane, b, c", {"lane", "b", "c"}},
    {1,
     "lane-p",
     "LANE_P",
     "uint32_t",
     "uint32_t lane, uint32_t b, uint32_t c, uint32_t *p",
     "lane, b, c, &p",
     {"lane", "b", "c"}},
    {1,
     "lane-bool",
     "LANE_P",
     "uint32_t",
     "uint32_t lane, uint32_t b, uint32_t c, bool *p",
     "lane, b, c, &q",
     {"lane", "b", "c"}},
    {1,
     "cuda",
     "CUDA",
     "uint32_t",
     "uint32_t lane, uint32_t b, uint32_t width",
     "lane, b, width",
     {"lane", "b", "width"}},
};

#define KINDS (sizeof kinds / sizeof *kinds)

/* --- drawing --- */

struct pen {
    struct draw *d;
    const struct kind *kind;
    struct random random;
    struct buffer helpers, out;
    uint64_t salt;
    const struct draw_limits *limits;
    unsigned steps, holes, special; /* steps and holes written so far; which hole gets the step that matters */
};

static unsigned any(struct pen *p, unsigned n)
{
    return (unsigned)random_below(&p->random, n);
}

static bool fits(const struct pen *p, const char *needs, bool in_loop)
{
    const struct draw *d = p->d;
    const enum warp_op op = d->info->op;
    const bool is_ordered = op == WARP_MIN || op == WARP_MAX;
    for (; *needs != '\0'; needs++)
        if ((*needs == 'l' && in_loop) || (*needs == 'n' && d->wraps) || (*needs == 'w' && !d->wraps) ||
            (*needs == '2' && d->simd < 2) || (*needs == '5' && d->simd < 5) || (*needs == 'o' && !is_ordered) ||
            (*needs == 'b' && (is_ordered || op == WARP_ADD)) || (*needs == 'm' && !d->info->abs))
            return false;
    return true;
}

static const char *body_of(struct pen *p, const char *of)
{
    unsigned count = 0;
    for (size_t i = 0; i < BODIES; i++)
        count += strcmp(bodies[i].of, of) == 0 && fits(p, bodies[i].needs, false);
    count = count == 0 ? 0 : any(p, count) + 1;
    for (size_t i = 0; i < BODIES; i++)
        if (strcmp(bodies[i].of, of) == 0 && fits(p, bodies[i].needs, false) && --count == 0)
            return bodies[i].text;
    return "";
}

/* --- writing --- */

/* A text of a step: its name, its numbers, and of @RIGHT@WRONG@ the one. */
static void write_text(struct buffer *out, const char *text, unsigned name, uint64_t salt, bool wrong)
{
    const unsigned shift = 1 + (unsigned)(random_mix(salt) % 31);
    unsigned part = 0; /* 1: RIGHT, 2: WRONG */
    for (; *text != '\0'; text++) {
        if (*text == '@')
            part = (part + 1) % 3;
        else if (part != 0 && (part == 2) != wrong)
            continue;
        else if (*text != '#')
            buffer_add(out, text, 1);
        else if (*++text == 'N')
            buffer_format(out, "%u", name);
        else if (*text == 'S' || *text == 'T')
            buffer_format(out, "%u", *text == 'S' ? shift : 32 - shift);
        else
            buffer_format(out, "0x%08" PRIx32 "u", (uint32_t)random_mix(salt + (uint8_t)*text) | 1u);
    }
}

/* A function of its own for one step; returns its number. */
static unsigned write_step(struct pen *p, const struct drawn_step *step, uint64_t salt, bool wrong)
{
    const unsigned name = p->steps++;
    write_text(&p->helpers, step->before, name, salt, wrong);
    struct buffer body = {0};
    if (step->body == NULL)
        program_write(&p->helpers, &body, name, salt, wrong, step->how);
    else
        write_text(&body, step->body, name, salt, wrong);
    buffer_format(&p->helpers, "/* %s */\nstatic %suint32_t step%u(uint32_t x, uint32_t h)\n{\n    %s\n}\n\n",
                  step->what, salt % 8 == 0 ? "__attribute__((noinline)) " : "", name, buffer_string(&body));
    buffer_free(&body);
    return name;
}

/* Is it asked for? A whole name asks for one step, other text for all that have it in their names. */
static bool is_asked(const struct drawn_step *step, const char *only)
{
    for (size_t i = 0; i < STEPS; i++)
        if (strcmp(steps[i].what, only) == 0)
            return step == &steps[i];
    return strstr(step->what, only) != NULL;
}

#define PROGRAMS 4u /* the first steps, drawn each time (program.h): one of eight that matter is such a one */

/* Which step a hole gets: the first that fits, from a drawn one on. Of `x` and `r` only the step that matters is one.
 */
static const struct drawn_step *step_of(const struct pen *p, uint64_t drawn, bool in_loop, bool matters)
{
    const char *const only = matters ? p->limits->only : NULL;
    const uint64_t first = matters && drawn >> 61 == 0 ? drawn % PROGRAMS : drawn % STEPS;
    for (size_t i = 0; i < STEPS; i++) {
        const struct drawn_step *step = &steps[(first + i) % STEPS];
        if (fits(p, step->needs, in_loop) && (matters || strpbrk(step->needs, "xr") == NULL) &&
            (only == NULL || is_asked(step, only)))
            return step;
    }
    return &steps[0];
}

bool draw_is_step(const char *only)
{
    if (strstr(SLIP, only) != NULL)
        return true;
    for (size_t i = 0; i < STEPS; i++)
        if (strstr(steps[i].what, only) != NULL)
            return true;
    return false;
}

static void write_holes(struct pen *p, struct buffer *out, const char *text, size_t length);

/* A word, handed through some steps. Each hole has a random source of its own, so that the holes are the same whatever
 * stands in the others. */
static void write_hole(struct pen *p, struct buffer *out, const char *word, size_t length, bool in_loop)
{
    struct random random = {p->salt + RANDOM_STEP * ++p->holes};
    const bool is_special = p->holes == p->special;
    const unsigned drawn = in_loop ? random_below(&random, 4) == 0 : (unsigned)random_below(&random, 3);
    const unsigned count = p->limits->bare ? 0 : drawn;
    for (unsigned i = 0; i < count + is_special; i++) {
        const bool last = is_special && i == count;
        const struct drawn_step *step = step_of(p, random_next(&random), in_loop, last);
        const bool nothing = last && !p->d->wrong && strchr(step->needs, 'x') != NULL;
        if (last) {
            p->d->step = step->what;
            p->d->how = step->how;
            p->d->is_scope = strchr(step->needs, 's') != NULL;
        }
        if (nothing)
            buffer_text(out, "KEEP(");
        else
            buffer_format(out, "step%u(", write_step(p, step, random_next(&random), last && p->d->wrong));
    }
    buffer_text(out, "(uint32_t)(");
    write_holes(p, out, word, length);
    buffer_text(out, ")");
    for (unsigned i = count + is_special; i-- > 0;)
        buffer_text(out, ", h)");
}

/* The place behind `text`, which begins with @RIGHT@WRONG@: a hole, too. */
static const char *write_slip(struct pen *p, struct buffer *out, const char *text)
{
    const char *const right = text + 1, *const wrong = strchr(right, '@') + 1, *const end = strchr(wrong, '@') + 1;
    const bool is_special = ++p->holes == p->special, slips = is_special && p->d->wrong;
    if (is_special) {
        p->d->step = SLIP;
        p->d->how = DRAW_VALUE;
        p->d->is_slip = true;
    }
    buffer_add(out, slips ? wrong : right, (size_t)(slips ? end - wrong : wrong - right) - 1);
    return end;
}

static void write_holes(struct pen *p, struct buffer *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        size_t end = i + 2;
        if (text[i] == '@') {
            i = (size_t)(write_slip(p, out, text + i) - text) - 1;
            continue;
        }
        if ((text[i] != '$' && text[i] != '%') || text[i + 1] != '(') {
            buffer_add(out, text + i, 1);
            continue;
        }
        for (unsigned depth = 1; depth > 0; end++)
            depth += (unsigned)(text[end] == '(') - (unsigned)(text[end] == ')');
        write_hole(p, out, text + i + 2, end - 1 - (i + 2), text[i] == '%');
        i = end - 1;
    }
}

static void write_body(struct pen *p, const char *text)
{
    write_holes(p, &p->out, text, strlen(text));
}

static const char *const op_names[WARP_OPS] = {
    [WARP_UP] = "UP",   [WARP_DOWN] = "DOWN", [WARP_BFLY] = "BFLY",     [WARP_IDX] = "IDX", [WARP_ALL] = "ALL",
    [WARP_ANY] = "ANY", [WARP_UNI] = "UNI",   [WARP_BALLOT] = "BALLOT", [WARP_ADD] = "ADD", [WARP_MIN] = "MIN",
    [WARP_MAX] = "MAX", [WARP_AND] = "AND",   [WARP_OR] = "OR",         [WARP_XOR] = "XOR",
};

static void write_helper(struct pen *p, const char *head, const char *of)
{
    buffer_format(&p->out, "static %s\n{\n    ", head);
    write_body(p, body_of(p, of));
    buffer_text(&p->out, "\n}\n\n");
}

/* Numbers of f32 are handed about as bits. */
static void write_float_op(struct pen *p)
{
    const struct warp_form_info *info = p->d->info;
    const bool is_least = info->op == WARP_MIN;
    buffer_format(&p->out, "#define SOURCE(x) (%s(x))\n#define NAN_WINS %d\n", info->abs ? "0x7fffffffu & " : "",
                  info->nan);
    buffer_format(&p->out, "#define BETTER(x, y) less(%s, h)\n#define PICK __builtin_f%sf\n\n",
                  is_least ? "x, y" : "y, x", is_least ? "min" : "max");
    write_helper(p, "bool less(uint32_t x, uint32_t y, uint32_t h)", "FLOAT_LESS");
    write_helper(p, "bool is_nan(uint32_t x, uint32_t h)", "FLOAT_NAN");
}

static const char *neutral_of(const struct warp_form_info *info)
{
    const bool is_signed = info->type == WARP_S32;
    if (info->op == WARP_MIN)
        return is_signed ? "0x7fffffffu" : "0xffffffffu";
    if (info->op == WARP_MAX && is_signed)
        return "0x80000000u";
    return info->op == WARP_AND ? "0xffffffffu" : "0u";
}

static void write_op(struct pen *p)
{
    const struct warp_form_info *info = p->d->info;
    const bool ordered = info->op == WARP_MIN || info->op == WARP_MAX, is_signed = info->type == WARP_S32;
    buffer_format(&p->out, "#define NEUTRAL %s\n#define OP %c\n\n", neutral_of(info),
                  info->op == WARP_AND  ? '&'
                  : info->op == WARP_OR ? '|'
                                        : '^');
    buffer_text(&p->out, "static uint32_t op(uint32_t x, uint32_t y, uint32_t h)\n{\n    ");
    if (ordered)
        buffer_format(&p->out, "bool less = %s;\n    ", body_of(p, is_signed ? "SLESS" : "LESS"));
    write_body(p, body_of(p, op_names[info->op]));
    buffer_text(&p->out, "\n}\n\n");
}

static void write_source(struct pen *p)
{
    buffer_format(&p->out, "#define CLAMP %d\n\n", p->d->info->op == WARP_UP ? 0 : 31);
    buffer_text(&p->out, "static bool source(uint32_t lane, uint32_t b, uint32_t c, uint32_t *j, uint32_t h)\n{\n"
                         "    uint32_t ");
    write_body(p, body_of(p, "SEGMENT"));
    buffer_text(&p->out, "\n    ");
    write_body(p, body_of(p, op_names[p->d->info->op]));
    buffer_text(&p->out, "\n    ");
    write_body(p, body_of(p, "TAKE"));
    buffer_text(&p->out, "\n}\n\n");
}

static void write_group(struct pen *p)
{
    const char *word = groups[any(p, sizeof groups / sizeof *groups)];
    buffer_text(&p->out, "    const uint32_t g = ");
    write_hole(p, &p->out, word, strlen(word), false);
    buffer_text(&p->out, ";\n");
}

static void write_ballot(struct pen *p)
{
    buffer_text(&p->out, "static uint32_t ballot(uint32_t v, uint32_t m, uint32_t n, uint32_t h)\n{\n");
    write_group(p);
    buffer_text(&p->out, "    ");
    write_body(p, body_of(p, "BALLOT"));
    buffer_text(&p->out, "\n}\n\n");
}

/* --- the witness --- */

static lanemask some_lanes(struct pen *p)
{
    const lanemask lanes = (lanemask)random_next(&p->random);
    switch (any(p, 4)) {
    case 0:
        return UINT32_MAX;
    case 1:
        return 1u << (lanes & 31);
    case 2:
        return (lanes & 0xffffu) | 1u;
    default:
        return lanes | 1u << any(p, 32);
    }
}

/* Values of two kinds, or all but one the same, or floats that are special. */
static void relate(struct pen *p)
{
    static const uint32_t special[] = {0, 1u << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0xff800001, 1, 0x80000001};
    struct warp_case *w = &p->d->witness;
    const unsigned how = any(p, 4), other = any(p, 32), bit = any(p, 2) == 0 ? 31 : any(p, 32);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const unsigned from = how == 0 ? any(p, 2) : 0;
        if (p->d->info->type == WARP_F32)
            w->a[k] = any(p, 4) == 0 ? special[any(p, 8)] : w->a[k];
        else if (how < 2) {
            w->a[k] = w->a[from] ^ (how == 1 && k == other ? 1u << bit : 0);
            w->a_high[k] = w->a_high[from];
        }
    }
}

/* A function of one lane knows of no group and no values: there is one group, and each value tells its lane. */
static void draw_witness(struct pen *p)
{
    struct warp_case *w = &p->d->witness;
    const struct warp_form_info *info = p->d->info;
    const bool one_lane = strcmp(p->kind->words[0], "lane") == 0;
    const lanemask members = one_lane ? UINT32_MAX : some_lanes(p), others = (lanemask)random_next(&p->random);
    warp_case_init(w, info->form);
    w->dst = user_dst(info);
    w->exited = !one_lane && any(p, 3) == 0 && (members & (members - 1)) != 0 ? members & (members - 1) & others : 0;
    w->active = (members | (warp_form_is_sync(info) ? others : 0)) & ~w->exited;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        w->a[k] = (uint32_t)random_next(&p->random);
        w->a_high[k] = (uint32_t)random_next(&p->random);
        w->b[k] = (uint32_t)random_next(&p->random);
        w->c[k] =
            strcmp(p->d->shape, "cuda") == 0 ? user_cuda_c(info, 1u << any(p, 6)) : (uint32_t)random_next(&p->random);
        w->membermask[k] = members >> k & 1u ? members : w->active & ~members;
    }
    if (!one_lane)
        relate(p);
    warp_case_repair(w);
    do
        p->d->lane = any(p, WARP_LANES);
    while (!(members & w->active & 1u << p->d->lane));
}

static uint32_t predicates(const struct warp_case *w)
{
    uint32_t v = 0;
    for (unsigned k = 0; k < WARP_LANES; k++)
        v |= (uint32_t)(w->a[k] != 0) << k;
    return v;
}

/* A word of the call on the witness, by its name. */
static uint64_t word_of(const struct draw *d, const char *word)
{
    const struct warp_case *w = &d->witness;
    const unsigned k = d->lane;
    switch (word[0]) {
    case 'm':
        return warp_form_is_sync(d->info) ? w->membermask[k] : w->active;
    case 'n':
        return w->active;
    case 'v':
        return predicates(w);
    case 'l':
        return k;
    case 'b':
        return w->b[k];
    case 'c':
        return w->c[k];
    case 'w':
        return user_cuda_width(d->info, w->c[k]);
    default:
        return warp_case_a64(w, k);
    }
}

/* h: 1 on the witness. */
static void write_hit(struct pen *p)
{
    static const char *const ways[][4] = {
        {"    const uint32_t h = ", "%s == %s", " && ", ";\n"},
        {"    const uint32_t h = (", "(%s ^ %s)", " | ", ") == 0;\n"},
        {"    uint32_t h = 0;\n    if (", "%s == %s", ")\n        if (", ")\n            h = 1;\n"},
        {"    const uint32_t h = !(", "%s != %s", " || ", ");\n"},
    };
    const char *const *way = ways[any(p, sizeof ways / sizeof *ways)];
    buffer_text(&p->out, way[0]);
    for (unsigned i = 0; i < 3; i++) {
        char word[32], number[32];
        snprintf(word, sizeof word, p->kind->words[i], p->d->lane);
        snprintf(number, sizeof number, "0x%" PRIx64 "u", word_of(p->d, p->kind->words[i]));
        buffer_text(&p->out, i == 0 ? "" : way[2]);
        buffer_format(&p->out, way[1], word, number);
    }
    buffer_text(&p->out, way[3]);
}

/* --- the function --- */

static void write_function(struct pen *p)
{
    const struct draw *d = p->d;
    const bool is_vote = strcmp(d->shape, "vote") == 0, is_ballot = is_vote && d->info->op == WARP_BALLOT;
    const bool is_float = d->info->type == WARP_F32;
    const char *body = is_ballot  ? "return $(x);"
                       : is_float ? body_of(p, "REDUX_FLOAT")
                                  : body_of(p, is_vote ? op_names[d->info->op] : p->kind->body);
    if (strcmp(p->kind->body, "MATCH") == 0)
        body = body_of(p, d->info->op == WARP_ANY ? "MATCH_ANY" : "MATCH_ALL");
    if (is_vote)
        write_ballot(p);
    else if (is_float)
        write_float_op(p);
    else if (d->info->family == WARP_REDUX_SYNC)
        write_op(p);
    else if (warp_form_is_shfl(d->info))
        write_source(p);
    buffer_format(&p->out, "%s " DRAW_NAME "(%s)\n{\n", p->kind->result, p->kind->parameters);
    write_hit(p);
    if (is_vote) /* what may not decide the result is no hole: a poison that nobody uses is no mistake */
        buffer_text(&p->out, "    const uint32_t g = m & n, x = ballot(v, m, n, h);\n");
    else if (p->kind->words[0][0] == 'm')
        write_group(p);
    buffer_text(&p->out, "    ");
    write_body(p, body);
    buffer_text(&p->out, "\n}\n");
}

static void write_array(struct pen *p, const char *name, const uint32_t low[WARP_LANES], const uint32_t *high)
{
    buffer_format(&p->out, "    static %s %s[32] = {", high != NULL ? "W" : "uint32_t", name);
    for (unsigned k = 0; k < WARP_LANES; k++)
        buffer_format(&p->out, "%s0x%" PRIx64 "u", k == 0 ? "" : ", ",
                      low[k] | (high != NULL ? (uint64_t)high[k] << 32 : 0));
    buffer_text(&p->out, "};\n");
}

/* The call on the witness, for sanitizers that need a program. What it leaves decides a branch. */
static void write_main(struct pen *p)
{
    const struct draw *d = p->d;
    const struct warp_case *w = &d->witness;
    const bool returns = p->kind->result[0] != 'v';
    buffer_text(&p->out, "\n#ifdef MAIN\nint main(void)\n{\n    static uint32_t d[32], p;\n    static bool q;\n");
    write_array(p, "a", w->a, w->a_high);
    write_array(p, "r", w->a, NULL);
    write_array(p, "bs", w->b, NULL);
    write_array(p, "cs", w->c, NULL);
    buffer_format(&p->out, "    uint32_t v = 0x%" PRIx64 "u, m = 0x%" PRIx64 "u, n = 0x%" PRIx64 "u, width = %" PRIu64,
                  word_of(d, "v"), word_of(d, "m"), word_of(d, "n"), word_of(d, "width"));
    buffer_format(&p->out, ", lane = %uu, b = 0x%xu, c = 0x%xu, left = 0;\n", d->lane, w->b[d->lane], w->c[d->lane]);
    buffer_format(&p->out, "    %s" DRAW_NAME "(%s);\n", returns ? "left = " : "", p->kind->arguments);
    buffer_text(&p->out,
                "    for (int i = 0; i < 32; i++)\n        if ((m & n) >> i & 1 && (d[i] == 77 || r[i] == 77))\n"
                "            left++;\n    return left == 77 || p == 77 || q;\n}\n#endif\n");
}

/* Options with which the step that was asked for is one. */
static void suit(struct draw *d, const struct draw_limits *limits)
{
    for (size_t i = 0; limits->only != NULL && i < STEPS; i++)
        if (is_asked(&steps[i], limits->only)) {
            d->wraps = strchr(steps[i].needs, 'w') != NULL || (d->wraps && strchr(steps[i].needs, 'n') == NULL);
            d->simd = strpbrk(steps[i].needs, "25") != NULL ? limits->simd : d->simd;
            return;
        }
}

static const struct kind *any_kind(struct pen *p)
{
    const struct kind *kind = kinds;
    unsigned all = 0, left;
    for (size_t i = 0; i < KINDS; i++)
        all += kinds[i].weight;
    for (left = any(p, all); left >= kind->weight; kind++)
        left -= kind->weight;
    return kind;
}

static void choose(struct pen *p)
{
    struct draw *d = p->d;
    struct error error;
    do
        p->kind = any_kind(p);
    while (p->limits->shape != NULL && strncmp(p->kind->shape, p->limits->shape, strlen(p->limits->shape)) != 0);
    do
        d->info = warp_form_get(any(p, WARP_FORMS));
    while (!user_shape_takes(p->kind->shape, d->info, &error) || (d->info->type == WARP_F32 && any(p, 2) == 0));
    d->shape = p->kind->shape;
    d->wraps = any(p, 4) == 0;
    d->simd = any(p, 3) != 0 ? 0 : any(p, 2) == 0 ? 2 : p->limits->simd;
    if (d->simd > p->limits->simd)
        d->simd = 0;
    suit(d, p->limits);
}

/* All of the text. `special`: which hole has the step that matters; 0: none. */
static void write_all(struct pen *p, uint64_t seed, unsigned special)
{
    buffer_free(&p->helpers);
    buffer_free(&p->out);
    p->helpers = p->out = (struct buffer){0};
    p->random.state = seed;
    p->salt = random_next(&p->random);
    p->special = special;
    p->steps = p->holes = 0;
    p->d->is_slip = false;
    choose(p);
    draw_witness(p);
    write_function(p);
}

static bool has_step(const struct draw *d, const char *only)
{
    if (d->is_slip)
        return strstr(SLIP, only) != NULL;
    for (size_t i = 0; i < STEPS; i++)
        if (strcmp(steps[i].what, d->step) == 0)
            return is_asked(&steps[i], only);
    return false;
}

/* Is the step in it that is asked for? It may not fit into each hole. */
static bool write_with_step(struct pen *p, uint64_t own, const char *only)
{
    write_all(p, own, 0); /* to count them */
    const unsigned holes = p->holes, first = (unsigned)(random_mix(own) % holes);
    bool has = false;
    for (unsigned i = 0; !has && i < holes; i++) {
        write_all(p, own, 1 + (first + i) % holes);
        has = only == NULL || has_step(p->d, only);
    }
    return has;
}

#define TRIES 100u /* functions, of which one may have a hole for the step that is asked for */

void draw_function(struct draw *d, uint64_t seed, uint64_t number, const struct draw_limits *limits)
{
    uint64_t own = random_mix(seed * RANDOM_STEP + number / 2);
    struct pen p = {.d = d, .limits = limits};
    memset(d, 0, sizeof *d);
    d->wrong = number % 2 != 0;
    for (unsigned i = 0; i < TRIES && !write_with_step(&p, own, limits->only); i++)
        own = random_mix(own + RANDOM_STEP);
    write_main(&p);
    /* that header takes longer than all else */
    const bool is_simd =
        strstr(buffer_string(&p.helpers), "_mm") != NULL || strstr(buffer_string(&p.out), "_mm") != NULL;
    buffer_format(&d->text, "/* %s as %s: %s", d->shape, d->info->name,
                  d->wrong ? "wrong, in the step of this name: " : "right; the step that is wrong in its twin: ");
    buffer_format(&d->text,
                  "%s */\n%s#include <stdbool.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\n",
                  d->step, is_simd ? "#include <immintrin.h>\n" : "");
    buffer_format(&d->text,
                  "#ifdef SANITIZED\n#define ASSUME(x) ((x) ? (void)0 : __builtin_trap())\n#else\n"
                  "#define ASSUME(x) __builtin_assume(x)\n#endif\n#define KEEP(x, h) (x)\ntypedef uint%d_t W;\n\n",
                  d->info->type == WARP_B64 ? 64 : 32);
    buffer_add(&d->text, p.helpers.data, p.helpers.size);
    buffer_add(&d->text, p.out.data, p.out.size);
    buffer_free(&p.helpers);
    buffer_free(&p.out);
}
