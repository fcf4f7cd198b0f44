#include "proofs/routine.h"

#include "proofs/attribute.h"
#include "proofs/mask.h"

#include <stdlib.h>
#include <string.h>

static size_t slot(const struct routine *r, const void *key)
{
    size_t i = (size_t)((uintptr_t)key >> 4) * 0x9e3779b1u & (r->room - 1);
    while (r->names[i].key != NULL && r->names[i].key != key)
        i = (i + 1) & (r->room - 1);
    return i;
}

int routine_number(const struct routine *r, const void *key)
{
    const size_t i = slot(r, key);
    return r->names[i].key == NULL ? -1 : r->names[i].number;
}

static void name(struct routine *r, const void *key, unsigned number)
{
    r->names[slot(r, key)] = (struct routine_name){key, (int)number};
}

static void refuse_flag(struct flags *flags, bool has, const char *name)
{
    if (has && flags->unknown == NULL) {
        flags->unknown = name;
        flags->unknown_kind = "flag";
    }
}

static void refuse_fast_math(LLVMValueRef instruction, struct flags *flags)
{
    static const struct {
        LLVMFastMathFlags flag;
        const char *name;
    } each[] = {{LLVMFastMathNoNaNs, "nnan"},
                {LLVMFastMathNoInfs, "ninf"},
                {LLVMFastMathNoSignedZeros, "nsz"},
                {LLVMFastMathAllowReciprocal, "arcp"},
                {LLVMFastMathAllowContract, "contract"},
                {LLVMFastMathApproxFunc, "afn"},
                {LLVMFastMathAllowReassoc, "reassoc"}};
    const LLVMFastMathFlags has =
        LLVMCanValueUseFastMathFlags(instruction) ? LLVMGetFastMathFlags(instruction) : LLVMFastMathNone;
    refuse_flag(flags, has == LLVMFastMathAll, "fast");
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        refuse_flag(flags, (has & each[i].flag) != 0, each[i].name);
    refuse_flag(flags, has != LLVMFastMathNone, "for floating point, of an unknown kind");
}

/* What may stand between an opcode and its operands, as LLVM 19 has it. */
static struct flags read_flags(LLVMValueRef i)
{
    struct flags flags = {0};
    refuse_fast_math(i, &flags);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMTrunc:
        flags.nuw = LLVMGetNUW(i);
        flags.nsw = LLVMGetNSW(i);
        break;
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
        flags.exact = LLVMGetExact(i);
        break;
    case LLVMOr:
        flags.disjoint = LLVMGetIsDisjoint(i);
        break;
    case LLVMZExt:
    case LLVMUIToFP:
        flags.nneg = LLVMGetNNeg(i);
        break;
    case LLVMLoad:
    case LLVMStore:
        refuse_flag(&flags, LLVMGetVolatile(i), "volatile");
        refuse_flag(&flags, LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic, "atomic");
        break;
    default:
        break;
    }
    return flags;
}

static void read_block(struct routine *r, struct routine_block *b)
{
    LLVMValueRef i;
    for (i = LLVMGetFirstInstruction(b->block); i != NULL; i = LLVMGetNextInstruction(i))
        b->n++;
    b->steps = smt_grow(NULL, b->n, sizeof *b->steps);
    b->n = 0;
    for (i = LLVMGetFirstInstruction(b->block); i != NULL; i = LLVMGetNextInstruction(i)) {
        struct routine_step *step = &b->steps[b->n++];
        *step = (struct routine_step){.instruction = i, .op = LLVMGetInstructionOpcode(i)};
        b->phis += step->op == LLVMPHI;
        const bool calls = step->op == LLVMCall || step->op == LLVMInvoke;
        step->flags = read_flags(i);
        attribute_check_metadata(i, &step->flags);
        if (calls)
            attribute_check_call(i, &step->flags);
        step->number = (int)r->values;
        name(r, i, r->values++);
    }
}

/* Of a call that may throw, the way without an exception (run.c): nothing here throws. */
static unsigned successors(const struct routine_block *b)
{
    return b->steps[b->n - 1].op == LLVMInvoke ? 1 : LLVMGetNumSuccessors(b->steps[b->n - 1].instruction);
}

static int successor(const struct routine *r, const struct routine_block *b, unsigned i)
{
    return routine_number(r, LLVMGetSuccessor(b->steps[b->n - 1].instruction, i));
}

/* after[b * n + x]: every way from b to the end leads through x. Greatest fixed point. */
static void meet_sets(const struct routine *r, bool *after)
{
    const unsigned n = r->n;
    bool again = true;
    memset(after, 1, (size_t)n * n);
    while (again) {
        again = false;
        for (unsigned b = n; b-- > 0;)
            for (unsigned x = 0; x < n; x++) {
                bool all = successors(&r->blocks[b]) > 0;
                for (unsigned i = 0; all && i < successors(&r->blocks[b]); i++)
                    all = after[(size_t)successor(r, &r->blocks[b], i) * n + x];
                all |= x == b;
                again |= all != after[(size_t)b * n + x];
                after[(size_t)b * n + x] = all;
            }
    }
}

/* The nearest of the blocks that follow b in any case: all others follow it. */
static void find_meets(struct routine *r)
{
    const unsigned n = r->n;
    bool *after = smt_grow(NULL, (size_t)n * n, sizeof *after);
    meet_sets(r, after);
    for (unsigned b = 0; b < n; b++) {
        unsigned most = 0;
        r->blocks[b].meet = NO_BLOCK;
        for (unsigned x = 0; x < n; x++) {
            unsigned count = 0;
            if (x == b || !after[(size_t)b * n + x])
                continue;
            for (unsigned y = 0; y < n; y++)
                count += after[(size_t)x * n + y];
            if (count > most) {
                most = count;
                r->blocks[b].meet = (int)x;
            }
        }
    }
    free(after);
}

/* Loops end somewhere: at branches of which one side leads back to the branch and another does not. */
static void find_loops(struct routine *r)
{
    const size_t n = r->n;
    bool *reaches = smt_grow(NULL, n * n, sizeof *reaches);
    memset(reaches, 0, n * n);
    for (size_t b = 0; b < n; b++)
        for (unsigned i = 0; i < successors(&r->blocks[b]); i++)
            reaches[b * n + (size_t)successor(r, &r->blocks[b], i)] = true;
    for (size_t k = 0; k < n; k++)
        for (size_t b = 0; b < n; b++)
            for (size_t x = 0; reaches[b * n + k] && x < n; x++)
                reaches[b * n + x] |= reaches[k * n + x];
    for (size_t b = 0; b < n; b++) {
        unsigned back = 0;
        for (unsigned i = 0; i < successors(&r->blocks[b]); i++) {
            const size_t to = (size_t)successor(r, &r->blocks[b], i);
            back += to == b || reaches[to * n + b];
        }
        r->blocks[b].in_loop = reaches[b * n + b];
        r->blocks[b].leaves_loop = back > 0 && back < successors(&r->blocks[b]);
    }
    free(reaches);
}

/* --- loops over the set bits of a mask --------------------------------------------------------------------------- */

/* The blocks that lead back to `head` without leaving the loop. The loop must be entered through its head alone. */
static bool find_body(const struct routine *r, int head, bool *body)
{
    const size_t n = r->n;
    bool *entered = smt_grow(NULL, n, sizeof *entered), again = true, found = false;
    memset(entered, 0, n * sizeof *entered); /* from the beginning, by ways around the head */
    memset(body, 0, n * sizeof *body);
    entered[0] = head != 0;
    while (again) {
        again = false;
        for (size_t b = 0; b < n; b++)
            for (unsigned i = 0; entered[b] && i < successors(&r->blocks[b]); i++) {
                const int to = successor(r, &r->blocks[b], i);
                again |= to != head && !entered[to];
                entered[to] |= to != head;
            }
    }
    for (again = true; again;) {
        again = false;
        for (size_t b = 0; b < n; b++)
            for (unsigned i = 0; !entered[b] && !body[b] && i < successors(&r->blocks[b]); i++) {
                const int to = successor(r, &r->blocks[b], i);
                body[b] = to == head || body[to];
                again |= body[b];
            }
    }
    for (size_t b = 0; b < n; b++)
        found |= body[b] && b != (size_t)head;
    for (unsigned i = 0; i < successors(&r->blocks[head]); i++)
        found |= successor(r, &r->blocks[head], i) == head;
    return found && body[head];
}

/* Where the ways from each block of a loop back to its head meet; edges out of the loop are left out. */
static void find_loop_meets(const struct routine *r, struct routine_loop *loop)
{
    const size_t n = r->n;
    bool *after = smt_grow(NULL, n * n, sizeof *after), again = true;
    memset(after, 1, n * n);
    while (again) {
        again = false;
        for (size_t b = n; b-- > 0;)
            for (size_t x = 0; loop->body[b] && x < n; x++) {
                bool all = loop->body[x];
                for (unsigned i = 0; all && i < successors(&r->blocks[b]); i++) {
                    const int to = successor(r, &r->blocks[b], i);
                    all = !loop->body[to] || (to != loop->head && after[(size_t)to * n + x]);
                }
                all |= x == b;
                again |= all != after[b * n + x];
                after[b * n + x] = all;
            }
    }
    for (size_t b = 0; b < n; b++) {
        unsigned most = 0;
        loop->meet[b] = loop->head;
        for (size_t x = 0; loop->body[b] && x < n; x++) {
            unsigned count = 0;
            if (x == b || !loop->body[x] || !after[b * n + x])
                continue;
            for (size_t y = 0; y < n; y++)
                count += loop->body[y] && after[x * n + y];
            if (count > most) {
                most = count;
                loop->meet[b] = (int)x;
            }
        }
    }
    free(after);
}

static bool is_in(const struct routine *r, const bool *body, LLVMValueRef instruction)
{
    return LLVMIsAInstruction(instruction) != NULL && body[routine_number(r, LLVMGetInstructionParent(instruction))];
}

/* Does x == y say that the number is 0: as number == 0, or as both sides of the exclusive or (or difference) it is? */
static bool says_zero(LLVMValueRef number, LLVMValueRef x, LLVMValueRef y)
{
    LLVMOpcode op;
    if (x == number)
        return LLVMIsAConstantInt(y) != NULL && LLVMIsNull(y);
    op = LLVMIsAInstruction(number) == NULL ? LLVMRet : LLVMGetInstructionOpcode(number);
    return (op == LLVMXor || op == LLVMSub) && ((LLVMGetOperand(number, 0) == x && LLVMGetOperand(number, 1) == y) ||
                                                (LLVMGetOperand(number, 0) == y && LLVMGetOperand(number, 1) == x));
}

/* Does a block go back to the head, or elsewhere when what the mask becomes is 0? */
static bool is_latch(const struct routine *r, const struct routine_loop *loop, int block, int *behind)
{
    LLVMValueRef branch = r->blocks[block].steps[r->blocks[block].n - 1].instruction, condition, next = NULL;
    bool on_zero;
    if (LLVMGetInstructionOpcode(branch) != LLVMBr || !LLVMIsConditional(branch))
        return false;
    condition = LLVMGetCondition(branch);
    if (LLVMIsAICmpInst(condition) == NULL ||
        (LLVMGetICmpPredicate(condition) != LLVMIntEQ && LLVMGetICmpPredicate(condition) != LLVMIntNE))
        return false;
    for (unsigned k = 0; k < LLVMCountIncoming(loop->word.base); k++)
        if (LLVMGetIncomingBlock(loop->word.base, k) == r->blocks[block].block)
            next = LLVMGetIncomingValue(loop->word.base, k);
    on_zero = LLVMGetICmpPredicate(condition) == LLVMIntEQ; /* successor 0: the condition holds */
    *behind = routine_number(r, LLVMGetSuccessor(branch, on_zero ? 0 : 1));
    return next != NULL && says_zero(next, LLVMGetOperand(condition, 0), LLVMGetOperand(condition, 1)) &&
           !loop->body[*behind] && routine_number(r, LLVMGetSuccessor(branch, on_zero ? 1 : 0)) == loop->head;
}

/* Is a phi of the head used behind the loop? What it is in the last round is not what it becomes. */
static bool shows_phi(const struct routine *r, const struct routine_loop *loop)
{
    const struct routine_block *head = &r->blocks[loop->head];
    for (unsigned i = 0; i < head->phis; i++)
        for (LLVMUseRef u = LLVMGetFirstUse(head->steps[i].instruction); u != NULL; u = LLVMGetNextUse(u))
            if (!is_in(r, loop->body, LLVMGetUser(u)))
                return true;
    return false;
}

static void find_latch(const struct routine *r, struct routine_loop *loop)
{
    unsigned backs = 0;
    loop->latch = loop->behind = NO_BLOCK;
    for (unsigned b = 0; b < r->n; b++)
        for (unsigned i = 0; loop->body[b] && i < successors(&r->blocks[b]); i++)
            backs += successor(r, &r->blocks[b], i) == loop->head;
    for (int b = 0, behind; routine_loop_phi(loop) && backs == 1 && !shows_phi(r, loop) && b < (int)r->n; b++)
        if (loop->body[b] && is_latch(r, loop, b, &behind)) {
            loop->latch = b;
            loop->behind = behind;
        }
}

static void find_bodies(struct routine *r)
{
    for (int head = 0; head < (int)r->n; head++) {
        struct routine_loop loop = {.head = head};
        if (!r->blocks[head].in_loop)
            continue;
        loop.body = smt_grow(NULL, r->n, sizeof *loop.body);
        if (!find_body(r, head, loop.body)) {
            free(loop.body);
            continue;
        }
        mask_find(r, &loop);
        loop.meet = smt_grow(NULL, r->n, sizeof *loop.meet);
        find_loop_meets(r, &loop);
        find_latch(r, &loop);
        for (unsigned b = 0; b < r->n; b++)
            for (unsigned i = 0; loop.body[b] && i < successors(&r->blocks[b]); i++)
                loop.exits += !loop.body[successor(r, &r->blocks[b], i)];
        r->loops = smt_grow(r->loops, r->loop_count + 1, sizeof *r->loops);
        r->loops[r->loop_count++] = loop;
    }
}

/* --- values that are used later ---------------------------------------------------------------------------------- */

static size_t set_words(const struct routine *r)
{
    return r->values / 64 + 1;
}

static void set_value(const struct routine *r, uint64_t *set, LLVMValueRef x, bool in)
{
    int number;
    if (LLVMIsAInstruction(x) == NULL && LLVMIsAArgument(x) == NULL)
        return;
    number = routine_number(r, x);
    set[number / 64] &= ~((uint64_t)1 << number % 64);
    set[number / 64] |= (uint64_t)in << number % 64;
}

/* Adds what is used behind the edge from `from` to `to`. */
static void add_edge(const struct routine *r, uint64_t *set, int from, int to, uint64_t *room)
{
    const struct routine_block *b = &r->blocks[to];
    memcpy(room, b->live, set_words(r) * sizeof *room);
    for (unsigned i = 0; i < b->phis; i++)
        set_value(r, room, b->steps[i].instruction, false);
    for (unsigned i = 0; i < b->phis; i++)
        for (unsigned k = 0; k < LLVMCountIncoming(b->steps[i].instruction); k++)
            if (LLVMGetIncomingBlock(b->steps[i].instruction, k) == r->blocks[from].block)
                set_value(r, room, LLVMGetIncomingValue(b->steps[i].instruction, k), true);
    for (size_t i = 0; i < set_words(r); i++)
        set[i] |= room[i];
}

/* What is used from a block on. After a loop over bits with a latch the way goes from its head to what is behind. */
static void add_uses(const struct routine *r, int block, uint64_t *set, uint64_t *room)
{
    const struct routine_block *b = &r->blocks[block];
    const struct routine_loop *loop = routine_loop_at(r, block);
    for (unsigned i = 0; i < successors(b); i++)
        add_edge(r, set, block, successor(r, b, i), room);
    for (unsigned i = b->n; i-- > b->phis;) {
        set_value(r, set, b->steps[i].instruction, false);
        for (int k = 0; k < LLVMGetNumOperands(b->steps[i].instruction); k++)
            set_value(r, set, LLVMGetOperand(b->steps[i].instruction, (unsigned)k), true);
    }
    if (loop != NULL && loop->latch != NO_BLOCK)
        add_edge(r, set, loop->latch, loop->behind, room);
    for (unsigned i = 0; i < b->phis; i++)
        set_value(r, set, b->steps[i].instruction, true);
    for (unsigned i = 0; i < LLVMCountParams(r->function); i++) /* what is returned may be promised to be one */
        set_value(r, set, LLVMGetParam(r->function, i), true);
}

static void find_uses(struct routine *r)
{
    const size_t size = set_words(r) * sizeof(uint64_t);
    uint64_t *set = smt_grow(NULL, set_words(r), sizeof *set), *room = smt_grow(NULL, set_words(r), sizeof *room);
    for (unsigned b = 0; b < r->n; b++) {
        r->blocks[b].live = smt_grow(NULL, set_words(r), sizeof *set);
        memset(r->blocks[b].live, 0, size);
    }
    for (bool again = true; again;) {
        again = false;
        for (int b = (int)r->n; b-- > 0;) {
            memset(set, 0, size);
            add_uses(r, b, set, room);
            again |= memcmp(set, r->blocks[b].live, size) != 0;
            memcpy(r->blocks[b].live, set, size);
        }
    }
    free(room);
    free(set);
}

const struct routine_loop *routine_loop_at(const struct routine *r, int block)
{
    for (unsigned i = 0; i < r->loop_count; i++)
        if (r->loops[i].head == block)
            return &r->loops[i];
    return NULL;
}

struct routine *routine_make(LLVMValueRef function)
{
    struct routine *r = smt_grow(NULL, 1, sizeof *r);
    LLVMBasicBlockRef block;
    size_t instructions = LLVMCountParams(function) + LLVMCountBasicBlocks(function);
    *r = (struct routine){.function = function, .n = LLVMCountBasicBlocks(function), .room = 64};
    r->blocks = smt_grow(NULL, r->n, sizeof *r->blocks);
    memset(r->blocks, 0, r->n * sizeof *r->blocks);
    for (block = LLVMGetFirstBasicBlock(function); block != NULL; block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != NULL; i = LLVMGetNextInstruction(i))
            instructions++;
    while (r->room < 2 * instructions)
        r->room *= 2;
    r->names = smt_grow(NULL, r->room, sizeof *r->names);
    memset(r->names, 0, r->room * sizeof *r->names);
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        name(r, LLVMGetParam(function, i), r->values++);
    block = LLVMGetFirstBasicBlock(function);
    for (unsigned i = 0; i < r->n; i++, block = LLVMGetNextBasicBlock(block)) {
        r->blocks[i].block = block;
        name(r, block, i);
    }
    for (unsigned i = 0; i < r->n; i++)
        read_block(r, &r->blocks[i]);
    find_meets(r);
    find_loops(r);
    find_bodies(r);
    find_uses(r);
    attribute_check_function(function, &r->flags);
    return r;
}

void routine_free(struct routine *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        free(r->blocks[i].steps);
        free(r->blocks[i].live);
    }
    for (unsigned i = 0; i < r->loop_count; i++) {
        free(r->loops[i].body);
        free(r->loops[i].meet);
    }
    free(r->loops);
    free(r->blocks);
    free(r->names);
    free(r);
}
