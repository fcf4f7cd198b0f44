/* warpcheck-judge PTXAS [FILE]: asks a ptxas about the whole table, prints the differences, and writes its answers to
 * FILE. */
#include "base/file.h"
#include "gpu/judge.h"

#include <stdio.h>
#include <stdlib.h>

#define MAP_TEXT_MAX 524288u

static bool ask_all(const char *ptxas, struct judge_map *map, struct error *error)
{
    const struct warp_target_info *t;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++) {
        for (size_t j = 0; warp_ptx_get(j) != 0; j++)
            if (!judge_ask(ptxas, warp_ptx_get(j), t->target, &map->verdicts[i][j], error))
                return false;
        fprintf(stderr, "%s\n", t->name);
    }
    return true;
}

static void print_difference(void *context, const struct warp_form_info *info, uint32_t dst, uint16_t ptx,
                             const struct warp_target_info *target, bool expected)
{
    (void)context;
    printf("%s %s, PTX %d.%d, %s: the table says %s, ptxas %s\n", info->name, warp_dst_name(dst), ptx / 10, ptx % 10,
           target->name, expected ? "legal" : "illegal", expected ? "refuses it" : "accepts it");
}

int main(int argc, char **argv)
{
    static struct judge_map map;
    static char text[MAP_TEXT_MAX];
    struct error error;
    unsigned differences;
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: warpcheck-judge PTXAS [FILE]\n");
        return 2;
    }
    if (!judge_version(argv[1], map.assembler, sizeof map.assembler, &error) || !ask_all(argv[1], &map, &error)) {
        fprintf(stderr, "warpcheck-judge: %s\n", error.text);
        return 2;
    }
    differences = judge_differences(&map, print_difference, NULL);
    printf("ptxas %s: %u differences\n", map.assembler, differences);
    if (argc == 3) {
        const size_t length = judge_write(&map, text, sizeof text);
        if (!file_write(argv[2], text, length, &error)) {
            fprintf(stderr, "warpcheck-judge: %s\n", error.text);
            return 2;
        }
    }
    return differences == 0 ? 0 : 1;
}
