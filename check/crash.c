#include "check/crash.h"

#include "check/finding.h"

#include <stdio.h>
#include <string.h>

void crash_fate(const char *reason, const char *otherwise, char fate[CRASH_FATE_MAX])
{
    static const char crashed[] = "crashed with SIG"; /* as check/guarded.c says it */
    const char *const at = strstr(reason, crashed);
    size_t length = 0;
    if (at == NULL) {
        const bool hung = strstr(reason, "no answer within") != NULL,
                   left = strstr(reason, "ended the process (exit)") != NULL;
        snprintf(fate, CRASH_FATE_MAX, "%s", hung ? "hang" : left ? "exit" : otherwise);
        return;
    }
    for (const char *p = at + strlen(crashed); length < CRASH_FATE_MAX - 1 && *p >= 'A' && *p <= 'Z'; p++)
        fate[length++] = (char)(*p - 'A' + 'a');
    fate[length] = '\0';
}

void crash_name(const struct warp_case *c, const char *fate, char name[CRASH_NAME_MAX])
{
    snprintf(name, CRASH_NAME_MAX, "%s-%s", warp_family_name(warp_form_get(c->form)->family), fate);
}

bool crash_write(const char *dir, const char *name, const struct warp_case *c, const char *line, char *path,
                 size_t path_size, bool *existed, char *error, size_t error_size)
{
    char text[4 * WARP_TEXT_MAX];
    char whole[FINDING_LINE_MAX];
    if (warp_case_to_file(c, line, NULL, 0, text, sizeof text) >= sizeof text) {
        snprintf(error, error_size, "the case is too long to write");
        return false;
    }
    snprintf(whole, sizeof whole, "%s\n", line);
    return finding_write_folder(dir, name, text, whole, path, path_size, existed, error, error_size);
}
