/*
 * The other end of a pipe: answers cases by the transcription, in one of several ways to behave or misbehave.
 */
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[4 * WARP_TEXT_MAX];
static char answer[4 * WARP_TEXT_MAX];
static struct warp_text text;
static uint64_t number; /* of the case, from 1 */

static uint32_t flipped; /* bits of every d that are wrong */

static void answer_case(const char *prefix, uint32_t parts)
{
    struct warp_result r;
    struct warp_text_error error;
    if (!warp_text_parse(line, strlen(line), &text, &error)) {
        fprintf(stderr, "pipe_peer: column %zu: %s\n", error.column, error.what);
        exit(3);
    }
    spec_get()->eval(spec_get()->state, &text.c, 1, &r, NULL, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        r.d[lane] ^= flipped;
    warp_result_to_text(&r, parts, answer, sizeof answer);
    printf("%s=> %s\n", prefix, answer);
}

static void refuse_vote(void)
{
    if (strstr(line, "vote") != NULL)
        puts("not accepted: no vote here");
    else
        answer_case("", WARP_PART_ALL);
}

/* Refuses a form only after having answered many of its cases. */
static void refuse_later(void)
{
    if (number > 200 && number % 50 == 0)
        puts("not accepted: tired");
    else
        answer_case("", WARP_PART_ALL);
}

static void wrong_when_wide(void)
{
    struct warp_text_error error;
    warp_text_parse(line, strlen(line), &text, &error);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((text.c.active >> lane & 1u) && text.c.b[lane] > 31) {
            puts("=> d=0*32 p=0 d_defined=0xffffffff done=0xffffffff waiting=0 undefined=0 waits_for=0*32");
            return;
        }
    answer_case("", WARP_PART_ALL);
}

/* Wrong where the call before had a large value in lane 0. */
static void keep_value(void)
{
    static bool was_large;
    flipped = was_large;
    answer_case("", WARP_PART_D | WARP_PART_P);
    was_large = text.c.a[0] > 100;
}

static void endless_line(void)
{
    for (;;)
        fputs("=> d=0 ", stdout);
}

static void act(const char *mode)
{
    char other[sizeof line + 1];
    if (strcmp(mode, "repeat") == 0) {
        snprintf(other, sizeof other, "%s ", line);
        answer_case(other, WARP_PART_ALL);
    } else if (strcmp(mode, "d-and-p") == 0) {
        answer_case("", WARP_PART_D | WARP_PART_P);
    } else if (strcmp(mode, "loses-p") == 0) {
        answer_case("", number == 1 ? WARP_PART_D | WARP_PART_P : WARP_PART_D);
    } else if (strcmp(mode, "refuse-vote") == 0) {
        refuse_vote();
    } else if (strcmp(mode, "refuse-later") == 0) {
        refuse_later();
    } else if (strcmp(mode, "wide") == 0) {
        wrong_when_wide();
    } else if (strcmp(mode, "keeps") == 0) {
        keep_value();
    } else if (strcmp(mode, "counts") == 0) {
        printf("=> d=%u*32\n", (unsigned)number);
    } else if (strcmp(mode, "garbage") == 0) {
        puts(number < 3 ? "=> d=0*32" : "segmentation fault, sort of");
    } else if (strcmp(mode, "bad-part") == 0) {
        puts("=> e=0");
    } else if (strcmp(mode, "other-case") == 0) {
        answer_case("warp1 activemask.b32 d target=sm_70 exited=0x0 active=0x1 ", WARP_PART_D);
    } else if (strcmp(mode, "twice") == 0) {
        answer_case("", WARP_PART_ALL);
        answer_case("", WARP_PART_ALL);
    } else if (strcmp(mode, "endless") == 0) {
        endless_line();
    } else if (strcmp(mode, "dies") == 0 && number == 5) {
        exit(9);
    } else if (strcmp(mode, "aborts") == 0 && number == 5) {
        abort();
    } else if (strcmp(mode, "silent") != 0) {
        answer_case("", WARP_PART_ALL);
    }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "good";
    while (fgets(line, sizeof line, stdin) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        number++;
        act(mode);
        fflush(stdout);
    }
    return 0;
}
