#define _POSIX_C_SOURCE 200809L

#include "gpu/recording/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct recording_writer {
    struct recording_info info;
    struct bytes plain;
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
static bool reads_back(const struct bytes *plain, size_t from, const struct warp_case *c,
                       const struct warp_result *result)
{
    struct cursor in = {plain->data, plain->length, from, false};
    struct warp_case again;
    struct warp_result answer;
    return codec_decode(&in, &again, &answer) == NULL && in.at == plain->length &&
           memcmp(&again, c, sizeof again) == 0 && memcmp(&answer, result, sizeof answer) == 0;
}

bool recording_add(struct recording_writer *w, const struct warp_case *c, const struct warp_result *result)
{
    const size_t from = w->plain.length;
    if (w->count == FORMAT_CASES_MAX || !codec_encode(&w->plain, c, result) || w->plain.failed)
        return false;
    if (!reads_back(&w->plain, from, c, result)) {
        w->plain.length = from;
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

static void put_u64(struct bytes *b, uint64_t value)
{
    bytes_u32(b, (uint32_t)value);
    bytes_u32(b, (uint32_t)(value >> 32));
}

static void make_file(const struct recording_writer *w, const struct bytes *stored, bool compressed, struct bytes *file)
{
    char header[FORMAT_HEADER_MAX];
    const struct recording_info *i = &w->info;
    const int length =
        snprintf(header, sizeof header,
                 "device=%s\nsm=%u\ndriver=%u\ndriver_name=%s\nptx_least=%u\nptx_greatest=%u\nparts=%u\nseed=%u\n",
                 i->device, (unsigned)i->sm, (unsigned)i->driver, i->driver_name, (unsigned)i->ptx_least,
                 (unsigned)i->ptx_greatest, (unsigned)i->parts, (unsigned)i->seed);
    bytes_put(file, FORMAT_MAGIC, sizeof FORMAT_MAGIC - 1);
    bytes_u32(file, RECORDING_VERSION);
    bytes_u32(file, compressed ? FORMAT_ZLIB : FORMAT_STORED);
    bytes_u32(file, (uint32_t)length);
    bytes_u32(file, w->count);
    put_u64(file, w->plain.length);
    put_u64(file, stored->length);
    bytes_put(file, header, (size_t)length);
    bytes_put(file, stored->data, stored->length);
    bytes_u32(file, format_crc32(file->data, file->length));
}

static bool write_file(const struct bytes *file, const char *path, char *error, size_t error_size)
{
    char *temporary = malloc(strlen(path) + 8);
    FILE *out = NULL;
    bool ok = false;
    if (temporary != NULL) {
        sprintf(temporary, "%s.new", path);
        out = fopen(temporary, "wb");
    }
    if (out != NULL) {
        ok = fwrite(file->data, 1, file->length, out) == file->length && fflush(out) == 0 && fsync(fileno(out)) == 0;
        ok = fclose(out) == 0 && ok;
        ok = ok && rename(temporary, path) == 0;
    }
    if (!ok)
        snprintf(error, error_size, "%s: cannot be written: %s", path, strerror(errno));
    free(temporary);
    return ok;
}

bool recording_finish(struct recording_writer *w, const char *path, bool compress, char *error, size_t error_size)
{
    struct bytes stored = {0};
    struct bytes file = {0};
    bool ok = false;
    if (w->plain.failed)
        snprintf(error, error_size, "%s: not enough memory", path);
    else if (compress && !format_can_compress())
        snprintf(error, error_size, "%s: cannot be compressed: built without zlib (Debian: zlib1g-dev)", path);
    else if (compress && !format_compress(&w->plain, &stored))
        snprintf(error, error_size, "%s: zlib failed", path);
    else {
        make_file(w, compress ? &stored : &w->plain, compress, &file);
        if (file.failed)
            snprintf(error, error_size, "%s: not enough memory", path);
        else
            ok = write_file(&file, path, error, error_size);
    }
    free(file.data);
    free(stored.data);
    free(w->plain.data);
    free(w);
    return ok;
}
