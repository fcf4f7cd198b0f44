/*
 * Your warp instructions at the end of a pipe: a case a line comes in, an answer a line goes out. It needs nothing of
 * warpcheck, so it can be written in any language, or run elsewhere.
 *
 * Edit my_redux: take out what it does and call yours. It returns what each lane of `group` gets, or says with *has
 * that you do not have the instruction. `make check` tells whether it is right. The lines are described in
 * docs/formats.md: `v*n` is n times v, `v+s*n` is v, v+s, v+2s...
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t my_redux(const char *form, uint32_t group, const uint32_t values[32], bool *has)
{
    uint32_t sum = 0, all = UINT32_MAX, some = 0, odd = 0;
    for (unsigned lane = 0; lane < 32; lane++) {
        if (!(group >> lane & 1u))
            continue;
        sum += values[lane];
        all &= values[lane];
        some |= values[lane];
        odd ^= values[lane];
    }
    *has = true;
    if (strncmp(form, "redux.sync.add.", 15) == 0)
        return sum;
    if (strcmp(form, "redux.sync.and.b32") == 0)
        return all;
    if (strcmp(form, "redux.sync.or.b32") == 0)
        return some;
    if (strcmp(form, "redux.sync.xor.b32") == 0)
        return odd;
    *has = false;
    return 0;
}

/* --- reading and writing lines; nothing below is to be edited --- */

static char line[65536];

/* Where the value of " NAME=" begins in the line, or NULL. */
static const char *value_of(const char *name)
{
    const char *at = strstr(line, name);
    return at == NULL ? NULL : at + strlen(name);
}

static uint32_t mask_of(const char *name)
{
    const char *const value = value_of(name);
    return value == NULL ? 0 : (uint32_t)strtoull(value, NULL, 0);
}

static void read_lanes(const char *name, uint32_t values[32])
{
    const char *const value = value_of(name);
    char *at = (char *)(value == NULL ? "0*32" : value);
    for (unsigned lane = 0; lane < 32;) {
        const uint32_t first = (uint32_t)strtoull(at, &at, 0);
        const uint32_t step = *at == '+' ? (uint32_t)strtoll(at + 1, &at, 0) : 0;
        const unsigned times = *at == '*' ? (unsigned)strtoul(at + 1, &at, 10) : 1;
        for (unsigned i = 0; i < times && lane < 32; i++)
            values[lane++] = first + i * step;
        if (*at != ',')
            return;
        at++;
    }
}

static void answer(const char *form)
{
    uint32_t a[32] = {0}, membermask[32] = {0}, d[32] = {0};
    const uint32_t exited = mask_of(" exited="), active = mask_of(" active=");
    bool has = true;
    read_lanes(" a=", a);
    read_lanes(" membermask=", membermask);
    my_redux(form, active, a, &has);
    if (!has) {
        printf("not accepted: this instruction\n");
        return;
    }
    printf("%s => d=", line); /* what lanes get that wait is not looked at */
    for (unsigned lane = 0; lane < 32; lane++) {
        if (active >> lane & 1u)
            d[lane] = my_redux(form, membermask[lane] & ~exited, a, &has);
        printf("0x%x%s", (unsigned)d[lane], lane < 31 ? "," : "\n");
    }
}

int main(void)
{
    char form[64];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (sscanf(line, "warp1 %63s", form) == 1)
            answer(form);
        else
            printf("not accepted: no case\n");
        fflush(stdout); /* whoever asks waits for each answer */
    }
    return 0;
}
