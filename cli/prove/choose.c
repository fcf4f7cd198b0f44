/* Which of the two commands about compiled code is asked for, and what they share. */
#include "cli/prove/compiled.h"

#include "cli/work/ask.h"
#include "warpcheck/form.h"

#include <stdio.h>
#include <string.h>

size_t prove_forms(const struct command *command, const struct option_list *only, uint32_t forms[WARP_FORMS])
{
    size_t n = 0;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        bool wanted = only->count == 0;
        for (size_t i = 0; i < only->count; i++) {
            uint32_t named;
            const uint32_t families = ask_families(only->items[i], &named);
            if (families == 0) {
                ask_unknown_instruction(command, only->items[i]);
                return 0;
            }
            wanted |= named < WARP_FORMS ? named == form : (families >> warp_form_get(form)->family & 1u) != 0;
        }
        if (wanted)
            forms[n++] = form;
    }
    return n;
}

const char *prove_quoted(const char *word, char *text, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:+=@%,";
    size_t used = 0;
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0') {
        snprintf(text, size, "%s", word);
        return text;
    }
    used += (size_t)snprintf(text, size, "'");
    for (; *word != '\0' && used + 6 < size; word++)
        used += (size_t)snprintf(text + used, size - used, *word == '\'' ? "'\\''" : "%c", *word);
    snprintf(text + used, size - used, "'");
    return text;
}

#ifndef WARPCHECK_HAVE_COMPILED
static int unavailable(int argc, char **argv)
{
    static const struct command prove = {.name = "prove"};
    (void)argc, (void)argv;
    return usage_error(&prove,
                       "proofs about compiled code are UNAVAILABLE: built without LLVM 14 (Debian: llvm-14-dev and "
                       "clang-14; then configure and build again)");
}

const struct command command_prove_own = {
    .name = "prove compiled", .summary = "UNAVAILABLE: built without LLVM 14", .help = "", .run = unavailable};
const struct command command_prove_bitcode = {
    .name = "prove bitcode", .summary = "UNAVAILABLE: built without LLVM 14", .help = "", .run = unavailable};
#endif
