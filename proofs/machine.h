/*
 * Executes functions of a bitcode module on terms.
 *
 * Control flow that is known is followed; where a branch depends on an unknown, both sides are executed up to the
 * block where they meet, and their values and memory are merged. What the program must not do (undefined behaviour) is
 * collected as obligations. What is not translated is an error that names it.
 */
#ifndef WARPCHECK_PROOFS_MACHINE_H
#define WARPCHECK_PROOFS_MACHINE_H

#include "base/error.h"
#include "proofs/arith.h"
#include "proofs/llvm.h"
#include "proofs/memory.h"

struct heap;

struct object {
    const char *name;
    LLVMValueRef function; /* a function; else NULL */
    bool constant;
    bool fixed;              /* a constant of the program's, which functions without effects may read */
    bool part;               /* of a constant: all of it that may be reached from an address (`inrange`) */
    bool kept;               /* a variable that lives from call to call, with what is unknown here */
    const struct heap *heap; /* the functions that it comes from and goes back to; NULL: it is not allocated */
    bool local;              /* a local variable of a function; */
    bool ended;              /* which has returned */
    unsigned alignment;      /* its address is a multiple of this power of 2, and nothing more is known of it */
};

/* Something that must hold whenever it is reached. */
struct obligation {
    term holds; /* path implies condition */
    const char *what;
    bool checked; /* the code itself says so (any.h): no undefined behaviour */
};

/* The analysis of a function before it is executed. */
struct routine;
struct machine;

/* Called first for each call; true: it has answered (*result NULL: void). */
typedef bool (*machine_hook)(struct machine *machine, void *context, const char *name,
                             const struct value *const *arguments, unsigned n, const struct value **result);

/*
 * A loop that is executed once, from any state: at its first visit the hook replaces the values of the block's phis
 * (and what memory holds) by any that it wants to speak about; a further visit ends that way through the function.
 */
typedef void (*machine_cut)(struct machine *machine, void *context, bool again, const struct value **phis, unsigned n);

struct machine {
    struct maker m; /* first: errors jump through it */
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    struct routine **routines;
    size_t routine_count;

    struct object *objects; /* number 0 is null */
    uint64_t *sizes;
    unsigned object_count;
    size_t object_room, size_room;
    struct global_object {
        LLVMValueRef value;
        unsigned object;
    } * globals;
    size_t global_count;
    struct state now;

    term *path; /* what is true here */
    size_t path_count, path_room;
    const void **path_loop; /* the loop of which each says that an earlier way out was not taken; NULL: of none */
    size_t path_loop_room;
    term *hypotheses; /* of the caller, for questions to the solver */
    size_t hypothesis_count;
    struct obligation *obligations;
    size_t obligation_count, obligation_room;

    struct term_list impossible; /* what can hold nowhere; kept from run to run */

    bool by_bits; /* loops over the set bits of a mask are followed bit by bit (run.c) */
    unsigned depth;
    unsigned catches; /* calls under way of which somebody catches what they throw */
    struct effect {
        bool no_read, no_write; /* of what others see: all but the local variables from `first` on */
        bool no_free;           /* of what was there before `first` */
        unsigned first;
        LLVMValueRef once;           /* a function that is not entered again before it ends */
        unsigned tail_from, tail_to; /* `tail`: local variables of the caller, which the callee leaves alone */
    } effects[160];
    unsigned effect_count;
    unsigned frame; /* the first object that was made in the function that is executed */
    unsigned long steps, forks, questions;
    double question_seconds;
    const char *where; /* the function that is executed */

    machine_hook hook;
    void *hook_context;

    /* The function whose loop is cut: the one that is entered at the first block with phis for which cut_wanted says
     * so. NULL: none. A function of which every way ends at the cut returns NULL. */
    const char *cut_function;
    bool (*cut_wanted)(struct machine *machine, void *context, const struct value *const *phis, unsigned n);
    const void *cut_block; /* once it was visited */
    term *cut_prefix;      /* ... what held on the way there (cut_path of them) */
    machine_cut cut;
    void *cut_context;
    unsigned cut_visits;
    size_t cut_path; /* conditions that hold at the first visit */
};

/* NULL, with one clause in `why`, when the bitcode cannot be read. `s` stays the caller's. */
struct machine *machine_open(struct smt *s, const char *const *files, size_t n, struct error *error);
/* Forgets objects, path, obligations and values, and keeps what is known of the module. */
void machine_reset(struct machine *machine);
void machine_close(struct machine *machine);

/* Runs work(machine, context); false when the translation stopped: machine->m.error says why. */
bool machine_try(struct machine *machine, void (*work)(struct machine *machine, void *context), void *context);

/* Every function below jumps out (machine_try) when it cannot go on. */
/*
 * A new object. `alignment`: what the language guarantees of its address; of what the case splits hand to a function,
 * that of the C type which the contract of the call has (4 for uint32_t[], 8 for uint64_t[], _Alignof of structures),
 * however the memory of a real caller may lie.
 */
unsigned machine_object(struct machine *machine, const char *name, uint64_t size, unsigned alignment);
const struct scalar *machine_address(struct machine *machine, unsigned object, uint64_t offset);
const struct scalar *machine_global(struct machine *machine, LLVMValueRef value);
/* May a linker put another definition in its place? */
bool machine_replaceable(LLVMValueRef global);
const struct value *machine_call(struct machine *machine, const char *name, const struct value *const *arguments,
                                 unsigned n);
const struct value *machine_call_function(struct machine *machine, LLVMValueRef function,
                                          const struct value *const *arguments, unsigned n);
/* The same by a call instruction (NULL: none), whose arguments have been looked at. */
const struct value *machine_execute(struct machine *machine, LLVMValueRef function, LLVMValueRef call,
                                    const struct value *const *arguments, unsigned n);
/* From here on the hypothesis holds, and branches are decided by it. */
void machine_assume_here(struct machine *machine, term hypothesis);
void machine_oblige(struct machine *machine, term condition, const char *what);
void machine_check(struct machine *machine, term condition, const char *what); /* `checked` */
/* Can `condition` hold here? Asks the solver; true when that is not decided. */
bool machine_possible(struct machine *machine, term condition);
/* Can it hold at all? The answer does not depend on the way here, and is kept from run to run. */
bool machine_possible_anywhere(struct machine *machine, term condition);
/* The condition, simplified by what is true here. */
term machine_here(struct machine *machine, term condition);

/* Accesses (address.c). When an access is undefined wherever it is reached, it loads poison and stores nothing, and the
 * program is obliged not to reach it. */
const struct scalar *machine_load(struct machine *machine, const struct scalar *pointer, unsigned width);
void machine_store(struct machine *machine, const struct scalar *pointer, const struct scalar *x);
/* The same where `on` holds. Where it does not, the memory is not touched: the load gives `otherwise`. */
const struct scalar *machine_load_where(struct machine *machine, term on, const struct scalar *pointer, unsigned width,
                                        const struct scalar *otherwise);
void machine_store_where(struct machine *machine, term on, const struct scalar *pointer, const struct scalar *x);
/* Copies n bytes, also from and to unknown places. `apart`: they must not overlap. */
void machine_copy(struct machine *machine, const struct scalar *to, const struct scalar *from, uint64_t n, bool apart);
/* ... between known places, which can be accessed. */
void machine_copy_known(struct machine *machine, unsigned to, uint64_t to_at, unsigned from, uint64_t from_at,
                        uint64_t n);
/* May n bytes (or none) at a known place be accessed? False: that is undefined wherever it is reached. */
bool machine_accessible(struct machine *machine, const struct scalar *pointer, uint64_t n, bool write);
/* icmp, also of addresses. */
const struct scalar *machine_compare(struct machine *machine, LLVMIntPredicate predicate, const struct scalar *x,
                                     const struct scalar *y);

/* Obligations that an instruction states of its operands (promise.c). The address is a multiple of `alignment`. */
void machine_oblige_aligned(struct machine *machine, const struct scalar *pointer, uint64_t alignment);
/* No element is poison. */
void machine_oblige_defined(struct machine *machine, const struct value *x, const char *what);
/*
 * Attributes of arguments, as the call (NULL: none) and the function's declaration have them; an argument that is
 * poison by them is replaced.
 */
void machine_oblige_arguments(struct machine *machine, LLVMValueRef call, LLVMValueRef callee, const struct value **a,
                              unsigned n);
/* What a function returns, by the attributes of the result; `call` NULL: as the function itself says. */
const struct value *machine_returned(struct machine *machine, LLVMValueRef call, LLVMValueRef function,
                                     const struct value *const *a, const struct value *x);
/* What an instruction with metadata that is obeyed gives. */
const struct value *machine_promised(struct machine *machine, LLVMValueRef instruction, const struct value *x);
/* From here on the function that is entered may do no more than its attributes say. */
void machine_limit_effects(struct machine *machine, LLVMValueRef call, LLVMValueRef function);
/* ... or uses no local variable of the function that is executed, those of numbers below `end`, from here until the
 * count of effects is put back. */
void machine_limit_tail(struct machine *machine, unsigned end);
/* The object is read or written. */
void machine_touch(struct machine *machine, unsigned object, bool write);
/* ... or freed. */
void machine_free(struct machine *machine, unsigned object);
/* Stops at a flag, attribute or metadata that is not translated. */
void machine_refuse_unknown(struct machine *machine, struct flags flags);

/* Elements and width of a type's values; stops at types that are not translated. */
struct shape {
    unsigned n, width;
    bool pointer;
};
struct shape machine_shape(struct machine *machine, LLVMTypeRef type);
const struct value *machine_constant(struct machine *machine, LLVMValueRef constant);

/* Structures and arrays as values (aggregate.c): the value has the scalars in them, in order. */
bool machine_is_aggregate(LLVMTypeRef type);
const struct value *machine_load_aggregate(struct machine *machine, LLVMTypeRef type, const struct scalar *p);
void machine_store_aggregate(struct machine *machine, LLVMTypeRef type, const struct scalar *p, const struct value *x);
const struct value *machine_aggregate_constant(struct machine *machine, LLVMValueRef constant);
const struct value *machine_extract(struct machine *machine, LLVMValueRef instruction, const struct value *x);
const struct value *machine_insert(struct machine *machine, LLVMValueRef instruction, const struct value *x,
                                   const struct value *member);
/* A copy of what the pointer x points to, as a function gets it that takes a structure by value: its address. */
const struct value *machine_by_value(struct machine *machine, LLVMTypeRef type, unsigned alignment,
                                     const struct value *x);

/* One instruction that is neither a phi nor a terminator; NULL: no result. `operand` gives an operand's value. */
struct step {
    struct machine *machine;
    LLVMValueRef instruction;
    struct flags flags;
    const struct value *(*operand)(const struct step *step, unsigned i);
    const void *context;
};
const struct value *machine_step(const struct step *step);
/* getelementptr (address.c), of instructions and of constants. */
const struct value *machine_element(const struct step *step);
const struct scalar *machine_element_constant(struct machine *machine, LLVMValueRef constant);
/* The address p of a constant, from which only the bytes from `low` on and below `high` may be reached. */
const struct scalar *machine_part(struct machine *machine, LLVMValueRef constant, const struct scalar *p, int64_t low,
                                  int64_t high);
/* An address moved by index * unit; `inbounds`: poison where it leaves its object. */
const struct scalar *machine_move(struct machine *machine, const struct scalar *p, const struct scalar *index,
                                  uint64_t unit, bool inbounds);
/* The address of element i of a vector of elements of `width` bits. Those of no whole bytes lie packed, which fails. */
const struct scalar *machine_nth(struct machine *machine, const struct scalar *vector, unsigned i, unsigned width);
/* Is the address outside its object, or closer than `room` bytes to its end? */
term machine_outside(struct machine *machine, const struct scalar *p, uint64_t room);
/* False: no intrinsic of that name is known. */
bool machine_intrinsic(struct machine *machine, const char *name, const struct value *const *a, unsigned n,
                       unsigned result_n, unsigned result_width, const struct value **result);
bool machine_x86(struct machine *machine, const char *name, const struct value *const *a, unsigned n,
                 unsigned result_width, const struct value **result);

#endif
