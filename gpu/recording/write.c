#include "base/file.h"
#include "gpu/recording/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    format_u32(b, (uint32_t)value);
    format_u32(b, (uint32_t)(value >> 32));
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
    format_u32(file, RECORDING_VERSION);
    format_u32(file, compressed ? FORMAT_ZLIB : FORMAT_STORED);
    format_u32(file, (uint32_t)length);
    format_u32(file, w->count);
    put_u64(file, w->plain.size);
    put_u64(file, stored->size);
    buffer_add(file, header, (size_t)length);
    buffer_add(file, stored->data, stored->size);
    format_u32(file, format_crc32((const uint8_t *)file->data, file->size));
}

bool recording_finish(struct recording_writer *w, const char *path, bool compress, struct error *error)
{
    struct buffer stored = {0}, file = {0};
    bool good = false;
    if (w->plain.failed) {
        error_set(error, ERROR_SYSTEM, "%s: not enough memory", path);
    } else if (compress && !format_compress(&w->plain, &stored)) {
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
