#include "fuzz/kernels/recording.h"

#include "base/file.h"
#include "base/random.h"
#include "warpcheck_spec.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kernel_recording_set(struct kernel_recording_line *line, const struct made *made)
{
    *line = (struct kernel_recording_line){.number = made->kernel.number,
                                           .text = kernel_digest(made->text.data, made->text.size),
                                           .expected = kernel_digest(made->after, made->size)};
}

void kernel_recording_head(const struct make_suite *suite, const struct peer *peer, uint64_t lines, struct buffer *out)
{
    buffer_format(out, "suite seed=%" PRIu64 " target=%s size=%s levels=", suite->seed, warp_target_name(suite->target),
                  make_size_name(suite->size));
    for (unsigned n = 0; n < peer->levels_count; n++)
        buffer_format(out, "%s%u", n ? "," : "", peer->levels[n]);
    buffer_format(out, " kernels=%" PRIu64 "\n", lines);
}

void kernel_recording_text(const struct kernel_recording_line *line, unsigned levels, struct buffer *out)
{
    buffer_format(out, "%" PRIu64 " %016" PRIx64 " %016" PRIx64, line->number, line->text, line->expected);
    for (unsigned n = 0; n < levels; n++)
        if (line->memory[n] == line->expected)
            buffer_text(out, " =");
        else
            buffer_format(out, " %016" PRIx64, line->memory[n]);
    buffer_text(out, "\n");
}

static bool read_line(const char *text, unsigned levels, struct kernel_recording_line *line)
{
    uint64_t *numbers[2 + PEER_LEVELS] = {&line->text, &line->expected};
    char *end;
    for (unsigned n = 0; n < levels; n++)
        numbers[2 + n] = &line->memory[n];
    line->number = strtoull(text, &end, 10);
    if (end == text)
        return false;
    for (unsigned n = 0; n < 2 + levels; n++) {
        char *const at = end;
        if (n >= 2 && at[0] == ' ' && at[1] == '=') {
            *numbers[n] = line->expected;
            end = at + 2;
            continue;
        }
        *numbers[n] = strtoull(at, &end, 16);
        if (end - at != 17)
            return false;
    }
    return *end == '\0';
}

static bool read_head(const char *line, struct kernel_recording *r)
{
    char target[32], size[16], levels[32];
    const int count = sscanf(line, "suite seed=%" SCNu64 " target=%31s size=%15s levels=%31s kernels=%" SCNu64,
                             &r->suite.seed, target, size, levels, &r->promised);
    const struct warp_target_info *info = count == 5 ? warp_target_find(target) : NULL;
    if (!info || !make_size_find(size, &r->suite.size))
        return false;
    r->suite.target = info->target;
    r->levels = (unsigned)(strlen(levels) + 1) / 2;
    return r->levels <= PEER_LEVELS;
}

static bool read_lines(char *text, const char *path, struct kernel_recording *r, struct error *error)
{
    static const char device[] = "# device: ";
    size_t room = 0;
    unsigned number = 0;
    for (char *at = text, *next; *at; at = next) {
        const size_t length = strcspn(at, "\n");
        next = at + length + (at[length] != '\0');
        at[length] = '\0';
        number++;
        if (strncmp(at, device, sizeof device - 1) == 0)
            snprintf(r->device, sizeof r->device, "%s", at + sizeof device - 1);
        if (*at == '#' || *at == '\0')
            continue;
        if (r->suite.target == 0) {
            if (!read_head(at, r))
                return error_set(error, ERROR_INPUT,
                                 "%s:%u: no recording of generated kernels: it does not begin with "
                                 "`suite seed=S target=T size=Z levels=L kernels=N`",
                                 path, number);
            continue;
        }
        struct kernel_recording_line *larger = array_grow(r->lines, r->count, &room, sizeof *larger);
        if (!larger)
            return error_set(error, ERROR_SYSTEM, "out of memory");
        r->lines = larger;
        if (!read_line(at, r->levels, &r->lines[r->count++]))
            return error_set(error, ERROR_INPUT, "%s:%u: not a number and %u digests", path, number, 2 + r->levels);
        if (r->count > 1 && r->lines[r->count - 1].number <= r->lines[r->count - 2].number)
            return error_set(error, ERROR_INPUT, "%s:%u: kernel %" PRIu64 " is not behind the one before it", path,
                             number, r->lines[r->count - 1].number);
    }
    if (r->suite.target == 0)
        return error_set(error, ERROR_INPUT, "%s: no recording of generated kernels: it has no line `suite`", path);
    return r->count == r->promised ||
           error_set(error, ERROR_INPUT,
                     "%s: it has %zu of the %" PRIu64 " kernels that its line `suite` tells of: copy it again", path,
                     (size_t)r->count, r->promised);
}

bool kernel_recording_load(const char *path, struct kernel_recording *recording, struct error *error)
{
    size_t size;
    memset(recording, 0, sizeof *recording);
    char *text = file_read(path, KERNEL_FILE_MOST, &size, error);
    const bool ok = text &&
                    (strlen(text) == size ||
                     error_set(error, ERROR_INPUT, "%s: no recording of generated kernels: it is no text", path)) &&
                    read_lines(text, path, recording, error);
    free(text);
    return ok;
}

void kernel_recording_free(struct kernel_recording *recording)
{
    free(recording->lines);
    recording->lines = NULL;
}

bool kernel_recording_replay(const struct kernel_recording *recording, const struct kernel_recording_line *line,
                             enum kernel_recording_replayed *replayed)
{
    struct make_kernel k;
    struct made m;
    struct kernel_recording_line now;
    unsigned agree = 0;
    make_draw(&recording->suite, line->number, &k);
    const bool ok = made_set(&m, &k, spec_get());
    if (ok) {
        kernel_recording_set(&now, &m);
        for (unsigned level = 0; level < recording->levels; level++)
            agree += m.answer.verdict == MAKE_CLEAN && now.expected == line->memory[level];
        *replayed = now.text != line->text       ? RECORDING_CHANGED
                    : agree == recording->levels ? RECORDING_AGREES
                    : agree > 0                  ? RECORDING_COMPILER
                                                 : RECORDING_DIFFERS;
    }
    made_free(&m);
    return ok;
}
