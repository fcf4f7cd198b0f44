#include "fields.h"

#include <string.h>

enum part { PART_D, PART_P, PART_D_DEFINED, PART_DONE, PART_WAITING, PART_UNDEFINED, PART_WAITS_FOR, PARTS };

static const struct {
    const char *name;
    uint32_t bit; /* WARP_PART_... */
} parts_table[PARTS] = {
    {"d", WARP_PART_D},
    {"p", WARP_PART_P},
    {"d_defined", WARP_PART_D_DEFINED},
    {"done", WARP_PART_OUTCOME},
    {"waiting", WARP_PART_OUTCOME},
    {"undefined", WARP_PART_OUTCOME},
    {"waits_for", WARP_PART_WAITS_FOR},
};

static const uint32_t *list_of(const struct warp_result *r, enum part part)
{
    return part == PART_D ? r->d : part == PART_WAITS_FOR ? r->waits_for : NULL;
}

static const lanemask *mask_of(const struct warp_result *r, enum part part)
{
    switch (part) {
    case PART_P:
        return &r->p;
    case PART_D_DEFINED:
        return &r->d_defined;
    case PART_DONE:
        return &r->done;
    case PART_WAITING:
        return &r->waiting;
    case PART_UNDEFINED:
        return &r->undefined;
    case PART_D:
    case PART_WAITS_FOR:
    case PARTS: /* lists */
        break;
    }
    return NULL;
}

size_t warp_result_to_text(const struct warp_result *r, uint32_t parts, char *buf, size_t size)
{
    struct writer w = {buf, size, 0};
    for (enum part part = PART_D; part < PARTS; part = (enum part)(part + 1)) {
        if (!(parts & parts_table[part].bit))
            continue;
        if (w.length > 0)
            writer_char(&w, ' ');
        writer_string(&w, parts_table[part].name);
        writer_char(&w, '=');
        if (list_of(r, part) != NULL)
            writer_list(&w, list_of(r, part), NULL);
        else
            writer_hex(&w, "0x", *mask_of(r, part), 1);
    }
    return writer_end(&w);
}

static enum part find_part(const struct word *name)
{
    enum part part = PART_D;
    while (part < PARTS && !word_is(name, parts_table[part].name))
        part = (enum part)(part + 1);
    return part;
}

static bool read_list(struct reader *r, const struct word *value, uint32_t list[WARP_LANES])
{
    uint64_t values[WARP_LANES];
    if (!reader_list(r, value, 32, values))
        return false;
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        list[lane] = (uint32_t)values[lane];
    return true;
}

static bool read_value(struct reader *r, struct warp_result *result, enum part part, const struct word *value)
{
    switch (part) {
    case PART_D:
        return read_list(r, value, result->d);
    case PART_WAITS_FOR:
        return read_list(r, value, result->waits_for);
    case PART_P:
        return reader_mask(r, value, &result->p);
    case PART_D_DEFINED:
        return reader_mask(r, value, &result->d_defined);
    case PART_DONE:
        return reader_mask(r, value, &result->done);
    case PART_WAITING:
        return reader_mask(r, value, &result->waiting);
    case PART_UNDEFINED:
        return reader_mask(r, value, &result->undefined);
    case PARTS:
        break;
    }
    return false;
}

static bool read_part(struct reader *r, struct warp_text *out, const struct word *w, unsigned *seen)
{
    struct word key, value;
    char quote[QUOTE_MAX];
    enum part part;
    if (!word_split(w, &key, &value))
        return reader_fail(r, w->place, "%s is not a part of a result: key=value is expected, for example p=0xffffffff",
                           word_quote(w, quote));
    part = find_part(&key);
    if (part == PARTS && key.size == 0)
        return reader_fail(r, w->place,
                           "%s is not a part of a result: it has no name before the =", word_quote(w, quote));
    if (part == PARTS)
        return reader_fail(
            r, key.place,
            "unknown part %s of a result: it must be d, p, d_defined, done, waiting, undefined or waits_for",
            word_quote(&key, quote));
    if (*seen >> part & 1u)
        return reader_fail(r, key.place, "%s is repeated: it must be given once", parts_table[part].name);
    *seen |= 1u << part;
    out->parts |= parts_table[part].bit;
    return read_value(r, &out->result, part, &value);
}

bool result_read(struct reader *r, struct warp_text *out, const char *until)
{
    const unsigned outcome = 1u << PART_DONE | 1u << PART_WAITING | 1u << PART_UNDEFINED;
    unsigned seen = 0;
    struct word w;
    out->has_result = true;
    for (w = reader_word(r); w.size > 0; w = reader_word(r)) {
        if (until != NULL && word_is(&w, until))
            break;
        if (!read_part(r, out, &w, &seen))
            return false;
    }
    if (seen == 0)
        return reader_fail(r, w.place, "the result is empty: it must have a part, for example p=0xffffffff");
    if ((seen & outcome) != 0 && (seen & outcome) != outcome)
        return reader_fail(r, w.place, "the outcome is incomplete: done, waiting and undefined go together");
    return true;
}
