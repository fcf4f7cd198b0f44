/*
 * A property of an input by itself: parsers, round trips.
 */
#include "fuzz/report/report.h"

#include <stdio.h>
#include <string.h>

void harness_failure(struct harness *h, const char *name, const char *what, const uint8_t *data, size_t size)
{
    char line[1024];
    const struct finding_entry entry = {name, {"input", data, size}, line, finding_is_open, NULL};
    h->status->mismatches++;
    if (!harness_remember(h, harness_hash(name, strlen(name))) && h->keep_going) {
        h->status->duplicates++;
        return;
    }
    snprintf(line, sizeof line, "%s: %.900s\n", name, what);
    report_keep(h, &entry, NULL);
    report_end_target(h);
}
