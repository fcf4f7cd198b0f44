/*
 * Runs a suite of `warpcheck gen kernel` over a program of yours (docs/kernel-suite.md).
 *
 *     cc -o run run.c && ./run SUITE COMMAND...
 *
 * For each kernel it calls
 *
 *     COMMAND... KERNEL.ptx ENTRY BLOCK GRID N MEMORY
 *
 * The program launches ENTRY(pointer to the memory, N) with GRID blocks of BLOCK threads. MEMORY is a file that holds
 * the memory before the launch; the program puts into it what the launch left, and ends with status 0. Status 77 says
 * that it does not take this kernel; after 60 seconds it is ended. To run kernels in this process instead, write
 * another run_kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct launch {
    char entry[64], ptx[4096];
    unsigned block, grid, n;
    size_t bytes;
};
enum { RAN, DECLINED, FAILED, SECONDS = 60 };

static int read_file(const char *path, long offset, unsigned char *data, size_t bytes)
{
    FILE *f = fopen(path, "rb");
    int ok = f != NULL && fseek(f, offset, SEEK_SET) == 0 && fread(data, 1, bytes, f) == bytes;
    if (f != NULL)
        fclose(f);
    return ok;
}

/* Launches the kernel on `memory`, which holds afterwards what it left. */
static int run_kernel(char **command, int words, const struct launch *l, const char *scratch, unsigned char *memory)
{
    char block[16], grid[16], n[16], *argv[64];
    FILE *f = fopen(scratch, "wb");
    int status = -1;
    if (f == NULL || fwrite(memory, 1, l->bytes, f) != l->bytes || fclose(f) != 0)
        return FAILED;
    snprintf(block, sizeof block, "%u", l->block);
    snprintf(grid, sizeof grid, "%u", l->grid);
    snprintf(n, sizeof n, "%u", l->n);
    memcpy(argv, command, (size_t)words * sizeof *argv);
    memcpy(argv + words, (char *[]){(char *)l->ptx, (char *)l->entry, block, grid, n, (char *)scratch, NULL},
           7 * sizeof *argv);
    pid_t child = fork();
    if (child == 0) {
        alarm(SECONDS); /* it stays set in the program: one that hangs fails */
        execvp(argv[0], argv);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) == 127)
        return FAILED;
    if (WEXITSTATUS(status) == 77)
        return DECLINED;
    return WEXITSTATUS(status) == 0 && read_file(scratch, 0, memory, l->bytes) ? RAN : FAILED;
}

int main(int argc, char **argv)
{
    char manifest[4096], binary[4096], line[8192], file[2048], scratch[] = "/tmp/kernel-suite-XXXXXX";
    unsigned long offset, agree = 0, differ = 0, failed = 0, declined = 0;
    if (argc < 3 || argc > 50 || mkstemp(scratch) < 0)
        return fprintf(stderr, "usage: run SUITE COMMAND...\n"), 2;
    snprintf(manifest, sizeof manifest, "%s/manifest.txt", argv[1]);
    snprintf(binary, sizeof binary, "%s/memory.bin", argv[1]);
    FILE *f = fopen(manifest, "r");
    if (f == NULL)
        return fprintf(stderr, "%s: cannot be read\n", manifest), 2;
    for (struct launch l; fgets(line, sizeof line, f) != NULL;) {
        if (sscanf(line, "kernel %63s %2047s block %u grid %u n %u bytes %zu offset %lu", l.entry, file, &l.block,
                   &l.grid, &l.n, &l.bytes, &offset) != 7)
            continue; /* a comment */
        unsigned char *memory = malloc(l.bytes), *expected = malloc(l.bytes);
        snprintf(l.ptx, sizeof l.ptx, "%.2000s/%s", argv[1], file);
        if (!memory || !expected || !read_file(binary, (long)offset, memory, l.bytes) ||
            !read_file(binary, (long)(offset + l.bytes), expected, l.bytes))
            return fprintf(stderr, "%s: cannot be read\n", binary), 2;
        int ended = run_kernel(argv + 2, argc - 2, &l, scratch, memory);
        size_t at = 0;
        while (ended == RAN && at < l.bytes && memory[at] == expected[at])
            at++;
        agree += ended == RAN && at == l.bytes;
        differ += ended == RAN && at < l.bytes;
        failed += ended == FAILED;
        declined += ended == DECLINED;
        if (ended == FAILED || (ended == RAN && at < l.bytes))
            printf("%s: %s at byte %zu: %s\n", l.entry, ended == RAN ? "DIFFERS" : "FAILED", at, l.ptx);
        free(memory);
        free(expected);
    }
    unlink(scratch);
    printf("%lu agree, %lu differ, %lu failed, %lu declined\n", agree, differ, failed, declined);
    return agree > 0 && differ + failed == 0 ? 0 : 1;
}
