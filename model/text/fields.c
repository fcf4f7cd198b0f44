#include "fields.h"

#include <stdio.h>
#include <string.h>

const char *const field_names[FIELDS] = {"target", "exited", "active", "a", "b", "c", "membermask"};

unsigned field_bits(const struct warp_form_info *info, enum field field)
{
    switch (field) {
    case FIELD_A:
        if (info->type == WARP_NO_SOURCE)
            return 0;
        return info->type == WARP_PRED ? 1 : info->type == WARP_B64 ? 64 : 32;
    case FIELD_B:
    case FIELD_C:
        return warp_form_is_shfl(info) ? 32 : 0;
    case FIELD_MEMBERMASK:
        return warp_form_is_sync(info) ? 32 : 0;
    case FIELD_TARGET:
    case FIELD_EXITED:
    case FIELD_ACTIVE:
    case FIELDS:
        break;
    }
    return 0;
}

const uint32_t *field_values(const struct warp_case *c, enum field field)
{
    return field == FIELD_A ? c->a : field == FIELD_B ? c->b : field == FIELD_C ? c->c : c->membermask;
}

/* The number of single-character edits between two names of at most 63 characters. */
static unsigned distance(const char *x, size_t x_size, const char *y)
{
    unsigned row[64];
    const size_t y_size = strlen(y);
    for (unsigned j = 0; j <= y_size; j++)
        row[j] = j;
    for (unsigned i = 1; i <= x_size; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= y_size; j++) {
            unsigned replaced = diagonal + (x[i - 1] != y[j - 1]);
            unsigned inserted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < inserted ? replaced : inserted;
        }
    }
    return row[y_size];
}

/* The form with the name most similar to the word, or NULL when none is similar. */
static const struct warp_form_info *nearest(const struct word *name)
{
    const struct warp_form_info *best = NULL;
    unsigned least = 9;
    if (name->size < 4 || name->size > 60)
        return NULL;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        unsigned edits = distance(name->at, name->size, info->name);
        if (edits < least) {
            least = edits;
            best = info;
        }
    }
    return best;
}

bool draft_instruction(struct reader *r, struct draft *draft, const struct word *name)
{
    char copy[64], quote[QUOTE_MAX];
    const struct warp_form_info *like;
    if (name->size == 0)
        return reader_fail(r, name->place, "an instruction is expected, for example shfl.sync.up.b32");
    if (name->size < sizeof copy) {
        memcpy(copy, name->at, name->size);
        copy[name->size] = '\0';
        draft->info = memchr(name->at, '\0', name->size) == NULL ? warp_form_find(copy) : NULL;
    }
    if (draft->info != NULL) {
        draft->c->form = draft->info->form;
        return true;
    }
    like = nearest(name);
    if (like == NULL)
        return reader_fail(r, name->place, "unknown instruction %s: it must be one such as shfl.sync.up.b32",
                           word_quote(name, quote));
    return reader_fail(r, name->place, "unknown instruction %s: did you mean %s?", word_quote(name, quote), like->name);
}

bool draft_destinations(struct reader *r, struct draft *draft, const struct word *dst)
{
    char quote[QUOTE_MAX], known[32] = "";
    for (uint32_t i = 0; i < WARP_DST_COUNT; i++) {
        if (!(draft->info->destinations >> i & 1u))
            continue;
        if (word_is(dst, warp_dst_name(i))) {
            draft->c->dst = i;
            return true;
        }
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", known[0] == '\0' ? "" : ", ",
                 warp_dst_name(i));
    }
    return reader_fail(r, dst->place, "%s%s: %s takes the destinations %s",
                       dst->size == 0 ? "the destinations are missing" : "wrong destinations ", word_quote(dst, quote),
                       draft->info->name, known);
}

bool draft_negate(struct reader *r, struct draft *draft, const struct word *source)
{
    if (draft->negated)
        return reader_fail(r, source->place, "!a is repeated: it must be written once");
    if (draft->info->type != WARP_PRED)
        return reader_fail(r, source->place, "%s has no source predicate: only that of vote can be written !a",
                           draft->info->name);
    draft->negated = true;
    draft->c->negate = 1;
    return true;
}

static enum field find_field(const struct word *name)
{
    enum field field = FIELD_TARGET;
    while (field < FIELDS && !word_is(name, field_names[field]))
        field = (enum field)(field + 1);
    return field;
}

/* Finds the field and marks it as seen, with the place of its value. */
static enum field open_field(struct reader *r, struct draft *draft, const struct word *name, struct place value)
{
    char quote[QUOTE_MAX];
    enum field field = find_field(name);
    if (field == FIELDS) {
        reader_fail(r, name->place, "unknown field %s: it must be target, exited, active, a, b, c or membermask",
                    word_quote(name, quote));
        return FIELDS;
    }
    if (draft->seen >> field & 1u) {
        reader_fail(r, name->place, "%s is repeated: it must be given once", field_names[field]);
        return FIELDS;
    }
    if (field >= FIELD_A && field_bits(draft->info, field) == 0) {
        reader_fail(r, name->place, "%s has no operand %s: leave it out", draft->info->name, field_names[field]);
        return FIELDS;
    }
    draft->seen |= 1u << field;
    draft->places[field] = value;
    return field;
}

static bool set_target(struct reader *r, struct draft *draft, const struct word *value)
{
    char quote[QUOTE_MAX];
    const struct warp_target_info *t;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++) {
        if (!word_is(value, t->name))
            continue;
        draft->c->target = t->target;
        return true;
    }
    return reader_fail(r, value->place, "unknown target %s: it must be one such as sm_70 or sm_100a",
                       word_quote(value, quote));
}

bool draft_store(struct reader *r, struct draft *draft, enum field field, unsigned lane, uint64_t value,
                 struct place place)
{
    struct warp_case *c = draft->c;
    uint32_t *array = field == FIELD_A ? c->a : field == FIELD_B ? c->b : field == FIELD_C ? c->c : c->membermask;
    if (field == FIELD_A && draft->info->type == WARP_PRED && value > 1)
        return reader_fail(r, place, "a is a predicate in lane %u: it must be 0 or 1", lane);
    array[lane] = (uint32_t)value;
    if (field == FIELD_A)
        c->a_high[lane] = draft->info->type == WARP_B64 ? (uint32_t)(value >> 32) : 0;
    return true;
}

static bool set_list(struct reader *r, struct draft *draft, enum field field, const struct word *value)
{
    uint64_t values[WARP_LANES];
    if (!reader_list(r, value, field_bits(draft->info, field), values))
        return false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!draft_store(r, draft, field, lane, values[lane], value->place))
            return false;
    return true;
}

enum field draft_operand(struct reader *r, struct draft *draft, const struct word *name)
{
    char quote[QUOTE_MAX];
    enum field field = find_field(name);
    if (field >= FIELD_A && field < FIELDS)
        return open_field(r, draft, name, name->place);
    reader_fail(r, name->place, "unknown column %s: it must be a, b, c or membermask", word_quote(name, quote));
    return FIELDS;
}

bool draft_set(struct reader *r, struct draft *draft, const struct word *key, const struct word *value)
{
    enum field field = open_field(r, draft, key, value->place);
    switch (field) {
    case FIELDS:
        return false;
    case FIELD_TARGET:
        return set_target(r, draft, value);
    case FIELD_EXITED:
        return reader_mask(r, value, &draft->c->exited);
    case FIELD_ACTIVE:
        return reader_mask(r, value, &draft->c->active);
    case FIELD_A:
    case FIELD_B:
    case FIELD_C:
    case FIELD_MEMBERMASK:
        return set_list(r, draft, field, value);
    }
    return false;
}

static bool check_complete(struct reader *r, const struct draft *draft, struct place end)
{
    for (enum field field = FIELD_TARGET; field < FIELDS; field = (enum field)(field + 1))
        if (!(draft->seen >> field & 1u) && (field < FIELD_A || field_bits(draft->info, field) > 0))
            return reader_fail(r, end, "%s is missing: a case of %s must give it", field_names[field],
                               draft->info->name);
    return true;
}

/* Explains a wrong target by the newest PTX version that knows it. */
static bool check_target(struct reader *r, const struct draft *draft)
{
    char why[128] = "";
    uint16_t newest = 0;
    if (warp_legal_from(draft->info, draft->c->target) != 0)
        return true;
    for (size_t i = 0; warp_ptx_get(i) != 0; i++)
        newest = warp_ptx_get(i);
    warp_legal(draft->info, draft->c->dst, newest, draft->c->target, why, sizeof why);
    return reader_fail(r, draft->places[FIELD_TARGET], "impossible target: %s", why);
}

bool draft_finish(struct reader *r, struct draft *draft, struct place end)
{
    const char *wrong;
    const struct warp_case *c = draft->c;
    if (!check_complete(r, draft, end) || !check_target(r, draft))
        return false;
    if (c->active & c->exited)
        return reader_fail(r, draft->places[FIELD_ACTIVE],
                           "lanes 0x%x are both active and exited: a lane is at most one of them",
                           (unsigned)(c->active & c->exited));
    wrong = warp_case_check(c);
    return wrong == NULL || reader_fail(r, end, "%s", wrong);
}
