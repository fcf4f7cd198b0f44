#include "kernel/execute.h"

#include "check/random.h"
#include "warpcheck/bytes.h"

#include <stdlib.h>
#include <string.h>

struct program_state *program_state_new(const struct program *program)
{
    struct program_state *state = calloc(1, sizeof *state);
    if (!state)
        return NULL;
    state->value = calloc(program->registers_count + 1, sizeof *state->value);
    state->defined = calloc(program->registers_count + 1, sizeof *state->defined);
    if (!state->value || !state->defined) {
        program_state_free(state);
        return NULL;
    }
    for (size_t r = 0; r < program->registers_count; r++)
        if (program->registers[r].input.is_input)
            state->defined[r] = UINT32_MAX;
    program_state_start(program, state);
    return state;
}

void program_state_free(struct program_state *state)
{
    if (!state)
        return;
    free(state->value);
    free(state->defined);
    free(state);
}

void program_state_copy(const struct program *program, struct program_state *to, const struct program_state *from)
{
    memcpy(to->value, from->value, program->registers_count * sizeof *to->value);
    memcpy(to->defined, from->defined, program->registers_count * sizeof *to->defined);
    to->active = from->active;
    to->exited = from->exited;
}

void program_state_start(const struct program *program, struct program_state *state)
{
    state->exited = program->exited;
    state->active = program->active;
    if (program->active_reg != MODULE_NONE)
        state->active = (lanemask)state->value[program->active_reg][0];
    state->active &= ~state->exited;
}

static uint64_t float_bits(int64_t n)
{
    float f = (float)n;
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* The n-th value of the range, counted from its lower end and around. */
static uint64_t ranged(const struct program_input *input, uint64_t n)
{
    uint64_t span = (uint64_t)input->high - (uint64_t)input->low + 1;
    int64_t value = (int64_t)((uint64_t)input->low + (span ? n % span : n));
    return input->as == PTX_F32 ? float_bits(value) : (uint64_t)value;
}

static uint64_t cut(enum ptx_type type, uint64_t x)
{
    unsigned bits = ptx_type_bits(type);
    return bits == 64 ? x : x & ((UINT64_C(1) << bits) - 1);
}

/* Styles of inputs. Equal values, small ones and special ones find wrong programs. */
enum style { STYLE_ANY, STYLE_FEW, STYLE_SPECIAL, STYLE_SAME, STYLE_SPARSE, STYLES };

static uint64_t special(enum ptx_type as, uint64_t r)
{
    uint32_t low = as == PTX_F32 ? warp_special_floats[r % warp_special_floats_count]
                                 : warp_special_words[r % warp_special_words_count];
    return (uint64_t)warp_special_words[(r >> 32) % warp_special_words_count] << 32 | low;
}

static uint64_t any_value(const struct program_input *input, enum style style, uint64_t r)
{
    if (input->has_range)
        return ranged(input, style == STYLE_FEW ? r % 3 : r);
    if (input->as == PTX_PRED)
        return style == STYLE_SPARSE ? r % 16 == 0 : style == STYLE_SPECIAL ? r % 16 != 0 : r & 1;
    if (style == STYLE_FEW)
        return input->as == PTX_F32 ? float_bits((int64_t)(r % 3)) : r % 3;
    if (style == STYLE_SPECIAL)
        return special(input->as, r);
    return r;
}

/* The first two inputs of every seed are for people to read: each lane its number, and zero everywhere. */
static uint64_t plain_value(const struct program_input *input, uint64_t n)
{
    if (input->has_range)
        return ranged(input, n);
    return input->as == PTX_F32 ? float_bits((int64_t)n) : n;
}

static void choose(const struct program_input *input, uint64_t (*value)[WARP_LANES], uint64_t stream, uint64_t index)
{
    enum style style = (enum style)(random_mix(stream) % STYLES);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        unsigned source = input->uniform || style == STYLE_SAME ? 0 : lane;
        uint64_t x;
        if (index < 2)
            x = plain_value(input, index == 0 && !input->uniform ? lane : 0);
        else
            x = any_value(input, style, random_mix(stream + 1 + source));
        (*value)[lane] = cut(input->as, x);
    }
}

void program_state_random(const struct program *program, struct program_state *state, uint64_t seed, uint64_t index)
{
    for (size_t r = 0; r < program->registers_count; r++) {
        const struct program_input *input = &program->registers[r].input;
        memset(&state->value[r], 0, sizeof state->value[r]);
        state->defined[r] = input->is_input ? UINT32_MAX : 0;
        if (input->is_input)
            choose(input, &state->value[r], random_mix(seed ^ random_mix(index * PROGRAM_REGISTERS_MAX + r)), index);
    }
    program_state_start(program, state);
}
