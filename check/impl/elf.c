#define _GNU_SOURCE /* memmem */
#include "check/impl/elf.h"

#include "base/file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MAX    ((size_t)1 << 32) /* what debuggers want included; no larger file is loaded */
#define SMALL       256u              /* numbers below it, and above minus it, are tried anyway */
#define HASH_SLOTS  8192u             /* of the words that were met; a power of two */
#define HASH_FILLED (HASH_SLOTS / 2)

struct elf {
    char *bytes;
    size_t size;
    const Elf64_Ehdr *header;
    const Elf64_Shdr *sections;
};

/* The words so far. */
struct words {
    uint32_t *list;
    size_t count, most;
    uint32_t slots[HASH_SLOTS]; /* 0: empty */
};

static bool elf_read(struct elf *elf, const char *path)
{
    const uint16_t one = 1;
    const unsigned char order = *(const unsigned char *)&one == 1 ? ELFDATA2LSB : ELFDATA2MSB;
    elf->bytes = file_read(path, FILE_MAX, &elf->size, NULL);
    elf->header = (const Elf64_Ehdr *)(const void *)elf->bytes;
    if (elf->bytes != NULL && elf->size >= sizeof *elf->header && memcmp(elf->header->e_ident, ELFMAG, SELFMAG) == 0 &&
        elf->header->e_ident[EI_CLASS] == ELFCLASS64 && elf->header->e_ident[EI_DATA] == order &&
        elf->header->e_shentsize == sizeof *elf->sections && elf->header->e_shoff % sizeof(uint64_t) == 0 &&
        elf->header->e_shoff <= elf->size &&
        (elf->size - elf->header->e_shoff) / sizeof *elf->sections >= elf->header->e_shnum) {
        elf->sections = (const Elf64_Shdr *)(const void *)(elf->bytes + elf->header->e_shoff);
        return true;
    }
    free(elf->bytes);
    return false;
}

/* The bytes of a section that lie in the file; NULL: none. */
static const uint8_t *section_bytes(const struct elf *elf, unsigned i, size_t *size)
{
    const Elf64_Shdr *const s = &elf->sections[i];
    *size = (size_t)s->sh_size;
    if (s->sh_type == SHT_NOBITS || s->sh_offset > elf->size || s->sh_size > elf->size - s->sh_offset)
        return NULL;
    return (const uint8_t *)elf->bytes + s->sh_offset;
}

/* The name of a section; it may end after `*room` bytes without a 0. */
static const char *section_name(const struct elf *elf, const Elf64_Shdr *s, size_t *room)
{
    size_t size;
    const uint8_t *const names =
        elf->header->e_shstrndx < elf->header->e_shnum ? section_bytes(elf, elf->header->e_shstrndx, &size) : NULL;
    *room = names != NULL && s->sh_name < size ? size - s->sh_name : 0;
    return *room > 0 ? (const char *)names + s->sh_name : "";
}

uint64_t elf_section(const char *path, const char *name, uint64_t *at)
{
    struct elf elf;
    uint64_t bytes = 0;
    size_t room;
    *at = 0;
    if (!elf_read(&elf, path))
        return 0;
    for (unsigned i = 0; i < elf.header->e_shnum && bytes == 0; i++) {
        const Elf64_Shdr *const s = &elf.sections[i];
        const char *const its = section_name(&elf, s, &room);
        if (!(s->sh_flags & SHF_ALLOC) || room <= strlen(name) || strcmp(its, name) != 0)
            continue;
        bytes = s->sh_size;
        *at = s->sh_addr;
    }
    free(elf.bytes);
    return bytes;
}

/* Does the section hold code, or data of the program's own? Not tables for linkers, debuggers and exceptions. */
static bool is_own(const struct elf *elf, const Elf64_Shdr *s)
{
    size_t room;
    const char *const name = section_name(elf, s, &room);
    if (s->sh_type != SHT_PROGBITS || !(s->sh_flags & SHF_ALLOC))
        return false;
    return (s->sh_flags & SHF_EXECINSTR) || (room > 7 && strncmp(name, ".rodata", 7) == 0) ||
           (room > 5 && strncmp(name, ".data", 5) == 0);
}

bool elf_is_traced(const char *path)
{
    return elf_has_name(path, "__sanitizer_cov_");
}

static bool has_text(const char *path, const char *text, size_t length)
{
    struct elf elf;
    bool found = false;
    size_t size;
    if (!elf_read(&elf, path))
        return false;
    for (unsigned i = 0; i < elf.header->e_shnum && !found; i++) {
        const uint8_t *const bytes = section_bytes(&elf, i, &size);
        /* The names of static symbols are not loaded. */
        found = bytes != NULL && elf.sections[i].sh_type == SHT_STRTAB && (elf.sections[i].sh_flags & SHF_ALLOC) &&
                memmem(bytes, size, text, length) != NULL;
    }
    free(elf.bytes);
    return found;
}

bool elf_has_name(const char *path, const char *name)
{
    return has_text(path, name, strlen(name));
}

bool elf_calls(const char *path, const char *name)
{
    return has_text(path, name, strlen(name) + 1);
}

static void add_word(struct words *w, uint32_t word)
{
    uint32_t at = (word * 2654435761u) >> 19; /* the top 13 bits: HASH_SLOTS */
    if (word < SMALL || word > UINT32_MAX - SMALL || w->count == w->most || w->count == HASH_FILLED)
        return;
    for (; w->slots[at] != 0; at = (at + 1) % HASH_SLOTS)
        if (w->slots[at] == word)
            return;
    w->slots[at] = word;
    w->list[w->count++] = word;
}

static uint32_t word_at(const uint8_t *bytes)
{
    uint32_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static void add_data(struct words *w, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4)
        add_word(w, word_at(bytes + i));
}

/* How many bytes stand between an x86-64 ModRM byte and the constant behind it. */
static size_t behind_modrm(const uint8_t *modrm)
{
    const unsigned mode = *modrm >> 6, base = *modrm & 7u;
    const size_t sib = mode != 3 && base == 4;
    if (mode == 3)
        return 0;
    if (mode == 1)
        return sib + 1;
    if (mode == 2)
        return sib + 4;
    return sib + (base == 5 || (sib && (modrm[1] & 7u) == 5) ? 4 : 0);
}

/* Every byte may begin an instruction. */
static void add_x86(struct words *w, const uint8_t *code, size_t size)
{
    for (size_t i = 0; i + 16 <= size; i++) {
        const uint8_t op = code[i], group = code[i + 1] >> 3 & 7u;
        const bool plain = (op & 0xc7u) == 0x05 || op == 0xa9 || op == 0x68 || (op & 0xf8u) == 0xb8;
        const bool wide = (op & 0xf8u) == 0xb8 && i > 0 && (code[i - 1] & 0xf8u) == 0x48; /* mov of 64 bits */
        const bool modrm = op == 0x81 || op == 0x69 || ((op == 0xc7 || op == 0xf7) && group == 0);
        const bool address = op == 0x8d && code[i + 1] >> 6 == 2; /* lea, with which compilers add and subtract */
        if (plain)
            add_word(w, word_at(code + i + 1));
        if (wide)
            add_word(w, word_at(code + i + 5));
        if (modrm)
            add_word(w, word_at(code + i + 2 + behind_modrm(code + i + 1)));
        if (address) {
            const uint32_t far = word_at(code + i + 2 + ((code[i + 1] & 7u) == 4));
            add_word(w, far);
            add_word(w, 0u - far);
        }
    }
}

/* movz and movk, which make a constant of two halves. */
static void add_arm(struct words *w, const uint8_t *code, size_t size)
{
    uint32_t low[32] = {0};
    for (size_t i = 0; i + 4 <= size; i += 4) {
        const uint32_t op = word_at(code + i), to = op & 31u, half = op >> 5 & 0xffffu;
        if ((op & 0x7fe00000u) == 0x52800000u) /* movz, low half */
            low[to] = half;
        if ((op & 0x7fe00000u) == 0x72a00000u || (op & 0x7fe00000u) == 0x52a00000u) /* movk or movz, high half */
            add_word(w, half << 16 | ((op & 0x20000000u) ? low[to] : 0));
    }
    add_data(w, code, size); /* constants that lie among the instructions */
}

size_t elf_words(const char *path, uint32_t *words, size_t most)
{
    static struct words w;
    struct elf elf;
    size_t size;
    w = (struct words){.list = words, .most = most};
    if (!elf_read(&elf, path))
        return 0;
    for (unsigned pass = 0; pass < 2; pass++) /* instructions first: data may be long */
        for (unsigned i = 0; i < elf.header->e_shnum; i++) {
            const Elf64_Shdr *const s = &elf.sections[i];
            const uint8_t *const bytes = section_bytes(&elf, i, &size);
            const bool is_code = (s->sh_flags & SHF_EXECINSTR) != 0;
            if (bytes == NULL || !is_own(&elf, s) || is_code != (pass == 0))
                continue;
            if (!is_code)
                add_data(&w, bytes, size);
            else if (elf.header->e_machine == EM_X86_64)
                add_x86(&w, bytes, size);
            else if (elf.header->e_machine == EM_AARCH64)
                add_arm(&w, bytes, size);
        }
    free(elf.bytes);
    return w.count;
}
