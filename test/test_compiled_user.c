/*
 * Functions of users: right ones are proved, the known mistakes are refuted with a witness that replays. The argument
 * is the folder of the bitcode, then the sources' names; a comment "shape instruction: ..." above a function says what
 * it claims to be, so that no list can forget one.
 */
#include "proofs/user/user.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE 400

struct claimed {
    char shape[32], form[64], function[80], says[120];
};

static bool is_right(const char *source)
{
    return strstr(source, "right") != NULL;
}

/* The name between the last blank or star before '(' and '('. */
static bool function_name(const char *line, char name[80])
{
    const char *end = strchr(line, '('), *begin = end;
    if (end == NULL || strncmp(line, "static", 6) == 0 || strchr(" \t/{}", line[0]) != NULL)
        return false;
    while (begin > line && strchr(" *", begin[-1]) == NULL)
        begin--;
    snprintf(name, 80, "%.*s", (int)(end - begin), begin);
    return true;
}

static enum compiled_verdict expected(const char *source)
{
    return is_right(source) ? COMPILED_PROVED : strstr(source, "refused") != NULL ? COMPILED_ERROR : COMPILED_REFUTED;
}

/* The next function of the source that says what it is. */
static bool next_function(FILE *f, struct claimed *c)
{
    char line[LINE];
    c->shape[0] = '\0';
    while (fgets(line, sizeof line, f) != NULL) {
        char shape[32], form[64], says[120];
        if (sscanf(line, "/* %31[a-z-] %63[a-zA-Z0-9.]: %119[^*\n]", shape, form, says) == 3 &&
            warp_form_find(form) != NULL) {
            strcpy(c->shape, shape);
            strcpy(c->form, form);
            says[strcspn(says, "\n")] = '\0';
            while (says[0] != '\0' && says[strlen(says) - 1] == ' ')
                says[strlen(says) - 1] = '\0';
            strcpy(c->says, says);
        } else if (c->shape[0] != '\0' && function_name(line, c->function)) {
            return true;
        }
    }
    return false;
}

/* How long one question to the solver may take. What a `bounded` claim asks is not decided in any time. */
static double limit_s(bool bounded)
{
    const char *const slow = getenv("WARPCHECK_SLOW");
    if (!bounded)
        return 60;
    return slow != NULL && strcmp(slow, "all") == 0 ? 5 : 1;
}

static bool judge(const char *folder, const char *source, const struct claimed *c)
{
    static struct user_outcome o;
    char path[512];
    /* How many lanes of these are decided in the time depends on the machine, down to none. */
    const bool bounded = strncmp(c->says, "bounded", 7) == 0;
    const struct user_request request = {.file = path,
                                         .function = c->function,
                                         .shape = c->shape,
                                         .info = warp_form_find(c->form),
                                         .spec = spec_get(),
                                         .timeout_s = limit_s(bounded),
                                         .concrete = 10,
                                         .seed = 7};
    bool ok;
    snprintf(path, sizeof path, "%s/%s.bc", folder, source);
    user_prove(&request, &o);
    ok = o.verdict == expected(source) || (bounded && (o.verdict == COMPILED_BOUNDED || o.verdict == COMPILED_OPEN));
    if (o.verdict == COMPILED_REFUTED)
        ok = ok && o.has_witness && warp_case_check(&o.witness) == NULL;
    if (o.verdict == COMPILED_ERROR)
        ok = ok && o.unusable && strstr(o.note, c->says) != NULL;
    else if (o.verdict != COMPILED_REFUTED || (strstr(source, "places") == NULL && strstr(source, "natural") == NULL))
        ok = ok && o.native[0] == '\0' && o.concrete > 0;
    printf("%s%s as %s (%s): %s, %.2f s%s%s%s%s\n", ok ? "" : "FAIL: ", c->function, c->form, c->shape,
           compiled_verdict_name(o.verdict), o.seconds, o.note[0] != '\0' ? ": " : "", o.note,
           o.native[0] != '\0' ? "; native: " : "", o.native);
    fflush(stdout);
    return ok;
}

int main(int argc, char **argv)
{
    unsigned count = 0, failed = 0;
    for (int i = 2; i < argc; i++) {
        struct claimed c;
        char path[512];
        FILE *f;
        snprintf(path, sizeof path, "test/compiled/user/%s.c", argv[i]);
        f = fopen(path, "r");
        if (f == NULL) {
            printf("FAIL: %s cannot be read\n", path);
            return 1;
        }
        while (next_function(f, &c)) {
            count++;
            failed += !judge(argv[1], argv[i], &c);
        }
        fclose(f);
    }
    printf("%u functions, %u failed\n", count, failed);
    return count > 0 && failed == 0 ? 0 : 1;
}
