#include "proofs/mask.h"

#include <string.h>

#define DEEPEST   8u    /* calls that are looked into */
#define MOST_SEEN 6000u /* instructions that are looked at */

/* Calls that lead from the loop to a function in which the mask is used: by `this`, by reference or by value. */
struct site {
    LLVMValueRef call;
    const struct site *outer;
};

struct search {
    const struct routine *r;
    struct routine_loop *loop;
    unsigned seen;
    bool weak;
    /* What is looked for in the loop and in what it calls: a word of which a bit is singled out (`found` NULL), or
     * whether the word at `found` is written. */
    const struct routine_word *found;
};

/* Does the instruction single out the lowest or highest bit of a word? */
static LLVMValueRef bit_of_word(LLVMValueRef i, bool *highest)
{
    const LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef x;
    *highest = false;
    if (op == LLVMCall && LLVMIsAFunction(LLVMGetCalledValue(i)) != NULL) {
        const char *name = LLVMGetValueName(LLVMGetCalledValue(i));
        *highest = strncmp(name, "llvm.ctlz.i", 11) == 0;
        return *highest || strncmp(name, "llvm.cttz.i", 11) == 0 ? LLVMGetOperand(i, 0) : NULL;
    }
    if (op == LLVMAdd || op == LLVMSub) { /* m - 1, 0 - m */
        const bool minus = op == LLVMSub;
        x = LLVMGetOperand(i, minus ? 0 : 1);
        if (minus && LLVMIsAConstantInt(x) != NULL && LLVMConstIntGetSExtValue(x) == 0)
            return LLVMGetOperand(i, 1);
        x = LLVMGetOperand(i, 1);
        if (LLVMIsAConstantInt(x) != NULL && LLVMConstIntGetSExtValue(x) == (minus ? 1 : -1))
            return LLVMGetOperand(i, 0);
    }
    return NULL;
}

static bool same_word(const struct routine_word *x, const struct routine_word *y)
{
    return x->base == y->base && x->loads == y->loads &&
           memcmp(x->offset, y->offset, (x->loads + 1) * sizeof x->offset[0]) == 0;
}

static bool is_in(const struct search *s, LLVMValueRef instruction)
{
    return LLVMIsAInstruction(instruction) != NULL &&
           s->loop->body[routine_number(s->r, LLVMGetInstructionParent(instruction))];
}

/* The only value that is stored in a variable; NULL: there are several, or it is used in other ways. */
static LLVMValueRef only_stored(LLVMValueRef variable)
{
    LLVMValueRef stored = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsALoadInst(user) != NULL)
            continue;
        if (LLVMIsAStoreInst(user) == NULL || LLVMGetOperand(user, 1) != variable || stored != NULL)
            return NULL;
        stored = LLVMGetOperand(user, 0);
    }
    return stored;
}

/* The function that is called, if its body is there. */
static LLVMValueRef called(LLVMValueRef call)
{
    LLVMValueRef callee = NULL;
    if (LLVMIsACallInst(call) != NULL || LLVMIsAInvokeInst(call) != NULL)
        callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    return callee == NULL || LLVMIsDeclaration(callee) ? NULL : callee;
}

/* What the function returns, where that is one value. */
static LLVMValueRef returned(LLVMValueRef function)
{
    LLVMValueRef value = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b != NULL; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsAReturnInst(last) == NULL)
            continue;
        if (value != NULL || LLVMGetNumOperands(last) == 0)
            return NULL;
        value = LLVMGetOperand(last, 0);
    }
    return value;
}

/* The bytes by which a getelementptr with known indices moves. */
static bool known_offset(LLVMValueRef element, int64_t *offset)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(element));
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(function));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(element);
    *offset = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(element); i++) {
        LLVMValueRef index = LLVMGetOperand(element, i);
        int64_t at;
        if (LLVMIsAConstantInt(index) == NULL)
            return false;
        at = LLVMConstIntGetSExtValue(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            *offset += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)at);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)at);
            continue;
        }
        if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
            return false;
        type = i > 1 ? LLVMGetElementType(type) : type;
        *offset += at * (int64_t)LLVMABISizeOfType(layout, type);
    }
    return true;
}

#define MOST_STEPS 64u

/* How the value is come by from what is known at the loop's head, in at most `most` steps (functions may call
 * themselves). False: it is not seen how. */
static bool trace_in(const struct search *s, const struct site *site, LLVMValueRef x, struct routine_word *word,
                     unsigned most)
{
    int64_t offset;
    while (most-- > 0) {
        if (LLVMIsAArgument(x) != NULL && site != NULL) {
            unsigned at = 0;
            while (LLVMGetParam(LLVMGetParamParent(x), at) != x)
                at++;
            if (at >= LLVMGetNumArgOperands(site->call))
                return false;
            x = LLVMGetOperand(site->call, at);
            site = site->outer;
        } else if (LLVMIsAZExtInst(x) != NULL || LLVMIsABitCastInst(x) != NULL || LLVMIsAFreezeInst(x) != NULL) {
            x = LLVMGetOperand(x, 0);
        } else if (LLVMIsALoadInst(x) != NULL) {
            LLVMValueRef from = LLVMGetOperand(x, 0);
            LLVMValueRef only = LLVMIsAAllocaInst(from) != NULL ? only_stored(from) : NULL;
            const bool copy = only != NULL && (site != NULL || LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind);
            if (copy) {
                x = only;
                continue;
            }
            if (!trace_in(s, site, from, word, most) || word->loads == ROUTINE_LOADS)
                return false;
            word->offset[++word->loads] = 0;
            return true;
        } else if (LLVMIsAGetElementPtrInst(x) != NULL) {
            if (!known_offset(x, &offset) || !trace_in(s, site, LLVMGetOperand(x, 0), word, most))
                return false;
            word->offset[word->loads] += offset;
            return true;
        } else if (called(x) != NULL && returned(called(x)) != NULL) {
            const struct site inner = {x, site};
            return trace_in(s, &inner, returned(called(x)), word, most);
        } else {
            *word = (struct routine_word){.base = x};
            return site == NULL && (LLVMIsAInstruction(x) != NULL || LLVMIsAArgument(x) != NULL) &&
                   (!is_in(s, x) || LLVMGetInstructionParent(x) == s->r->blocks[s->loop->head].block);
        }
    }
    return false;
}

static bool trace(const struct search *s, const struct site *site, LLVMValueRef x, struct routine_word *word)
{
    return trace_in(s, site, x, word, MOST_STEPS);
}

/* Is it put together with the word again: m & (m - 1), m & -m? */
static bool meets_word(LLVMValueRef i, LLVMValueRef word)
{
    for (LLVMUseRef u = LLVMGetFirstUse(i); u != NULL; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        for (int k = 0; LLVMIsAInstruction(user) != NULL && LLVMGetInstructionOpcode(user) == LLVMAnd && k < 2; k++) {
            LLVMValueRef other = LLVMGetOperand(user, (unsigned)k);
            if (other == word)
                return true;
            if (LLVMIsALoadInst(other) != NULL && LLVMIsALoadInst(word) != NULL) {
                LLVMValueRef p = LLVMGetOperand(other, 0), q = LLVMGetOperand(word, 0);
                if (p == q || (LLVMIsAGetElementPtrInst(p) != NULL && LLVMIsAGetElementPtrInst(q) != NULL &&
                               LLVMGetOperand(p, 0) == LLVMGetOperand(q, 0)))
                    return true;
            }
        }
    }
    return false;
}

static bool look_into(struct search *s, const struct site *site, LLVMValueRef i, unsigned depth);

/* Is the word a mask that this loop takes bits from? */
static bool take_word(struct search *s, const struct site *site, LLVMValueRef x)
{
    struct routine_loop *loop = s->loop;
    struct routine_word word = {0};
    struct search stores = {.r = s->r, .loop = loop, .found = &word};
    unsigned width;
    while (LLVMIsAZExtInst(x) != NULL)
        x = LLVMGetOperand(x, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind || !trace(s, site, x, &word))
        return false;
    width = LLVMGetIntTypeWidth(LLVMTypeOf(x));
    if (width != 32 && width != 64)
        return false;
    if (word.loads == 0) {
        if (LLVMIsAPHINode(word.base) == NULL || word.offset[0] != 0 ||
            LLVMGetInstructionParent(word.base) != s->r->blocks[loop->head].block ||
            LLVMTypeOf(word.base) != LLVMTypeOf(x))
            return false;
    } else {
        bool stored = false;
        word.loads--; /* the address */
        for (unsigned b = 0; b < s->r->n; b++)
            for (unsigned k = 0; !stored && loop->body[b] && k < s->r->blocks[b].n; k++)
                stored = look_into(&stores, NULL, s->r->blocks[b].steps[k].instruction, 0);
        if (!stored)
            return false;
        word.memory = true;
    }
    loop->width = width;
    loop->word = word;
    return true;
}

/* Does the instruction write the word? */
static bool writes_word(const struct search *s, const struct site *site, LLVMValueRef i)
{
    struct routine_word to = {0};
    LLVMValueRef callee = LLVMIsACallInst(i) != NULL ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
    if (LLVMIsAStoreInst(i) != NULL)
        return trace(s, site, LLVMGetOperand(i, 1), &to) && same_word(&to, s->found);
    if (callee == NULL || strncmp(LLVMGetValueName(callee), "llvm.memcpy.", 12) != 0 ||
        !trace(s, site, LLVMGetOperand(i, 0), &to) || to.loads != s->found->loads ||
        to.offset[to.loads] > s->found->offset[to.loads])
        return false;
    to.offset[to.loads] = s->found->offset[to.loads]; /* a structure with the word in it */
    return same_word(&to, s->found);
}

static bool look_into(struct search *s, const struct site *site, LLVMValueRef i, unsigned depth)
{
    const struct site inner = {i, site};
    LLVMValueRef word, callee = called(i);
    bool highest;
    if (s->seen++ > MOST_SEEN)
        return false;
    if (s->found != NULL && writes_word(s, site, i))
        return true;
    word = s->found != NULL ? NULL : bit_of_word(i, &highest);
    if (word != NULL && (LLVMIsACallInst(i) != NULL) == !s->weak && (!s->weak || meets_word(i, word)) &&
        take_word(s, site, word)) {
        s->loop->highest_first = highest;
        return true;
    }
    if (callee == NULL || depth == DEEPEST)
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(callee); b != NULL; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef k = LLVMGetFirstInstruction(b); k != NULL; k = LLVMGetNextInstruction(k))
            if (look_into(s, &inner, k, depth + 1))
                return true;
    return false;
}

void mask_find(const struct routine *r, struct routine_loop *loop)
{
    for (unsigned weak = 0; weak < 2; weak++) { /* instructions that count zeros tell most */
        struct search s = {.r = r, .loop = loop, .weak = weak != 0};
        for (unsigned b = 0; b < r->n; b++)
            for (unsigned i = 0; loop->body[b] && i < r->blocks[b].n; i++)
                if (look_into(&s, NULL, r->blocks[b].steps[i].instruction, 0))
                    return;
    }
    loop->width = 0;
}
