#include "cli/prove/judge.h"

#include "check/reduce.h"
#include "cli/work/ask.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <string.h>

#define REDUCE_LIMIT 400u

static struct user_request user_of(const struct judge_request *r, uint32_t form)
{
    return (struct user_request){.file = r->bitcode,
                                 .function = r->function,
                                 .shape = r->shape,
                                 .info = warp_form_get(form),
                                 .spec = spec_get(),
                                 .timeout_s = r->timeout,
                                 .concrete = (unsigned)r->cases,
                                 .seed = 1};
}

/* Does the native code give the same answer as the translator? d is compared where spec's is predictable. */
static bool same_answer(const struct finding *translated, const struct finding *native)
{
    struct warp_result reference = translated->reference;
    if (translated->parts & WARP_PART_OUTCOME)
        reference = translated->observed;
    memcpy(reference.d, translated->observed.d, sizeof reference.d);
    reference.p = translated->observed.p;
    return warp_result_compare(&translated->c, &reference, &native->observed, native->parts, NULL);
}

/* Runs the native code that LLVM makes on the case. */
static void ask_native(const struct user_request *user, struct judge_result *j, const struct warp_case *c,
                       bool translated_answers)
{
    static struct finding f;
    char why[200] = "";
    struct error error = {.text = ""};
    struct warp_result result;
    const struct warp_impl *native = user_impl_open(user, true, &error);
    enum answer answer = native == NULL ? ANSWER_FAILED : ask_case(native, c, &result, why, sizeof why);
    if (answer != ANSWER_GIVEN)
        snprintf(j->native, sizeof j->native, "the native code gives no result here: %.140s",
                 native == NULL ? error.text : why);
    else if (!finding_make(&f, spec_get(), native, c))
        snprintf(j->native, sizeof j->native, "the native code agrees with spec here");
    else if (!translated_answers)
        snprintf(j->native, sizeof j->native, "the native code differs from spec here");
    else if (j->differs && same_answer(&j->finding, &f))
        snprintf(j->native, sizeof j->native, "the native code differs from spec in the same way");
    else {
        snprintf(j->native, sizeof j->native, "the native code differs from spec, %s",
                 j->differs ? "in another way" : "the translation does not");
        j->contradicted = true;
    }
    if (native != NULL)
        native->close(native->state);
}

/* Undefined behaviour and values that are not initialized: the function has no result at all. */
static bool has_no_result(void *context, const struct warp_case *c)
{
    const struct warp_impl *translated = ((const struct finding_pair *)context)->observed;
    struct warp_result result;
    char why[200];
    return ask_case(translated, c, &result, why, sizeof why) == ANSWER_FAILED;
}

/* Reduces the witness, as long as the function still has a wrong result, or none. */
static void judge_case(const struct user_request *user, struct judge_result *j, struct warp_case *c, bool reduce)
{
    char why[200] = "";
    struct error error;
    const struct warp_impl *translated = user_impl_open(user, false, &error);
    struct warp_result result;
    struct finding_pair test = {user->spec, translated};
    struct reduction limits = {.limit = REDUCE_LIMIT};
    bool answers;
    if (translated == NULL)
        return;
    answers = ask_case(translated, c, &result, why, sizeof why) == ANSWER_GIVEN;
    if (answers) {
        if (reduce)
            reduce_mismatch(c, user->spec, translated, &limits);
        j->differs = finding_make(&j->finding, user->spec, translated, c);
    } else if (reduce) {
        reduce_case(c, has_no_result, &test, &limits);
    } else {
        snprintf(j->outcome.note, sizeof j->outcome.note, "%s", why);
    }
    translated->close(translated->state);
    ask_native(user, j, c, answers);
}

void judge_form(const struct judge_request *r, uint32_t form, struct judge_result *j)
{
    struct user_request user = user_of(r, form);
    user_prove(&user, &j->outcome);
    user.before = j->outcome.before;
    if (j->outcome.verdict == COMPILED_REFUTED)
        judge_case(&user, j, &j->outcome.witness, true);
}

void judge_one_case(const struct judge_request *r, const struct warp_case *c, struct judge_result *j)
{
    const struct user_request user = user_of(r, c->form);
    char why[sizeof j->outcome.note];
    struct error error;
    const struct warp_impl *impl = user_impl_open(&user, false, &error);
    j->outcome.witness = *c;
    j->outcome.has_witness = true;
    if (impl == NULL) {
        j->outcome.unusable = true;
        snprintf(j->outcome.note, sizeof j->outcome.note, "%.*s", (int)sizeof j->outcome.note - 1, error.text);
        return;
    }
    if (!warp_impl_accepts(impl, c, why, sizeof why)) {
        j->outcome.unusable = true;
        snprintf(j->outcome.note, sizeof j->outcome.note, "the case is not accepted: %.400s", why);
    }
    impl->close(impl->state);
    if (!j->outcome.unusable)
        judge_case(&user, j, &j->outcome.witness, false);
}
