#include "cli/fuzz/inputs.h"

#include "base/clock.h"
#include "check/impl/impl.h"
#include "cli/fuzz/arguments.h"
#include "cli/ui/options.h"
#include "fuzz/campaign/command.h"
#include "fuzz/campaign/loop.h"
#include "fuzz/derive.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_SECONDS 3600.0 /* limit for one input; each call has its own, shorter limit */

struct inputs {
    struct job_plan plan;
    struct rerun rerun;
    unsigned long long looked_at, findings, known, unkept, unreadable, empty; /* empty: nothing was compared */
};

static void show(void *context, const struct rerun_finding *f)
{
    static char command[LOOP_COMMAND_MAX];
    struct inputs *in = context;
    if (!f->kept) {
        in->unkept++;
        fprintf(stderr, "warpcheck replay: a finding was not kept: %s\n", shown(f->error));
        return;
    }
    *(f->existed ? &in->known : &in->findings) += 1;
    loop_command(&in->plan, 0, f, command);
    if (!f->existed)
        printf("%sFINDING%s %s\n  kept:   %s\n  replay: %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), shown(f->line),
               shown(f->path), shown(command));
    fflush(stdout);
}

static bool find_target(const struct fuzz_inputs *request, struct inputs *in)
{
    static char target[80];
    const char *const name = target_short_name(request->target);
    snprintf(target, sizeof target, "fuzz_%.70s", name);
    in->plan.target = target;
    in->plan.families = fuzz_target_family(name);
    switch (target_kind(name)) {
    case TARGET_CASES:
        return in->plan.families != 0 || strcmp(name, "all") == 0;
    case TARGET_LAWS:
    case TARGET_PROGRAM:
    case TARGET_KERNEL:
        return true;
    case TARGET_BYTES:
    case TARGET_TEXT:
        return false;
    }
    return false;
}

/* False, with a line, of what cannot be read, or is larger than an engine's inputs. */
static bool can_read(struct inputs *in, const char *path)
{
    struct error error;
    size_t size;
    char *const data = file_read(path, PLAN_INPUT_MAX, &size, &error);
    free(data);
    if (data != NULL)
        return true;
    in->unreadable++;
    fprintf(stderr, "%s\n", shown(error.text));
    return false;
}

/* Of a kernel it is the transcription that is asked. */
static bool nothing_was_compared(const struct inputs *in)
{
    return target_asks_implementation(target_kind(in->plan.target)) && in->rerun.shared->answered == 0 &&
           in->rerun.findings == 0;
}

static void look_at(struct inputs *in, const char *path)
{
    rerun_whole(&in->rerun, path, clock_seconds() + INPUT_SECONDS, interrupted);
    in->looked_at++;
    if (in->rerun.trouble[0] != '\0') {
        in->unreadable++;
        fprintf(stderr, "%s: %s\n", shown(path), shown(in->rerun.trouble));
    } else if (in->rerun.shared->unsure) {
        rerun_keep_input(&in->rerun, path, "shows-once", "a case was answered wrongly", true);
    } else if (nothing_was_compared(in) && !interrupted()) {
        in->empty++;
        printf("NOTHING COMPARED %s: %s accepts nothing that %s makes of it\n", shown(path), shown(in->plan.impl),
               in->plan.target);
    }
}

int fuzz_inputs(const struct fuzz_inputs *request, char **paths, int count)
{
    static struct inputs in; /* large */
    static char impl[IMPL_FULL_MAX], out[JOB_PATH_MAX], program[JOB_PATH_MAX], work[FILE_PATH_MAX];
    struct path_list list = {0};
    struct error error;
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    snprintf(program + (length > 0 ? length : 0), 16, "%s", length > 0 ? "" : "warpcheck");
    if (!find_target(request, &in))
        return usage_error(
            request->command,
            "--target takes all, a family (shfl_sync), laws, program or kernel; an input of bytes, batch, text or ptx "
            "is replayed by its target itself: fuzz_NAME FILE");
    if (!fuzz_can_open(request->impl) || !fuzz_absolute_folder(request->out, out))
        return STATUS_USAGE;
    if (!folder_temporary("replay", work, &error))
        return usage_error(request->command, "%s", error.text);
    in.plan.impl = impl_name_full(request->impl, impl);
    in.plan.work = work;
    in.plan.findings = out;
    in.plan.program = program;
    in.plan.targets = "";
    in.plan.derived = DERIVED_MAX;
    rerun_init(&in.rerun, &in.plan, show, &in);
    for (int i = 1; i <= count; i++) {
        const size_t before = list.count;
        const bool found = path_list_find(&list, paths[i], &error);
        if (found && list.count > before)
            continue;
        if (found)
            error_set(&error, ERROR_INPUT, "%s: an empty folder, no input in it", paths[i]);
        fprintf(stderr, "%s\n", shown(error.text));
        in.unreadable++;
    }
    for (size_t i = 0; i < list.count && !interrupted(); i++)
        if (!text_ends(list.paths[i], ".line") && can_read(&in, list.paths[i])) /* X.line says what X shows */
            look_at(&in, list.paths[i]);
    printf("%llu inputs, %llu new findings, %llu times a known one", in.looked_at, in.findings, in.known);
    if (in.empty > 0)
        printf(", %llu of which nothing was compared", in.empty);
    printf("\n");
    if (interrupted())
        printf("INTERRUPTED: what follows was not looked at\n");
    path_list_free(&list);
    rerun_end(&in.rerun);
    folder_remove(work);
    rmdir(out); /* stays when there is something in it */
    if (in.unreadable + in.unkept > 0)
        return STATUS_USAGE;
    return in.findings + in.known + in.empty > 0 || in.looked_at == 0 || interrupted() ? STATUS_MISMATCH : STATUS_AGREE;
}
