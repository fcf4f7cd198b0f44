/*
 * Answers warpcheck's questions about whole kernels with a program of yours (docs/kernel-suite.md).
 *
 *     cc -o answer answer.c && warpcheck fuzz --target kernel --impl 'pipe:./answer COMMAND...'
 *
 * A question is
 *
 *     kernel ENTRY block BLOCK grid GRID n N lines LINES bytes BYTES
 *     LINES lines of PTX
 *     memory and BYTES bytes in hexadecimal digits, one line
 *
 * and its answer one line: `memory` and the bytes that the launch left, `declined WHY`, or `failed WHY`. For each this
 * program calls COMMAND... KERNEL.ptx ENTRY BLOCK GRID N MEMORY, as run.c does. To run kernels in this process instead,
 * write another run_kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct launch {
    char entry[64], ptx[4096], memory[4096];
    unsigned block, grid, n, lines;
    size_t bytes;
};

/* Returns the exit status of the program, which puts what the launch left into the file; -1: it has none. */
static int run_kernel(char **command, int words, struct launch *l)
{
    char block[16], grid[16], n[16], *argv[64];
    int status = -1;
    snprintf(block, sizeof block, "%u", l->block);
    snprintf(grid, sizeof grid, "%u", l->grid);
    snprintf(n, sizeof n, "%u", l->n);
    memcpy(argv, command, (size_t)words * sizeof *argv);
    memcpy(argv + words, (char *[]){l->ptx, l->entry, block, grid, n, l->memory, NULL}, 7 * sizeof *argv);
    const pid_t child = fork();
    if (child == 0) {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* standard output is for answers */
        execvp(argv[0], argv);
        _exit(127);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Puts the question's text and memory into the two files. */
static int take_question(const struct launch *l)
{
    FILE *ptx = fopen(l->ptx, "wb"), *memory = fopen(l->memory, "wb");
    int ok = ptx != NULL && memory != NULL, c = 0;
    unsigned byte = 0;
    for (unsigned line = 0; ok && line < l->lines; line += c == '\n')
        ok = (c = getchar()) != EOF && putc(c, ptx) != EOF;
    ok = ok && scanf("memory%1[ ]", (char[2]){0}) == 1;
    for (size_t n = 0; ok && n < l->bytes; n++)
        ok = scanf("%2x", &byte) == 1 && putc((int)byte, memory) != EOF;
    ok = ok && getchar() == '\n';
    return (ptx == NULL || fclose(ptx) == 0) && (memory == NULL || fclose(memory) == 0) && ok;
}

static void answer(const struct launch *l, int status)
{
    FILE *memory = status == 0 ? fopen(l->memory, "rb") : NULL;
    unsigned char *data = malloc(l->bytes);
    if (memory != NULL && data != NULL && fread(data, 1, l->bytes, memory) == l->bytes) {
        printf("memory ");
        for (size_t n = 0; n < l->bytes; n++)
            printf("%02x", data[n]);
        printf("\n");
    } else {
        printf(status == 77 ? "declined\n" : "failed with status %d\n", status);
    }
    if (memory != NULL)
        fclose(memory);
    free(data);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct launch l;
    const char *folder = getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp";
    snprintf(l.ptx, sizeof l.ptx, "%s/kernel-ptx-XXXXXX", folder);
    snprintf(l.memory, sizeof l.memory, "%s/kernel-memory-XXXXXX", folder);
    if (argc < 2 || argc > 50 || mkstemp(l.ptx) < 0 || mkstemp(l.memory) < 0)
        return fprintf(stderr, "usage: answer COMMAND...\n"), 2;
    while (scanf("kernel %63s block %u grid %u n %u lines %u bytes %zu\n", l.entry, &l.block, &l.grid, &l.n, &l.lines,
                 &l.bytes) == 6 &&
           take_question(&l))
        answer(&l, run_kernel(argv + 1, argc - 1, &l));
    unlink(l.ptx);
    unlink(l.memory);
    return feof(stdin) ? 0 : 1;
}
