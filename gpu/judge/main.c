/* warpcheck-judge PTXAS [FILE]: asks a ptxas about the whole table, prints the differences, and writes its answers to
 * FILE. */
#include "gpu/judge/judge.h"

#include <stdio.h>
#include <stdlib.h>

#define MAP_TEXT_MAX 524288u

static bool ask_all(const char *ptxas, struct judge_map *map, char *error, size_t error_size)
{
    const struct warp_target_info *t;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++) {
        for (size_t j = 0; warp_ptx_get(j) != 0; j++)
            if (!judge_ask(ptxas, warp_ptx_get(j), t->target, &map->verdicts[i][j], error, error_size))
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
    char error[256];
    unsigned differences;
    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: warpcheck-judge PTXAS [FILE]\n");
        return 2;
    }
    if (!judge_version(argv[1], map.assembler, sizeof map.assembler, error, sizeof error) ||
        !ask_all(argv[1], &map, error, sizeof error)) {
        fprintf(stderr, "warpcheck-judge: %s\n", error);
        return 2;
    }
    differences = judge_differences(&map, print_difference, NULL);
    printf("ptxas %s: %u differences\n", map.assembler, differences);
    if (argc == 3) {
        FILE *f = fopen(argv[2], "w");
        const size_t length = judge_write(&map, text, sizeof text);
        if (f == NULL || length >= sizeof text || fwrite(text, 1, length, f) != length || fclose(f) != 0) {
            fprintf(stderr, "warpcheck-judge: cannot write %s\n", argv[2]);
            return 2;
        }
    }
    return differences == 0 ? 0 : 1;
}
