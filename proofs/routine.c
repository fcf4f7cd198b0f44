#include "proofs/routine.h"

#include "proofs/attribute.h"

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

/* Past the name that a printed instruction gives its result: "  %name = ", which may be quoted. */
static const char *past_name(const char *text)
{
    text += strspn(text, " ");
    if (*text != '%')
        return text;
    if (text[1] == '"') /* a quote in a name is printed as \22 */
        text = strchr(text + 2, '"');
    else
        text = strchr(text, ' ');
    return text == NULL ? "" : text + strcspn(text, "=") + 1;
}

/* The next word, which ends at a blank. */
static const char *next_word(const char *text, char word[16])
{
    size_t n;
    text += strspn(text, " ");
    n = strcspn(text, " ");
    word[0] = '\0';
    if (n < 16) {
        memcpy(word, text, n);
        word[n] = '\0';
    }
    return text + n;
}

/* A word between the opcode and the type. False: it is none, so the type or an operand begins. */
static bool take_flag(const char *word, struct flags *flags)
{
    static const char *const unknown[] = {"fast", "nnan",    "ninf",     "nsz",      "arcp",
                                          "afn",  "reassoc", "contract", "volatile", "atomic"};
    if (strcmp(word, "nuw") == 0)
        flags->nuw = true;
    else if (strcmp(word, "nsw") == 0)
        flags->nsw = true;
    else if (strcmp(word, "exact") == 0)
        flags->exact = true;
    else {
        for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
            if (strcmp(word, unknown[i]) == 0) {
                flags->unknown = unknown[i];
                flags->unknown_kind = "flag";
                return true;
            }
        return false;
    }
    return true;
}

/*
 * LLVM's C interface of this version has no question for these flags. In the printed instruction they stand right
 * behind the opcode, before anything that has a name.
 */
static struct flags read_flags(LLVMValueRef instruction)
{
    struct flags flags = {0};
    char *text = LLVMPrintValueToString(instruction), word[16];
    const char *at = next_word(past_name(text), word);
    if (LLVMGetInstructionOpcode(instruction) == LLVMCall && strcmp(word, "call") != 0)
        at = next_word(at, word); /* "tail call" */
    do
        at = next_word(at, word);
    while (take_flag(word, &flags));
    LLVMDisposeMessage(text);
    return flags;
}

static bool has_flags(LLVMOpcode op)
{
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMFNeg:
    case LLVMFCmp:
    case LLVMCall:
    case LLVMLoad:
    case LLVMStore:
    case LLVMSelect:
    case LLVMPHI:
        return true;
    default:
        return false;
    }
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
        b->calls_pointer |= step->op == LLVMCall && LLVMIsAFunction(LLVMGetCalledValue(i)) == NULL;
        if (has_flags(step->op))
            step->flags = read_flags(i);
        attribute_check_metadata(i, &step->flags);
        if (step->op == LLVMCall)
            attribute_check_call(i, &step->flags);
        step->number = (int)r->values;
        name(r, i, r->values++);
    }
}

static unsigned successors(const struct routine_block *b)
{
    return LLVMGetNumSuccessors(b->steps[b->n - 1].instruction);
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

/* Of the blocks that follow b in any case, the nearest: all others follow it. */
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
    attribute_check_function(function, &r->flags);
    return r;
}

void routine_free(struct routine *r)
{
    for (unsigned i = 0; i < r->n; i++)
        free(r->blocks[i].steps);
    free(r->blocks);
    free(r->names);
    free(r);
}
