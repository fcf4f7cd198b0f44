/*
 * The file format, version 1 (docs/recordings.md). All numbers are little-endian.
 *
 *   8 bytes "WARPREC\n", u32 version, u32 method (0 stored, 1 zlib), u32 length of the header text,
 *   u32 number of cases, u64 length of the plain payload, u64 length of the payload as stored,
 *   header text ("key=value" lines), payload, u32 CRC-32 of everything in front of it.
 */
#include "gpu/recording.h"

#include "base/file.h"
#include "base/random.h"
#include "gpu/codec.h"
#include "model/lanes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define FORMAT_MAGIC       "WARPREC\n"
#define FORMAT_FIXED       40u /* bytes in front of the header text */
#define FORMAT_HEADER_MAX  4096u
#define FORMAT_CASES_MAX   10000000u
#define FORMAT_PAYLOAD_MAX (1u << 30)

enum format_method { FORMAT_STORED, FORMAT_ZLIB };

/* MemorySanitizer does not see what zlib, which it did not compile, writes. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN(data, n) __msan_unpoison(data, n)
#endif
#endif
#ifndef WRITTEN
#define WRITTEN(data, n) ((void)(data), (void)(n))
#endif

static uint32_t file_crc32(const uint8_t *data, size_t n)
{
    return (uint32_t)crc32_z(0, data, n);
}

static bool compress_payload(const struct buffer *plain, struct buffer *out)
{
    uLongf length = compressBound((uLong)plain->size);
    uint8_t *const data = malloc(length);
    const bool good =
        data != NULL && compress2(data, &length, (const uint8_t *)buffer_string(plain), (uLong)plain->size, 9) == Z_OK;
    if (good) {
        WRITTEN(data, length);
        buffer_add(out, data, length);
    }
    free(data);
    return good && !out->failed;
}

static bool expand_payload(const uint8_t *stored, size_t n, uint8_t *plain, size_t plain_length)
{
    uLongf length = (uLongf)plain_length;
    if (uncompress(plain, &length, stored, (uLong)n) != Z_OK || length != plain_length)
        return false;
    WRITTEN(plain, plain_length);
    return true;
}

struct recording {
    struct warp_impl impl;
    struct recording_info info;
    char description[320];
    size_t count;
    struct warp_case *cases;
    struct warp_result *results;
    uint32_t *table; /* hash table: index + 1, 0 empty; a power of two of slots */
    size_t slots;
};

/* Where the file lies and where its error goes. */
struct failure {
    const char *path;
    struct error *error;
};

static bool refuse(const struct failure *f, const char *what)
{
    return error_set(f->error, ERROR_INPUT, "%s: %s; record it again, or take the file from the repository", f->path,
                     what);
}

/* The whole file as it was read. */
struct content {
    const uint8_t *data;
    size_t length;
};

/* What stands in the fixed part. */
struct fixed {
    uint32_t version, method, header, cases;
    uint64_t plain, stored;
};

static struct fixed read_fixed(const struct content *file)
{
    struct cursor in = {file->data, file->length, sizeof FORMAT_MAGIC - 1, false};
    struct fixed x;
    x.version = cursor_u32(&in);
    x.method = cursor_u32(&in);
    x.header = cursor_u32(&in);
    x.cases = cursor_u32(&in);
    x.plain = cursor_u32(&in);
    x.plain |= (uint64_t)cursor_u32(&in) << 32;
    x.stored = cursor_u32(&in);
    x.stored |= (uint64_t)cursor_u32(&in) << 32;
    return x;
}

static bool check_frame(const struct content *file, const struct fixed *x, const struct failure *f)
{
    char what[160];
    struct cursor tail = {file->data, file->length, file->length < 4 ? 0 : file->length - 4, false};
    uint64_t length;
    if (file->length < sizeof FORMAT_MAGIC - 1 || memcmp(file->data, FORMAT_MAGIC, sizeof FORMAT_MAGIC - 1) != 0)
        return refuse(f, "not a recording");
    if (file->length < FORMAT_FIXED)
        return refuse(f, "truncated: it ends in its first bytes");
    if (x->version != RECORDING_VERSION) {
        snprintf(what, sizeof what, "format version %u, this program reads version %u", (unsigned)x->version,
                 RECORDING_VERSION);
        return refuse(f, what);
    }
    if (x->header > FORMAT_HEADER_MAX || x->cases > FORMAT_CASES_MAX || x->plain > FORMAT_PAYLOAD_MAX ||
        x->stored > FORMAT_PAYLOAD_MAX)
        return refuse(f, "altered: impossible lengths");
    length = FORMAT_FIXED + x->header + x->stored + 4;
    if (file->length != length) {
        snprintf(what, sizeof what, "%s: %zu bytes instead of %llu", file->length < length ? "truncated" : "altered",
                 file->length, (unsigned long long)length);
        return refuse(f, what);
    }
    if (cursor_u32(&tail) != file_crc32(file->data, file->length - 4))
        return refuse(f, "altered: the checksum does not match");
    return true;
}

static void copy_value(const char *text, const char *key, char *out, size_t size)
{
    const size_t n = strlen(key);
    out[0] = '\0';
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, key, n) == 0 && line[n] == '=')
            snprintf(out, size, "%.*s", (int)(length - n - 1), line + n + 1);
        line += length + (line[length] == '\n');
    }
}

/* Numbers of the header, and what is believed of each. */
struct header_number {
    const char *key;
    uint32_t least, most, *to;
};

static bool read_number(const char *text, const struct header_number *number)
{
    char value[64];
    unsigned long x;
    copy_value(text, number->key, value, sizeof value);
    if (value[0] == '\0' || strspn(value, "0123456789") != strlen(value) || strlen(value) > 10)
        return false;
    x = strtoul(value, NULL, 10);
    *number->to = (uint32_t)x;
    return x >= number->least && x <= number->most;
}

static bool read_header(struct recording_info *info, const uint8_t *data, size_t n, const struct failure *f)
{
    const struct header_number numbers[] = {
        {"sm", 30, 999, &info->sm},
        {"driver", 0, UINT32_MAX, &info->driver},
        {"ptx_least", 0, 999, &info->ptx_least},
        {"ptx_greatest", 0, 999, &info->ptx_greatest},
        {"parts", 0, UINT32_MAX, &info->parts},
        {"seed", 0, UINT32_MAX, &info->seed},
    };
    char text[FORMAT_HEADER_MAX + 1], what[80];
    memcpy(text, data, n);
    text[n] = '\0';
    copy_value(text, "device", info->device, sizeof info->device);
    copy_value(text, "driver_name", info->driver_name, sizeof info->driver_name);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (read_number(text, &numbers[i]))
            continue;
        snprintf(what, sizeof what, "its header gives no %s that can be true", numbers[i].key);
        return refuse(f, what);
    }
    return true;
}

static bool decode_all(struct recording *r, const uint8_t *plain, size_t n, const struct failure *f)
{
    struct cursor in = {plain, n, 0, false};
    char what[160];
    for (size_t i = 0; i < r->count; i++) {
        const char *wrong = codec_decode(&in, &r->cases[i], &r->results[i]);
        if (wrong != NULL) {
            snprintf(what, sizeof what, "case %zu: %s", i, wrong);
            return refuse(f, what);
        }
    }
    return in.at == n || refuse(f, "something stands behind the last case");
}

static bool decode_payload(struct recording *r, const struct fixed *x, const uint8_t *stored, const struct failure *f)
{
    uint8_t *plain;
    bool ok;
    if (x->method == FORMAT_STORED && x->plain == x->stored)
        return decode_all(r, stored, (size_t)x->stored, f);
    if (x->method != FORMAT_ZLIB)
        return refuse(f, "unknown method of compression");
    plain = malloc((size_t)x->plain + 1);
    ok = plain != NULL && expand_payload(stored, (size_t)x->stored, plain, (size_t)x->plain);
    ok = ok ? decode_all(r, plain, (size_t)x->plain, f) : refuse(f, "cannot be decompressed");
    free(plain);
    return ok;
}

static uint64_t hash_case(const struct warp_case *c)
{
    uint32_t words[sizeof *c / 4];
    uint64_t h = 0;
    memcpy(words, c, sizeof words);
    for (size_t i = 0; i < sizeof words / 4; i++)
        h = (h ^ words[i]) * RANDOM_STEP ^ h >> 29;
    return random_mix(h);
}

static uint32_t *find_slot(const struct recording *r, const struct warp_case *c)
{
    for (size_t i = (size_t)hash_case(c) & (r->slots - 1);; i = (i + 1) & (r->slots - 1))
        if (r->table[i] == 0 || memcmp(&r->cases[r->table[i] - 1], c, sizeof *c) == 0)
            return &r->table[i];
}

static bool build_table(struct recording *r)
{
    for (r->slots = 64; r->slots < 2 * r->count; r->slots *= 2)
        ;
    r->table = calloc(r->slots, sizeof *r->table);
    for (size_t i = 0; r->table != NULL && i < r->count; i++)
        *find_slot(r, &r->cases[i]) = (uint32_t)i + 1;
    return r->table != NULL;
}

static struct recording *make(const struct content *file, const struct failure *f)
{
    const struct fixed x = read_fixed(file);
    struct recording *r;
    if (!check_frame(file, &x, f))
        return NULL;
    r = calloc(1, sizeof *r);
    if (r != NULL) {
        r->count = x.cases;
        r->cases = malloc((r->count + 1) * sizeof *r->cases);
        r->results = malloc((r->count + 1) * sizeof *r->results);
    }
    if (r == NULL || r->cases == NULL || r->results == NULL) {
        refuse(f, "not enough memory");
        recording_free(r);
        return NULL;
    }
    if (!read_header(&r->info, file->data + FORMAT_FIXED, x.header, f) ||
        !decode_payload(r, &x, file->data + FORMAT_FIXED + x.header, f) || !build_table(r)) {
        recording_free(r);
        return NULL;
    }
    return r;
}

struct recording *recording_load(const char *path, struct error *error)
{
    const struct failure f = {path, error};
    struct content file = {0};
    char *const data = file_read(path, FORMAT_PAYLOAD_MAX, &file.length, error);
    struct recording *r = NULL;
    file.data = (const uint8_t *)data;
    if (data != NULL)
        r = make(&file, &f);
    free(data);
    return r;
}

void recording_free(struct recording *r)
{
    if (r == NULL)
        return;
    free(r->cases);
    free(r->results);
    free(r->table);
    free(r);
}

const struct recording_info *recording_get_info(const struct recording *r)
{
    return &r->info;
}

size_t recording_count(const struct recording *r)
{
    return r->count;
}

void recording_get(const struct recording *r, size_t index, struct warp_case *c, struct warp_result *result)
{
    if (c != NULL)
        *c = r->cases[index];
    if (result != NULL)
        *result = r->results[index];
}

static bool impl_accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct recording *r = state;
    if (*find_slot(r, c) != 0)
        return true;
    snprintf(why, why_size, "the recording does not hold this case");
    return false;
}

static bool impl_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                      size_t error_size)
{
    const struct recording *r = state;
    for (size_t i = 0; i < n; i++) {
        const uint32_t slot = *find_slot(r, &cases[i]);
        if (slot == 0) {
            snprintf(error, error_size, "the recording does not hold this case");
            return false;
        }
        results[i] = r->results[slot - 1];
    }
    return true;
}

static void impl_close(void *state)
{
    recording_free(state);
}

const struct warp_impl *recording_open(const char *path, struct error *error)
{
    struct recording *r = recording_load(path, error);
    if (r == NULL)
        return NULL;
    snprintf(r->description, sizeof r->description, "recording of %s, sm_%u, driver %s, CUDA %u.%u: %zu cases",
             r->info.device, (unsigned)r->info.sm, r->info.driver_name[0] != '\0' ? r->info.driver_name : "unknown",
             (unsigned)r->info.driver / 1000, (unsigned)r->info.driver % 1000 / 10, r->count);
    r->impl = (struct warp_impl){.name = "recording",
                                 .description = r->description,
                                 .provides = r->info.parts,
                                 .state = r,
                                 .accepts = impl_accepts,
                                 .eval = impl_eval,
                                 .close = impl_close};
    return &r->impl;
}

const struct recording *recording_of(const struct warp_impl *impl)
{
    return impl->close == impl_close ? impl->state : NULL;
}

struct recording_writer {
    struct recording_info info;
    struct buffer plain;
    uint32_t count;
};

struct recording_writer *recording_start(const struct recording_info *info)
{
    struct recording_writer *w = calloc(1, sizeof *w);
    if (w != NULL)
        w->info = *info;
    return w;
}

/* An answer of a device cannot be had again at will: what was written must read back as it was. */
static bool reads_back(const struct buffer *plain, size_t from, const struct warp_case *c,
                       const struct warp_result *result)
{
    struct cursor in = {(const uint8_t *)plain->data, plain->size, from, false};
    struct warp_case again;
    struct warp_result answer;
    return codec_decode(&in, &again, &answer) == NULL && in.at == plain->size && memcmp(&again, c, sizeof again) == 0 &&
           memcmp(&answer, result, sizeof answer) == 0;
}

bool recording_add(struct recording_writer *w, const struct warp_case *c, const struct warp_result *result)
{
    const size_t from = w->plain.size;
    if (w->count == FORMAT_CASES_MAX || !codec_encode(&w->plain, c, result) || w->plain.failed)
        return false;
    if (!reads_back(&w->plain, from, c, result)) {
        w->plain.size = from;
        return false;
    }
    w->count++;
    return true;
}

void recording_set_ptx(struct recording_writer *w, uint32_t least, uint32_t greatest)
{
    w->info.ptx_least = least;
    w->info.ptx_greatest = greatest;
}

static void put_u64(struct buffer *b, uint64_t value)
{
    codec_put_u32(b, (uint32_t)value);
    codec_put_u32(b, (uint32_t)(value >> 32));
}

static void make_file(const struct recording_writer *w, const struct buffer *stored, bool compressed,
                      struct buffer *file)
{
    char header[FORMAT_HEADER_MAX];
    const struct recording_info *i = &w->info;
    const int length =
        snprintf(header, sizeof header,
                 "device=%s\nsm=%u\ndriver=%u\ndriver_name=%s\nptx_least=%u\nptx_greatest=%u\nparts=%u\nseed=%u\n",
                 i->device, (unsigned)i->sm, (unsigned)i->driver, i->driver_name, (unsigned)i->ptx_least,
                 (unsigned)i->ptx_greatest, (unsigned)i->parts, (unsigned)i->seed);
    buffer_add(file, FORMAT_MAGIC, sizeof FORMAT_MAGIC - 1);
    codec_put_u32(file, RECORDING_VERSION);
    codec_put_u32(file, compressed ? FORMAT_ZLIB : FORMAT_STORED);
    codec_put_u32(file, (uint32_t)length);
    codec_put_u32(file, w->count);
    put_u64(file, w->plain.size);
    put_u64(file, stored->size);
    buffer_add(file, header, (size_t)length);
    buffer_add(file, stored->data, stored->size);
    codec_put_u32(file, file_crc32((const uint8_t *)file->data, file->size));
}

bool recording_finish(struct recording_writer *w, const char *path, bool compress, struct error *error)
{
    struct buffer stored = {0}, file = {0};
    bool good = false;
    if (w->plain.failed) {
        error_set(error, ERROR_SYSTEM, "%s: not enough memory", path);
    } else if (compress && !compress_payload(&w->plain, &stored)) {
        error_set(error, ERROR_SYSTEM, "%s: cannot be compressed: not enough memory", path);
    } else {
        make_file(w, compress ? &stored : &w->plain, compress, &file);
        good = file.failed ? error_set(error, ERROR_SYSTEM, "%s: not enough memory", path)
                           : file_write(path, file.data, file.size, error);
    }
    buffer_free(&file);
    buffer_free(&stored);
    buffer_free(&w->plain);
    free(w);
    return good;
}

/* What a recording holds, and what it shows of values that the manual leaves open. */

/* True when two active lanes have different groups. */
static bool has_groups(const struct warp_case *c)
{
    lanemask first = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(c->active >> lane & 1u))
            continue;
        if (first != 0 && lanes_group(c, lane) != first)
            return true;
        first = lanes_group(c, lane);
    }
    return false;
}

void recording_coverage(const struct recording *recording, enum warp_form form, struct recording_coverage *coverage)
{
    struct warp_case c;
    memset(coverage, 0, sizeof *coverage);
    for (size_t i = 0; i < recording_count(recording); i++) {
        recording_get(recording, i, &c, NULL);
        if (c.form != form)
            continue;
        coverage->cases++;
        coverage->lanes += lanes_in(c.active);
        coverage->groups += has_groups(&c);
        coverage->exited += c.exited != 0;
        coverage->elsewhere += (c.active | c.exited) != UINT32_MAX;
    }
}

static void count_lane(const struct warp_case *c, const struct warp_result *r, unsigned lane,
                       struct recording_unpredictable counts[SOURCES])
{
    const unsigned j = lanes_source(c, lane);
    struct recording_unpredictable *u = &counts[SOURCE_OTHER_GROUP];
    bool is_source, is_own, is_zero;
    if (c->exited >> j & 1u)
        u = &counts[SOURCE_EXITED];
    else if (!(c->active >> j & 1u))
        u = &counts[SOURCE_ELSEWHERE];
    u->lanes++;
    is_source = r->d[lane] == c->a[j];
    is_own = r->d[lane] == c->a[lane];
    is_zero = r->d[lane] == 0;
    if (is_source + is_own + is_zero > 1)
        u->several++;
    u->source += is_source && !is_own && !is_zero;
    u->own += is_own && !is_source && !is_zero;
    u->zero += is_zero && !is_source && !is_own;
    u->other += !is_source && !is_own && !is_zero;
}

void recording_unpredictable(const struct recording *recording, enum warp_family family,
                             struct recording_unpredictable counts[SOURCES])
{
    struct warp_case c;
    struct warp_result r;
    memset(counts, 0, SOURCES * sizeof *counts);
    for (size_t i = 0; i < recording_count(recording); i++) {
        recording_get(recording, i, &c, &r);
        if (warp_form_get(c.form)->family != family || !warp_form_may_be_unpredictable(warp_form_get(c.form)) ||
            !warp_form_writes_d(warp_form_get(c.form), c.dst))
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((r.done & ~r.d_defined) >> lane & 1u)
                count_lane(&c, &r, lane, counts);
    }
}
