#include "cli/prove/session.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "cli/work/ask.h"

#include <stdio.h>
#include <unistd.h>

void proving_begin(struct proving *p, const char *label, size_t count, bool quiet)
{
    *p = (struct proving){.label = label, .count = count, .quiet = quiet};
    p->terminal = isatty(STDERR_FILENO) != 0;
    p->begin = p->last = clock_seconds();
}

void proving_show(struct proving *p, const char *now)
{
    const double seconds = clock_seconds();
    if (p->quiet || seconds - p->begin < 1 || (!p->terminal && seconds - p->last < 5))
        return;
    fprintf(stderr, "%s%s: %zu of %zu, %.0f s%s%.150s%s", p->terminal ? "\r\x1b[K" : "", p->label, p->ended, p->count,
            seconds - p->begin, now[0] != '\0' ? ": " : "", now, p->terminal ? "" : "\n");
    p->last = seconds;
}

void proving_end(struct proving *p)
{
    if (p->terminal && !p->quiet)
        fputs("\r\x1b[K", stderr);
    p->interrupted = interrupted() && p->ended < p->count;
}

bool proving_run(struct proving *p, const struct command *command, struct pool *pool)
{
    struct error error = {.code = ERROR_NONE};
    const bool done = pool_run(pool, &error);
    proving_end(p);
    if (!done && error.code != ERROR_INTERRUPTED)
        usage_error(command, "%s", error.text);
    return done || error.code == ERROR_INTERRUPTED;
}

size_t prove_forms(const struct command *command, const struct option_list *only, uint32_t forms[WARP_FORMS])
{
    size_t n = 0;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        bool wanted = only->count == 0;
        for (size_t i = 0; i < only->count; i++) {
            uint32_t named;
            const uint32_t families = option_families(only->items[i], &named);
            if (families == 0) {
                option_unknown_instruction(command, only->items[i]);
                return 0;
            }
            wanted |= named < WARP_FORMS ? named == form : (families >> warp_form_get(form)->family & 1u) != 0;
        }
        if (wanted)
            forms[n++] = form;
    }
    return n;
}

#ifndef WARPCHECK_HAVE_COMPILED
static int unavailable(int argc, char **argv)
{
    static const struct command prove = {.name = "prove"};
    (void)argc, (void)argv;
    return usage_error(&prove,
                       "proofs about compiled code are UNAVAILABLE: built without LLVM 19 (Debian: llvm-19-dev and "
                       "clang-14; then configure and build again)");
}

const struct command command_prove_own = {
    .name = "prove compiled", .summary = "UNAVAILABLE: built without LLVM 19", .help = "", .run = unavailable};
const struct command command_prove_bitcode = {
    .name = "prove bitcode", .summary = "UNAVAILABLE: built without LLVM 19", .help = "", .run = unavailable};
#endif
