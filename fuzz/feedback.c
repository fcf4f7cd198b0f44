#define _GNU_SOURCE /* dladdr, dl_iterate_phdr */
#include "fuzz/feedback.h"

#include "base/random.h"
#include "check/impl/elf.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAIR_SHOWN 2u         /* times that libFuzzer is shown a pair: it keeps an input for the first */
#define EDGES_MAX  (1u << 18) /* of code under test */

/* The engines' functions; what an engine lacks is the empty one of check/impl/traced.c. */
void __sanitizer_cov_8bit_counters_init(uint8_t *from, uint8_t *to);
void __sanitizer_cov_pcs_init(const uintptr_t *from, const uintptr_t *to);
void __sanitizer_cov_trace_pc_guard_init(uint32_t *from, uint32_t *to);
void __sanitizer_cov_trace_pc_guard(uint32_t *guard);

/* --- comparisons --- */

static struct feedback *noted, *watched; /* NULL: nothing is noted now; no library is watched */
static bool engine_listens = true;       /* to comparisons */

void feedback_keep_from_engine(void)
{
    engine_listens = false;
}

#define FEW 40u /* comparisons of one place that are noted where a call has very many: all of a loop over the lanes */

static uint32_t start_of(uint64_t place)
{
    return (uint32_t)((place * RANDOM_STEP) >> 54); /* 10 bits: FEEDBACK_SITES */
}

static struct feedback_site *find_site(struct feedback *f, uint64_t place)
{
    for (uint32_t probe = 0; probe < 16; probe++) {
        struct feedback_site *const site = &f->sites[(start_of(place) + probe) % FEEDBACK_SITES];
        if (site->place == place)
            return site;
        if (site->place != 0)
            continue;
        site->place = place;
        site->most = FEEDBACK_OFTEN;
        f->order[f->used] = (uint16_t)(site - f->sites);
        f->used++;
        return site;
    }
    return NULL;
}

static inline struct feedback_site *site_of(struct feedback *f, uint64_t place)
{
    struct feedback_site *const first = &f->sites[start_of(place)];
    return first->place == place ? first : find_site(f, place);
}

/* At the site's first comparison of this call. */
static void begin_site(struct feedback *f, struct feedback_site *site, uint8_t bytes)
{
    if (site->left == 0 && site->call != 0 && !site->several)
        site->most = FEW;
    site->several = f->several != 0;
    site->left = site->most;
    site->call = f->calls;
    site->bytes = bytes;
    site->count = site->run = 0;
    memset(site->now, 0, sizeof site->now);
    if (f->here_count < FEEDBACK_SITES)
        f->here[f->here_count++] = (uint16_t)(site - f->sites);
}

static inline void count(const struct feedback *f, struct feedback_site *site, enum feedback_outcome outcome)
{
    if (site->now[outcome]++ == 0)
        site->inputs[outcome] += f->asks == 0;
}

static inline uint64_t apart(struct feedback_pair pair)
{
    return pair.x > pair.y ? pair.x - pair.y : pair.y - pair.x;
}

/* Keeps the first pairs of a call, which are those of the input's own case, and of the others the nearest. `less`: x
 * is, with the sign. For each comparison of the code: it must be quick. */
__attribute__((always_inline)) static inline void note(uint64_t place, uint64_t x, uint64_t y, bool less, uint8_t bytes)
{
    struct feedback *const f = noted;
    struct feedback_site *site;
    if (f == NULL || (site = site_of(f, place)) == NULL)
        return;
    if (site->call != f->calls)
        begin_site(f, site, bytes);
    if (site->left == 0)
        return;
    site->left--;
    if (x == y) {
        count(f, site, FEEDBACK_EQUAL);
        if (site->count == 0 && site->run < UINT8_MAX)
            site->run++;
        if (site->equal < UINT8_MAX)
            site->equal++;
        return;
    }
    count(f, site, x < y ? FEEDBACK_BELOW : FEEDBACK_ABOVE);
    count(f, site, less ? FEEDBACK_LESS : FEEDBACK_GREATER);
    if (site->count < FEEDBACK_PAIRS)
        site->pairs[site->count++] = (struct feedback_pair){x, y};
    else if ((x > y ? x - y : y - x) < apart(site->pairs[FEEDBACK_PAIRS - 1]))
        site->pairs[FEEDBACK_PAIRS - 1] = (struct feedback_pair){x, y};
}

/* Each stands in the place of the engine's function, and calls that. The engine tells comparisons apart by who calls
 * it: the call must be a jump. A constant comes first, and is what the other value should become. */
#define COMPARISON(name, bits, from, to)                                                                               \
    static void (*engine_##name)(uint##bits##_t x, uint##bits##_t y);                                                  \
    static void on_##name(uint##bits##_t x, uint##bits##_t y)                                                          \
    {                                                                                                                  \
        if (noted != NULL)                                                                                             \
            note((uint64_t)(uintptr_t)__builtin_return_address(0), from, to,                                           \
                 (int##bits##_t)(from) < (int##bits##_t)(to), bits / 8);                                               \
        if (engine_listens)                                                                                            \
            engine_##name(x, y);                                                                                       \
    }
COMPARISON(trace_cmp1, 8, x, y)
COMPARISON(trace_cmp2, 16, x, y)
COMPARISON(trace_cmp4, 32, x, y)
COMPARISON(trace_cmp8, 64, x, y)
COMPARISON(trace_const_cmp1, 8, y, x)
COMPARISON(trace_const_cmp2, 16, y, x)
COMPARISON(trace_const_cmp4, 32, y, x)
COMPARISON(trace_const_cmp8, 64, y, x)

static void note_switch(uint64_t place, uint64_t x, uint64_t y, uint8_t bytes)
{
    note(place, x, y, x < y, bytes);
}

/* cases[0]: how many there are, cases[1]: the bits of a value, then they. One of them is noted, another each time. */
static void (*engine_trace_switch)(uint64_t x, const uint64_t *cases);
static void on_trace_switch(uint64_t x, const uint64_t *cases)
{
    static uint64_t turn;
    if (cases[0] > 0)
        note_switch((uint64_t)(uintptr_t)__builtin_return_address(0), x, cases[2 + turn++ % cases[0]],
                    (uint8_t)(cases[1] / 8));
    if (engine_listens)
        engine_trace_switch(x, cases);
}

/* Words up to the first that differs, which a case may hold. */
#define COMPARED(name)                                                                                                 \
    static int (*engine_##name)(const void *x, const void *y, size_t size);                                            \
    static int on_##name(const void *x, const void *y, size_t size)                                                    \
    {                                                                                                                  \
        note_memory((uint64_t)(uintptr_t)__builtin_return_address(0), x, y, size);                                     \
        return engine_##name(x, y, size);                                                                              \
    }
static void note_memory(uint64_t place, const unsigned char *x, const unsigned char *y, size_t size)
{
    for (size_t at = 0; noted != NULL && at + 4 <= size; at += 4) {
        uint32_t one, other;
        memcpy(&one, x + at, sizeof one);
        memcpy(&other, y + at, sizeof other);
        note(place, one, other, (int32_t)one < (int32_t)other, sizeof one);
        if (one != other)
            return;
    }
}
COMPARED(memcmp)
COMPARED(bcmp)

/* --- into the library's calls --- */

#define REPLACED_BY(name, prefix)                                                                                      \
    {                                                                                                                  \
        prefix #name, (void *)&engine_##name, sizeof engine_##name, (uintptr_t)&on_##name                              \
    }
#define REPLACED(name) REPLACED_BY(name, "__sanitizer_cov_")
static const struct replaced {
    const char *name;
    void *engine; /* a pointer to a function: what the library would have called */
    size_t size;
    uintptr_t own;
} replaced[] = {REPLACED(trace_cmp1),       REPLACED(trace_cmp2),       REPLACED(trace_cmp4),
                REPLACED(trace_cmp8),       REPLACED(trace_const_cmp1), REPLACED(trace_const_cmp2),
                REPLACED(trace_const_cmp4), REPLACED(trace_const_cmp8), REPLACED(trace_switch),
                REPLACED_BY(memcmp, ""),    REPLACED_BY(bcmp, "")};

#if defined __x86_64__
#define CALLED_SLOT  R_X86_64_JUMP_SLOT
#define ADDRESS_SLOT R_X86_64_GLOB_DAT
#elif defined __aarch64__
#define CALLED_SLOT  R_AARCH64_JUMP_SLOT
#define ADDRESS_SLOT R_AARCH64_GLOB_DAT
#endif

#ifdef CALLED_SLOT
/* The linker has made the slot read-only when all of the library was bound. */
static bool write_slot(uintptr_t *slot, uintptr_t value)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const uintptr_t from = (uintptr_t)slot / page * page;
    if (mprotect((void *)from, page, PROT_READ | PROT_WRITE) != 0)
        return false;
    *slot = value;
    return true;
}

static void replace(uintptr_t *slot, const char *name)
{
    for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++) {
        const struct replaced *const r = &replaced[i];
        const uintptr_t before = *slot;
        if (strcmp(name, r->name) != 0 || before == r->own)
            continue;
        memcpy(r->engine, &before, r->size);
        write_slot(slot, r->own);
    }
}

static void replace_all(uintptr_t base, const ElfW(Rela) * slots, size_t count, const ElfW(Sym) * symbols,
                        const char *names)
{
    for (size_t i = 0; i < count; i++)
        if (ELF64_R_TYPE(slots[i].r_info) == CALLED_SLOT || ELF64_R_TYPE(slots[i].r_info) == ADDRESS_SLOT)
            replace((uintptr_t *)(base + slots[i].r_offset), names + symbols[ELF64_R_SYM(slots[i].r_info)].st_name);
}

static int look_at_library(struct dl_phdr_info *library, size_t size, void *base)
{
    const ElfW(Dyn) *entry = NULL;
    uintptr_t at[DT_NUM] = {0};
    (void)size;
    if (library->dlpi_addr != (uintptr_t)base)
        return 0;
    for (size_t i = 0; i < library->dlpi_phnum; i++)
        if (library->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(library->dlpi_addr + library->dlpi_phdr[i].p_vaddr);
    for (; entry != NULL && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag >= 0 && entry->d_tag < DT_NUM)
            at[entry->d_tag] = (uintptr_t)entry->d_un.d_ptr;
    if (at[DT_SYMTAB] == 0 || at[DT_STRTAB] == 0)
        return 1;
    replace_all(library->dlpi_addr, (const ElfW(Rela) *)at[DT_JMPREL], at[DT_PLTRELSZ] / sizeof(ElfW(Rela)),
                (const ElfW(Sym) *)at[DT_SYMTAB], (const char *)at[DT_STRTAB]);
    replace_all(library->dlpi_addr, (const ElfW(Rela) *)at[DT_RELA], at[DT_RELASZ] / sizeof(ElfW(Rela)),
                (const ElfW(Sym) *)at[DT_SYMTAB], (const char *)at[DT_STRTAB]);
    return 1;
}

void feedback_watch(const struct warp_impl *impl, struct feedback *to)
{
    Dl_info about;
    uintptr_t code;
    memcpy(&code, &impl->eval, sizeof code);
    watched = to;
    if (dladdr((void *)code, &about) != 0)
        dl_iterate_phdr(look_at_library, about.dli_fbase);
}
#else
void feedback_watch(const struct warp_impl *impl, struct feedback *to)
{
    (void)impl, (void)to, (void)replaced;
}
#endif

/* --- edges --- */

__attribute__((weak)) int __afl_persistent_loop(unsigned int); /* AFL++ has it */

/* Does AFL++ execute this process? Alone, a target of AFL++ ends at guards that come after its start. */
static bool afl_executes(void)
{
    return __afl_persistent_loop != NULL && getenv("__AFL_SHM_ID") != NULL;
}

/* libFuzzer ends a process one of whose libraries has counters and no places of code, or places without counters. Flags
 * of compilers may give either, and the names of calls alone. */
#define SECTION_COUNTERS "__sancov_cntrs"
#define SECTION_PLACES   "__sancov_pcs"
#define SECTION_GUARDS   "__sancov_guards"

/* Has the library that this address belongs to such a section? */
static bool has_section(const void *address, const char *name)
{
    Dl_info about;
    uint64_t at;
    return dladdr(address, &about) != 0 && elf_section(about.dli_fname, name, &at) > 0;
}

/* A place for each of n counters, the first of which is `first`. */
static void make_places(const uint8_t *first, size_t n)
{
    uintptr_t *const places = calloc(2 * n, sizeof *places);
    for (size_t i = 0; places != NULL && i < n; i++)
        places[2 * i] = (uintptr_t)(first + i);
    if (places != NULL)
        __sanitizer_cov_pcs_init(places, places + 2 * n);
}

static uint8_t guard_counters[EDGES_MAX];
static uintptr_t guard_places[2 * EDGES_MAX];
static uint32_t guards;

#define CALLS_COUNTED (1u << 14)
static uint8_t call_counters[CALLS_COUNTED]; /* of __sanitizer_cov_trace_pc, by where it is called from */

void warpcheck_place(void);
void warpcheck_place(void)
{
    const uint64_t place = (uintptr_t)__builtin_return_address(0);
    call_counters[(place * RANDOM_STEP) >> 50]++; /* 14 bits */
}

void feedback_complete(const struct warp_impl *impl)
{
    Dl_info about;
    uintptr_t code;
    uint64_t at, bytes;
    memcpy(&code, &impl->eval, sizeof code);
    if (afl_executes() || dladdr((void *)code, &about) == 0)
        return;
    const uint64_t places = elf_section(about.dli_fname, SECTION_PLACES, &at) / (2 * sizeof(uintptr_t));
    const bool guarded = elf_section(about.dli_fname, SECTION_GUARDS, &at) > 0;
    bytes = elf_section(about.dli_fname, SECTION_COUNTERS, &at);
    if (bytes > 0 && places == 0)
        make_places((const uint8_t *)about.dli_fbase + at, bytes);
    if (bytes == 0 && !guarded && places > 0 && places <= EDGES_MAX - guards) {
        __sanitizer_cov_8bit_counters_init(guard_counters + guards, guard_counters + guards + places);
        guards += (uint32_t)places;
    }
    if (elf_calls(about.dli_fname, "__sanitizer_cov_trace_pc")) {
        __sanitizer_cov_8bit_counters_init(call_counters, call_counters + CALLS_COUNTED);
        make_places(call_counters, CALLS_COUNTED);
    }
}

/* Guards for libFuzzer: a counter and a place for each. The build makes libraries call these two functions in the
 * place of the engine's, which ends the process (fuzz/CMakeLists.txt). */
void warpcheck_guards(uint32_t *from, uint32_t *to);
void warpcheck_guards(uint32_t *from, uint32_t *to)
{
    const uint32_t before = guards, *const end = to;
    if (from == to || *from != 0)
        return;
    for (; from < to && guards < EDGES_MAX; from++) {
        guard_places[2 * guards] = (uintptr_t)from;
        *from = ++guards;
    }
    __sanitizer_cov_8bit_counters_init(guard_counters + before, guard_counters + guards);
    if (!has_section(end - 1, SECTION_PLACES)) /* else the library tells them itself */
        __sanitizer_cov_pcs_init(guard_places + 2 * before, guard_places + 2 * guards);
}

void warpcheck_guard(const uint32_t *guard);
void warpcheck_guard(const uint32_t *guard)
{
    if (*guard != 0)
        guard_counters[*guard - 1]++;
}

/* Counters for AFL++: a guard for each, which is told of after the call. */
static struct {
    uint8_t *from;
    uint32_t count, *guards;
} counted[16];
static size_t counted_count;

__attribute__((weak)) void __sanitizer_cov_8bit_counters_init(uint8_t *from, uint8_t *to)
{
    const size_t n = (size_t)(to - from);
    uint32_t *const own = n > 0 && n < EDGES_MAX && counted_count < 16 ? calloc(n, sizeof *own) : NULL;
    if (own == NULL || !afl_executes()) {
        free(own);
        return;
    }
    __sanitizer_cov_trace_pc_guard_init(own, own + n);
    counted[counted_count].from = from;
    counted[counted_count].count = (uint32_t)n;
    counted[counted_count++].guards = own;
}

/* Pairs. libFuzzer takes this section for counters of the user's own, and tells eight counts of each apart: so it holds
 * eight pairs, of which a case has one. It clears and reads all of them for each input. AFL++ gets a guard each. */
#ifdef __ELF__
__attribute__((section("__libfuzzer_extra_counters")))
#endif
static volatile uint8_t pair_counters[COVERAGE_PAIRS / 8]; /* read by the engine alone */
static uint32_t pair_guards[COVERAGE_PAIRS];

void feedback_start(void)
{
    if (afl_executes())
        __sanitizer_cov_trace_pc_guard_init(pair_guards, pair_guards + COVERAGE_PAIRS);
}

void feedback_pairs(const uint16_t pairs[COVERAGE_PAIRS_OF_CASE], bool always)
{
    static const uint8_t counts[8] = {1, 2, 3, 4, 8, 16, 32, 128};
    static uint8_t shown[COVERAGE_PAIRS];
    for (unsigned i = 0; i < COVERAGE_PAIRS_OF_CASE; i++) {
        const unsigned pair = pairs[i];
        if (!always && shown[pair] == PAIR_SHOWN)
            continue;
        shown[pair] += !always;
        pair_counters[pair / 8] = counts[pair % 8];
        if (__afl_persistent_loop != NULL)
            __sanitizer_cov_trace_pc_guard(&pair_guards[pair]);
    }
}

static void begin(struct feedback *to)
{
    to->calls++;
    to->here_count = to->several = 0;
    noted = watched;
}

static bool listened; /* before the mutator asked */

void feedback_ask(struct feedback *to, bool several)
{
    listened = engine_listens;
    engine_listens = false;
    to->asks = 1;
    begin(to);
    to->several = several;
}

void feedback_asked(void)
{
    watched->asks = 0;
    noted = NULL;
    engine_listens = listened;
}

void feedback_begin(struct feedback *to)
{
    begin(to);
    to->inputs++;
    for (size_t i = 0; i < counted_count; i++)
        memset(counted[i].from, 0, counted[i].count);
}

void feedback_is_enough(void)
{
    noted = NULL;
}

void feedback_goes_on(void)
{
    noted = watched;
    if (watched != NULL)
        watched->several = 1;
}

void feedback_end(void)
{
    noted = NULL;
    for (size_t i = 0; i < counted_count; i++)
        for (uint32_t k = 0; k < counted[i].count; k++)
            for (unsigned times = counted[i].from[k]; times > 0; times >>= 1) /* AFL++ counts in powers of two too */
                __sanitizer_cov_trace_pc_guard(&counted[i].guards[k]);
}
