#define _POSIX_C_SOURCE 200809L /* strerror_r */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool error_set(struct error *error, enum error_code code, const char *format, ...)
{
    va_list arguments;
    if (error == NULL)
        return false;
    error->code = code;
    error->detail = 0;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
    return false;
}

bool error_errno(struct error *error, const char *format, ...)
{
    const int reason = errno;
    char text[ERROR_TEXT_MAX], why[128];
    va_list arguments;
    if (error == NULL)
        return false;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (strerror_r(reason, why, sizeof why) != 0)
        snprintf(why, sizeof why, "error %d", reason);
    error->code = ERROR_SYSTEM;
    error->detail = reason;
    snprintf(error->text, sizeof error->text, "%.*s: %s", (int)(sizeof text - sizeof why - 3), text, why);
    return false;
}

bool error_prefix(struct error *error, const char *format, ...)
{
    char before[ERROR_TEXT_MAX], old[ERROR_TEXT_MAX];
    va_list arguments;
    size_t used;
    if (error == NULL)
        return false;
    va_start(arguments, format);
    vsnprintf(before, sizeof before, format, arguments);
    va_end(arguments);
    memcpy(old, error->text, sizeof old);
    used = strlen(before) < ERROR_TEXT_MAX / 2 ? strlen(before) : ERROR_TEXT_MAX / 2;
    snprintf(error->text, sizeof error->text, "%.*s: %.*s", (int)used, before, (int)(ERROR_TEXT_MAX - used - 3), old);
    return false;
}

void error_clear(struct error *error)
{
    if (error != NULL)
        *error = (struct error){.code = ERROR_NONE};
}
