#include "cli/work/law.h"

#include "base/buffer.h"
#include "base/file.h"
#include "check/finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FINDING_TEXT_MAX (1u << 20) /* of a finding.txt: far more than is ever written */

#ifdef WARPCHECK_COMMAND_FUZZ
#include "fuzz/laws.h"

const struct law *law_open(const char *name, struct error *error)
{
    struct buffer names = {0};
    const struct law *law;
    for (size_t i = 0; (law = law_get(i)) != NULL; i++) {
        if (strcmp(law->name, name) == 0)
            break;
        buffer_format(&names, "%s%s", i > 0 ? ", " : "", law->name);
    }
    if (law == NULL)
        error_set(error, ERROR_USAGE, "unknown law '%.80s': give one of %s", name, buffer_string(&names));
    buffer_free(&names);
    return law;
}

enum law_verdict law_judge(const struct law *law, const struct warp_impl *impl, const struct warp_case *c, char *why,
                           size_t why_size)
{
    const char *wrong = NULL;
    bool tried = false;
    if (law->families >> warp_form_get(c->form)->family & 1u)
        wrong = law->check(impl, c, &tried);
    snprintf(why, why_size, "%s (%s), %s%s%s", law->name, law->statement, impl->name, wrong != NULL ? ": " : "",
             wrong != NULL ? wrong
             : tried       ? ""
                           : ": it says nothing about this case, or the implementation does not answer what it needs");
    return wrong != NULL ? LAW_BROKEN : tried ? LAW_HOLDS : LAW_NOT_TRIED;
}
#else
const struct law *law_open(const char *name, struct error *error)
{
    error_set(error, ERROR_UNAVAILABLE,
              "the law '%.80s' cannot be judged: built without the fuzz targets (they need clang)", name);
    return NULL;
}

enum law_verdict law_judge(const struct law *law, const struct warp_impl *impl, const struct warp_case *c, char *why,
                           size_t why_size)
{
    (void)law, (void)impl, (void)c;
    snprintf(why, why_size, "no laws");
    return LAW_NOT_TRIED;
}
#endif

/* The path of finding.txt in the folder of FOLDER/case.txt; false for other files, or when it is no finding's folder.
 */
static bool finding_beside(const char *path, char finding[FILE_PATH_MAX])
{
    const int folder = (int)(file_name(path) - path);
    char verdict[FILE_PATH_MAX];
    return strcmp(path + folder, "case.txt") == 0 &&
           snprintf(verdict, sizeof verdict, "%.*sverdict.txt", folder, path) < (int)sizeof verdict &&
           snprintf(finding, FILE_PATH_MAX, "%.*sfinding.txt", folder, path) < (int)FILE_PATH_MAX &&
           (file_exists(finding) || file_exists(verdict));
}

const struct law *law_of_case(const char *path, const struct case_file *cases, struct error *error)
{
    char finding[FILE_PATH_MAX], name[FINDING_LAW_MAX];
    size_t size;
    error_clear(error);
    if (!finding_beside(path, finding))
        return NULL;
    char *text = file_read(finding, FINDING_TEXT_MAX, &size, error);
    if (text == NULL) {
        error_prefix(error, "which law the case is about cannot be told");
        return NULL;
    }
    const bool is_law = finding_text_fits(text, cases, error) && finding_line_law(text, name);
    free(text);
    return is_law ? law_open(name, error) : NULL;
}
