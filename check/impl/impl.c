#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "check/impl/impl.h"

#include "base/process.h"
#include "check/impl/child.h"
#include "check/impl/foreign.h"
#include "check/impl/inside.h"
#include "check/impl/library.h"
#include "check/impl/pipe.h"
#include "check/impl/fast_batch.h"
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PIPE_TIMEOUT_MS 10000u
#define PROVIDERS_MAX   8u
#define VERSION_S       10.0 /* that an assembler may take to say its version */

/* What was opened and is not built in. */
struct opened {
    const struct warp_impl *impl;
    enum impl_kind kind;
    struct foreign *foreign; /* in a process of its own; or */
    struct library library;  /* in this process, behind this; or neither */
    struct inside *inside;
    unsigned times; /* that it is open: a device is shared */
    struct opened *next;
};
static struct opened *all_opened;
static struct impl_provider providers[PROVIDERS_MAX];
static size_t providers_count;

void impl_provide(const struct impl_provider *from, size_t count)
{
    for (size_t i = 0; i < count && providers_count < PROVIDERS_MAX; i++)
        providers[providers_count++] = from[i];
}

static const struct impl_provider *provider_of(enum impl_kind kind)
{
    for (size_t i = 0; i < providers_count; i++)
        if (providers[i].kind == kind)
            return &providers[i];
    return NULL;
}

/* --- what is built in --- */

static bool set_entry(struct impl_entry *entry, enum impl_kind kind, const char *name, const char *description)
{
    entry->kind = kind;
    entry->name = name;
    entry->description = description;
    entry->available = true;
    return true;
}

static size_t count_variants(void)
{
    struct fast_variant variant;
    size_t n = 0;
    while (fast_variant_get(n, &variant))
        n++;
    return n;
}

static bool set_variant(struct impl_entry *entry, size_t i)
{
    struct fast_variant variant;
    fast_variant_get(i, &variant);
    set_entry(entry, IMPL_FAST, variant.name, variant.description);
    entry->available = variant.impl != NULL;
    if (!entry->available)
        snprintf(entry->why, sizeof entry->why, "%s", variant.unavailable);
    return true;
}

static bool set_provided(struct impl_entry *entry, enum impl_kind kind, const char *name)
{
    const struct impl_provider *const p = provider_of(kind);
    set_entry(entry, kind, name, p != NULL ? p->description : "");
    entry->available = p != NULL && p->open != NULL;
    if (!entry->available)
        snprintf(entry->why, sizeof entry->why, "%s",
                 p != NULL && p->unavailable != NULL ? p->unavailable : "not in this program");
    return true;
}

bool impl_list(size_t i, struct impl_entry *entry)
{
    const size_t variants = count_variants();
    memset(entry, 0, sizeof *entry);
    if (i == 0)
        return set_entry(entry, IMPL_SPEC, "spec", spec_get()->description);
    if (i == 1)
        return set_entry(entry, IMPL_FAST, "fast", fast_get()->description);
    if (i < 2 + variants)
        return set_variant(entry, i - 2);
    if (i == 2 + variants)
        return set_entry(entry, IMPL_FAST_ALL, "fast-all", "every variant of fast that this machine has (run, fuzz)");
    if (i == 3 + variants)
        return set_entry(entry, IMPL_FAST_BATCH, "fast-batch", impl_fast_batch_get()->description);
    if (i == 4 + variants)
        return set_provided(entry, IMPL_SMT, "smt");
    if (i == 5 + variants)
        return set_provided(entry, IMPL_GPU, "gpu");
    return i == 6 + variants &&
           set_entry(entry, IMPL_PTXAS, "ptxas", "NVIDIA's assembler: compiles whole kernels only");
}

const char *impl_variant_name(const char *name)
{
    struct fast_variant variant;
    if (strcmp(name, "fast") != 0)
        return name;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (variant.impl != NULL && strcmp(variant.description, fast_get()->description) == 0)
            return variant.name;
    return name;
}

void impl_list_check(struct impl_entry *entry)
{
    struct error error = {0};
    const struct warp_impl *impl;
    const char *const argv[] = {impl_ptxas(), "--version", NULL};
    char said[4096];
    if (entry->kind == IMPL_PTXAS) {
        entry->available =
            process_run(&(struct process_plan){.argv = argv, .in = PROCESS_NULL}, VERSION_S, said, sizeof said, &error);
        snprintf(entry->why, sizeof entry->why, "%.250s", error.text);
    }
    if (!entry->available || (entry->kind != IMPL_SMT && entry->kind != IMPL_GPU))
        return;
    impl = provider_of(entry->kind)->open(entry->name, &error);
    entry->available = impl != NULL;
    if (impl == NULL)
        snprintf(entry->why, sizeof entry->why, "%.250s", error.text);
    else
        entry->description = impl->description;
}

static const struct warp_impl *variant_of(const char *name)
{
    struct fast_variant variant;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (strcmp(variant.name, name) == 0)
            return variant.impl;
    return fast_get();
}

/* --- opening --- */

static struct opened *find_opened(const struct warp_impl *impl)
{
    struct opened *o = all_opened;
    while (o != NULL && o->impl != impl)
        o = o->next;
    return o;
}

static struct opened *keep(const struct warp_impl *impl, enum impl_kind kind, struct error *error)
{
    struct opened *o = find_opened(impl);
    if (o != NULL) {
        o->times++;
        return o;
    }
    o = calloc(1, sizeof *o);
    if (o == NULL) {
        error_set(error, ERROR_SYSTEM, "out of memory");
        if (impl->close != NULL)
            impl->close(impl->state);
        return NULL;
    }
    o->impl = impl;
    o->kind = kind;
    o->times = 1;
    o->next = all_opened;
    all_opened = o;
    return o;
}

static const struct warp_impl *keep_foreign(struct foreign *foreign, enum impl_kind kind, struct error *error)
{
    struct opened *const o = foreign != NULL ? keep(foreign_impl(foreign), kind, error) : NULL;
    if (o == NULL) {
        if (foreign != NULL)
            foreign_close(foreign, NULL);
        return NULL;
    }
    o->foreign = foreign;
    return o->impl;
}

/* A FIFO or a device would be waited for. */
static bool is_library(const struct impl_name *name, struct error *error)
{
    struct error why;
    const int fd = file_open(name->path, &why);
    if (fd < 0) {
        error_set(error, why.code, "cannot load the plugin %.900s", why.text);
        if (error != NULL)
            error->detail = why.detail;
        return false;
    }
    close(fd);
    return true;
}

static const struct warp_impl *open_plugin(const struct impl_name *name, struct error *error)
{
    if (!is_library(name, error))
        return NULL;
    return keep_foreign(foreign_open_plugin(name->path, name->inner, error), IMPL_PLUGIN, error);
}

static const struct warp_impl *kept(const struct warp_impl *impl, enum impl_kind kind, struct error *error)
{
    const struct opened *const o = impl != NULL ? keep(impl, kind, error) : NULL;
    return o != NULL ? o->impl : NULL;
}

static const struct warp_impl *open_provided(const struct impl_name *name, const char *word, struct error *error)
{
    const struct impl_provider *const p = provider_of(name->kind);
    const struct warp_impl *impl = NULL;
    if (p != NULL && p->open != NULL) {
        impl = p->open(name->path, error);
        if (impl == NULL && error != NULL && error->code == ERROR_UNAVAILABLE)
            error_prefix(error, "%s is UNAVAILABLE", word);
        return impl != NULL && impl->close != NULL ? kept(impl, name->kind, error) : impl;
    }
    error_set(error, ERROR_UNAVAILABLE, "%s is UNAVAILABLE: %s", word,
              p != NULL && p->unavailable != NULL ? p->unavailable : "not in this program");
    return NULL;
}

static const struct warp_impl *open_variant(const struct impl_name *name, struct error *error)
{
    struct impl_entry entry;
    for (size_t i = 0; impl_list(i, &entry); i++) {
        if (strcmp(entry.name, name->path) != 0)
            continue;
        if (entry.available)
            return variant_of(name->path);
        error_set(error, ERROR_UNAVAILABLE, "implementation %s is UNAVAILABLE: %s", entry.name, entry.why);
    }
    return NULL;
}

const struct warp_impl *impl_open(const char *text, struct error *error)
{
    struct impl_name name;
    char word[160];
    if (!impl_name_parse(text, &name, error))
        return NULL;
    switch (name.kind) {
    case IMPL_SPEC:
        return spec_get();
    case IMPL_FAST:
        return open_variant(&name, error);
    case IMPL_FAST_ALL:
        error_set(error, ERROR_USAGE,
                  "fast-all is several implementations: name one of them, as fast or fast-portable "
                  "(run, exhaust, batch and fuzz take them all)");
        return NULL;
    case IMPL_FAST_BATCH:
        return impl_fast_batch_get();
    case IMPL_PLUGIN:
        return open_plugin(&name, error);
    case IMPL_PIPE:
        return kept(pipe_open(name.path, PIPE_TIMEOUT_MS, error), IMPL_PIPE, error);
    case IMPL_RECORDING:
        return open_provided(&name, "a recording", error);
    case IMPL_GPU:
    case IMPL_SMT:
        snprintf(word, sizeof word, "implementation %.120s", name.path);
        return open_provided(&name, word, error);
    case IMPL_PTXAS:
        error_set(error, ERROR_USAGE,
                  "ptxas answers no case: it compiles whole kernels (warpcheck cross kernels ptxas)");
        return NULL;
    }
    return NULL;
}

static const struct warp_impl *open_here(const struct impl_name *name, struct library *library, struct error *error)
{
    const struct warp_impl *const inner = library_find(library, name->path, name->inner, error);
    struct inside *const inside = inner != NULL ? malloc(sizeof *inside) : NULL;
    struct opened *o;
    if (inside == NULL || !inside_init(inside, inner, name->path, error) ||
        (o = keep(&inside->impl, IMPL_PLUGIN, error)) == NULL) {
        free(inside);
        return NULL;
    }
    o->library = *library;
    o->inside = inside;
    return o->impl;
}

const struct warp_impl *impl_open_here(const char *text, struct error *error)
{
    struct impl_name name;
    struct library library;
    const struct warp_impl *impl;
    if (!impl_name_parse(text, &name, error))
        return NULL;
    if (name.kind != IMPL_PLUGIN)
        return impl_open(text, error);
    if (!is_library(&name, error) || !library_open(&library, name.path, error))
        return NULL;
    impl = open_here(&name, &library, error);
    if (impl == NULL)
        library_close(&library);
    return impl;
}

const struct warp_impl *impl_open_apart(const char *text, struct error *error)
{
    const struct warp_impl *const impl = impl_open(text, error), *inner;
    if (impl == NULL || find_opened(impl) != NULL)
        return impl;
    return keep_foreign(foreign_open_builtin(impl, impl_batch(impl, &inner), error), impl_can(impl).kind, error);
}

bool impl_close(const struct warp_impl *impl, struct error *error)
{
    struct opened **link = &all_opened, *o;
    bool good = true;
    while (*link != NULL && (*link)->impl != impl)
        link = &(*link)->next;
    o = *link;
    if (impl == NULL || o == NULL || --o->times > 0)
        return true;
    *link = o->next;
    if (o->foreign != NULL)
        good = foreign_close(o->foreign, error);
    else if (o->kind == IMPL_PIPE)
        good = pipe_end(impl, error);
    else if (impl->close != NULL)
        impl->close(impl->state);
    library_close(&o->library);
    free(o->inside);
    free(o);
    return good;
}

/* --- what an open one can do --- */

static bool is_variant(const struct warp_impl *impl)
{
    struct fast_variant variant;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (variant.impl == impl)
            return true;
    return impl == fast_get();
}

struct impl_abilities impl_can(const struct warp_impl *impl)
{
    const struct opened *const o = find_opened(impl);
    const struct warp_impl *inner;
    struct impl_abilities can = {.kind = IMPL_SMT};
    if (o != NULL)
        can.kind = o->kind;
    else if (impl == spec_get())
        can.kind = IMPL_SPEC;
    else if (impl == impl_fast_batch_get())
        can.kind = IMPL_FAST_BATCH;
    else if (is_variant(impl))
        can.kind = IMPL_FAST;
    can.stateless = o == NULL && (can.kind == IMPL_SPEC || can.kind == IMPL_FAST);
    can.foreign = can.kind == IMPL_PIPE || can.kind == IMPL_GPU || (o != NULL && o->foreign != NULL);
    can.fuzz = impl_kind_can_be_fuzzed(can.kind);
    can.batch = o != NULL && o->foreign != NULL ? foreign_has_batch(o->foreign) : impl_batch(impl, &inner) != NULL;
    return can;
}

warp_batch_fn impl_batch(const struct warp_impl *impl, const struct warp_impl **inner)
{
    const struct opened *const o = find_opened(impl);
    *inner = o != NULL && o->inside != NULL ? o->inside->inner : impl;
    if (o != NULL)
        return o->library.batch;
    if (impl == impl_fast_batch_get())
        return impl_fast_batch_run;
    return is_variant(impl) ? fast_batch_eval : NULL;
}

/* --- what a plugin offers --- */

struct offers {
    size_t count;
    struct impl_offer items[LIBRARY_IMPLS_MAX];
};

/* In the child. */
static bool make_offers(void *context, void *board, struct error *error)
{
    const char *const path = context;
    struct offers *const offers = board;
    struct library library;
    if (!library_open(&library, path, error))
        return false;
    for (; offers->count < library.count; offers->count++) {
        const struct warp_impl *const impl = library.get(offers->count);
        if (impl == NULL)
            break;
        foreign_offer(impl, library.batch != NULL, &offers->items[offers->count]);
    }
    return true;
}

static struct impl_offer *copy_offers(const struct offers *offers, size_t *count)
{
    struct impl_offer *copy;
    *count = *(const volatile size_t *)&offers->count; /* read once: it may change while it is looked at */
    *count = *count <= LIBRARY_IMPLS_MAX ? *count : LIBRARY_IMPLS_MAX;
    copy = calloc(*count + 1, sizeof *copy);
    for (size_t i = 0; copy != NULL && i < *count; i++)
        foreign_clean_offer(&offers->items[i], &copy[i]);
    return copy;
}

struct impl_offer *impl_list_plugin(const char *path, size_t *count, struct error *error)
{
    struct impl_name name = {.kind = IMPL_PLUGIN};
    struct child_plan plan = {.who = path, .context = name.path, .start = make_offers};
    struct child *child = NULL;
    struct impl_offer *list = NULL;
    double limit_s;
    snprintf(name.path, sizeof name.path, "%s", path);
    if (!is_library(&name, error) || !foreign_limit(&limit_s, error))
        return NULL;
    plan.board = mmap(NULL, sizeof(struct offers), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    plan.regions[0] = (struct child_region){plan.board, sizeof(struct offers)};
    if (plan.board != MAP_FAILED)
        child = child_open(&plan);
    if (child == NULL)
        error_set(error, ERROR_SYSTEM, "out of memory");
    else if (child_start(child, limit_s, error))
        list = copy_offers(plan.board, count);
    else if (error != NULL && error->code != ERROR_INPUT)
        foreign_tell_load(path, error);
    child_free(child);
    if (plan.board != MAP_FAILED)
        munmap(plan.board, sizeof(struct offers));
    return list;
}

/* --- how it fares: of what is not foreign there is nothing to tell --- */

const struct impl_failure *impl_failure(const struct warp_impl *impl)
{
    const struct foreign *const f = foreign_of(impl);
    return f != NULL ? foreign_failure(f) : pipe_failure(impl);
}

const char *impl_note(const struct warp_impl *impl)
{
    const struct foreign *const f = foreign_of(impl);
    return f != NULL ? foreign_note(f) : NULL;
}

bool impl_restart(const struct warp_impl *impl, struct error *error)
{
    struct foreign *const f = foreign_of(impl);
    if (f != NULL)
        return foreign_restart(f, error);
    return pipe_restart(impl, error);
}

size_t impl_history(const struct warp_impl *impl, struct warp_case *cases)
{
    const struct foreign *const f = foreign_of(impl);
    return f != NULL ? foreign_history(f, cases) : pipe_history(impl, cases);
}

void impl_hurry(const struct warp_impl *impl, double limit_s)
{
    struct foreign *const f = foreign_of(impl);
    if (f != NULL)
        foreign_hurry(f, limit_s);
    else
        pipe_hurry(impl, limit_s);
}

void impl_ask_ahead(const struct warp_impl *impl, const struct warp_case *cases, size_t n, enum impl_ahead ahead)
{
    struct foreign *const f = foreign_of(impl);
    const struct opened *const o = f == NULL ? find_opened(impl) : NULL;
    if (f != NULL)
        foreign_ask_ahead(f, cases, n, ahead);
    else if (o != NULL && o->kind == IMPL_PIPE && ahead == IMPL_ALL)
        pipe_ask_ahead(impl, cases, n);
}

struct warp_case *impl_place(const struct warp_impl *impl, size_t n)
{
    struct foreign *const f = foreign_of(impl);
    return f != NULL ? foreign_place(f, n) : NULL;
}
