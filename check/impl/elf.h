/*
 * What the file of a plugin tells without being loaded: whether it was compiled for coverage, and the words that stand
 * in it. A fuzzer tries these words, for a case on which an implementation goes wrong may be a constant in its code.
 */
#ifndef WARPCHECK_CHECK_IMPL_ELF_H
#define WARPCHECK_CHECK_IMPL_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Does it call what compilers insert with -fsanitize=fuzzer-no-link or -fsanitize-coverage=...? False also of a file
 * that cannot be read. */
bool elf_is_traced(const char *path);

/* Does this text stand among the names that are linked at run time? False also of a file that cannot be read. */
bool elf_has_name(const char *path, const char *name);

/* Is it one of these names, to its end? */
bool elf_calls(const char *path, const char *name);

/* How many bytes a section has in memory, and where, from where the file is loaded. 0: there is none; also of a file
 * that cannot be read. */
uint64_t elf_section(const char *path, const char *name, uint64_t *at);

/*
 * Writes the 32-bit words of its data and, of x86-64 and AArch64, the constants in its instructions, each once and
 * without small numbers; `most` at most. Among them are words that are none: instructions are not decoded in order.
 * Returns how many; 0 also of a file that cannot be read or is no 64-bit ELF file of this byte order.
 */
size_t elf_words(const char *path, uint32_t *words, size_t most);

#endif
