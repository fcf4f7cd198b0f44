/*
 * The instruction table: every form of every warp instruction, and where it is legal.
 *
 * A form is an instruction with all its qualifiers, for example `redux.sync.min.abs.NaN.f32`. The table is the only
 * place that knows which forms exist, which destinations they take and from which PTX version and target they are
 * legal. Parser, printer, generator, documentation and tests read it here.
 *
 * Sources: the instruction pages of the PTX ISA manual ("PTX ISA Notes", "Target ISA Notes"); docs/ambiguities.md.
 */
#ifndef WARPCHECK_FORM_H
#define WARPCHECK_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARP_LANES 32

/* A set of lanes: bit i stands for lane i. */
typedef uint32_t lanemask;

/* How many lanes the set holds: 0..32. */
static inline unsigned lanes_in(lanemask lanes)
{
    lanes -= lanes >> 1 & 0x55555555u; /* of each two bits how many there are, then of four, of eight */
    lanes = (lanes & 0x33333333u) + (lanes >> 2 & 0x33333333u);
    lanes = (lanes + (lanes >> 4)) & 0x0f0f0f0fu;
    return lanes * 0x01010101u >> 24;
}

enum warp_family {
#define WARP_FAMILY(id, ...) WARP_##id,
#include "warpcheck/forms.def"
#undef WARP_FAMILY
    WARP_FAMILIES
};

/* Those with a membermask: bit i stands for family i. */
enum {
    WARP_FAMILIES_SYNC = 0
#define WARP_FAMILY(id, name, has_membermask) | (has_membermask) << WARP_##id
#include "warpcheck/forms.def"
#undef WARP_FAMILY
};

enum warp_op {
    WARP_UP,
    WARP_DOWN,
    WARP_BFLY,
    WARP_IDX,
    WARP_ALL,
    WARP_ANY,
    WARP_UNI,
    WARP_BALLOT,
    WARP_ADD,
    WARP_MIN,
    WARP_MAX,
    WARP_AND,
    WARP_OR,
    WARP_XOR,
    WARP_ACTIVE,
    WARP_BARRIER,
    WARP_LEADER,
    WARP_OPS
};

/*
 * The operations of a family, as what stands between `case` and `:`. A switch over one family's operations names each
 * of them, and all others by WARP_OPS_BUT_...: it fails to compile when its own family gains an operation, and only
 * then. match has two of vote's operations.
 */
/* clang-format off */
#define WARP_OPS_SHFL  WARP_UP: case WARP_DOWN: case WARP_BFLY: case WARP_IDX
#define WARP_OPS_VOTE  WARP_ALL: case WARP_ANY: case WARP_UNI: case WARP_BALLOT
#define WARP_OPS_REDUX WARP_ADD: case WARP_MIN: case WARP_MAX: case WARP_AND: case WARP_OR: case WARP_XOR
#define WARP_OPS_OTHER WARP_ACTIVE: case WARP_BARRIER: case WARP_LEADER: case WARP_OPS
#define WARP_OPS_BUT_SHFL  WARP_OPS_VOTE: case WARP_OPS_REDUX: case WARP_OPS_OTHER
#define WARP_OPS_BUT_VOTE  WARP_OPS_SHFL: case WARP_OPS_REDUX: case WARP_OPS_OTHER
#define WARP_OPS_BUT_REDUX WARP_OPS_SHFL: case WARP_OPS_VOTE: case WARP_OPS_OTHER
/* clang-format on */

/* The type of the source operand `a` (vote.ballot reads a predicate although it is named .b32). */
enum warp_type { WARP_PRED, WARP_B32, WARP_B64, WARP_U32, WARP_S32, WARP_F32, WARP_NO_SOURCE };

/* How the destination operands are written; the value is also a bit number in warp_form_info.destinations. */
enum warp_dst {
    WARP_DST_D,      /* d     one destination: d, or the predicate p of vote.{all,any,uni} */
    WARP_DST_D_P,    /* d|p   both */
    WARP_DST_SINK_P, /* _|p   only p */
    WARP_DST_D_SINK, /* d|_   only d */
    WARP_DST_NONE,   /* none  the instruction has no destination (bar.warp.sync) */
    WARP_DST_COUNT
};

/* Numbers are part of the plugin ABI and of the raw byte form: new forms are added at the end. */
enum warp_form {
#define WARP_FORM(id, ...) WARP_##id,
#include "warpcheck/forms.def"
#undef WARP_FORM
    WARP_FORMS
};

/* Rules of the target that "at least sm_NN" does not express. */
enum warp_target_rule {
    WARP_TARGET_FROM,        /* every target from min_sm on */
    WARP_TARGET_NONSYNC,     /* from min_sm on, but not PTX >= 6.4 together with a target >= sm_70 */
    WARP_TARGET_SM100_FAMILY /* only the architecture- and family-specific targets (suffix a, f) of the sm_100 family */
};

struct warp_form_info {
    enum warp_form form;
    const char *id;   /* the name of the enumerator without WARP_ */
    const char *name; /* as PTX spells it: "shfl.sync.up.b32" */
    enum warp_family family;
    enum warp_op op;
    enum warp_type type;
    bool abs;
    bool nan;
    uint16_t min_ptx; /* ten times the PTX version: 60 is PTX 6.0 */
    uint16_t min_sm;
    enum warp_target_rule rule;
    uint32_t destinations; /* bit set of enum warp_dst */
};

/* A target is the number of its architecture times ten, plus 1 for the suffix "a", 2 for the suffix "f": sm_100a is
 * 1001. */
#define WARP_TARGET(sm, suffix) ((uint32_t)(sm)*10u + (uint32_t)(suffix))
#define WARP_SUFFIX_A           1u
#define WARP_SUFFIX_F           2u

struct warp_target_info {
    uint32_t target;  /* WARP_TARGET(...) */
    const char *name; /* "sm_100a" */
    uint16_t min_ptx; /* the first PTX version whose .target directive knows it, times ten */
};

/* The entry of a form, or NULL when `form` is not below WARP_FORMS. The entry is constant and lives for ever. */
const struct warp_form_info *warp_form_get(uint32_t form);

/* Finds a form by its PTX name. Its qualifiers may stand in any order, as the assembler takes them and CUB writes them
 * (`vote.ballot.sync.b32`). Returns NULL when there is none. */
const struct warp_form_info *warp_form_find(const char *name);

/* "shfl.sync", "vote", ...; "unknown" when out of range. */
const char *warp_family_name(uint32_t family);
/* The family of that name, or WARP_FAMILIES. */
enum warp_family warp_family_find(const char *name);
/* The description of an instruction's destinations, "d", "d|p", "_|p", "d|_", "none". For forms whose only destination
 * is a predicate (vote.all, any, uni) the PTX operand is `p`; the case still says "d". */
const char *warp_dst_name(uint32_t dst);
/* The first destination that the form takes, and the one that shows most of what it gives: `d|p` where it takes it,
 * else the first. */
enum warp_dst warp_form_first_dst(const struct warp_form_info *info);
enum warp_dst warp_form_widest_dst(const struct warp_form_info *info);

/* True when the form has a membermask, hence groups, waiting and undefined lanes. */
inline bool warp_form_is_sync(const struct warp_form_info *info)
{
    return (WARP_FAMILIES_SYNC >> info->family & 1) != 0;
}
/* True when the form reads b and c (shfl). */
inline bool warp_form_is_shfl(const struct warp_form_info *info)
{
    return info->family == WARP_SHFL_SYNC || info->family == WARP_SHFL;
}
/* True when d may be unpredictable in a lane that is done: what it reads need not take part. */
bool warp_form_may_be_unpredictable(const struct warp_form_info *info);
/* True when bits of the sources come out in d, not only which lanes take part and which of them agree. */
bool warp_form_passes_values(const struct warp_form_info *info);
/* True when any lane of a group may lead it, so that more than one answer is right. */
bool warp_form_any_leader(const struct warp_form_info *info);
/* The form of that family with the operation and the type of `info`, or NULL. */
const struct warp_form_info *warp_form_in_family(const struct warp_form_info *info, enum warp_family family,
                                                 enum warp_op op);
/* True when the only destination is a predicate: vote.all, any and uni. */
inline bool warp_form_writes_only_p(const struct warp_form_info *info)
{
    return info->type == WARP_PRED && info->op != WARP_BALLOT;
}
/* True when the form writes a 32-bit d for this destination, or a predicate p for this destination. */
inline bool warp_form_writes_d(const struct warp_form_info *info, uint32_t dst)
{
    return !warp_form_writes_only_p(info) && dst != WARP_DST_SINK_P && dst != WARP_DST_NONE;
}
inline bool warp_form_writes_p(const struct warp_form_info *info, uint32_t dst)
{
    return warp_form_writes_only_p(info) || dst == WARP_DST_D_P || dst == WARP_DST_SINK_P;
}

/* The i-th known target, oldest first, or NULL past the end. */
const struct warp_target_info *warp_target_get(size_t i);
const struct warp_target_info *warp_target_find(const char *name);
const struct warp_target_info *warp_target_of(uint32_t target); /* NULL: unknown */
/* "sm_100a", or NULL when the target is not known. */
const char *warp_target_name(uint32_t target);
/* True for targets up to sm_6x, where what would wait is undefined (shfl.sync, "Note"). */
inline bool warp_target_needs_convergence(uint32_t target)
{
    return target < WARP_TARGET(70, 0);
}

/* The known PTX versions, times ten, oldest first; 0 past the end. */
uint16_t warp_ptx_get(size_t i);

/*
 * Is this form, with these destinations, legal in PTX text of version `ptx` (times ten) for `target`?
 * When it is not and `why` is not NULL, writes one clause, cut to `why_size` bytes, that says what would make it legal.
 */
bool warp_legal(const struct warp_form_info *info, uint32_t dst, uint16_t ptx, uint32_t target, char *why,
                size_t why_size);

/* The least PTX version (times ten) in which the form is legal for the target, or 0 when there is none. */
uint16_t warp_legal_from(const struct warp_form_info *info, uint32_t target);

#ifdef __cplusplus
}
#endif

#endif
