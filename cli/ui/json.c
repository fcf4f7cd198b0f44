#include "cli/ui/json.h"

#include "cli/ui/options.h"

#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#define DEPTH_MAX 16
static json_t *stack[DEPTH_MAX];
static size_t depth;

/* Not survived: half a JSON text would be worse. */
static _Noreturn void out_of_memory(void)
{
    fprintf(stderr, "warpcheck: out of memory while writing JSON\n");
    exit(STATUS_USAGE);
}

/* jansson takes the value over. */
static void add(const char *key, json_t *value)
{
    json_t *parent = stack[depth - 1];
    int failed = key ? json_object_set_new(parent, key, value) : json_array_append_new(parent, value);
    if (failed)
        out_of_memory();
}

static void push(const char *key, json_t *value)
{
    add(key, value);
    if (depth < DEPTH_MAX)
        stack[depth++] = value;
}

void out_start(void)
{
    stack[0] = json_object();
    depth = 1;
}

void out_begin_object(const char *key)
{
    push(key, json_object());
}

void out_begin_array(const char *key)
{
    push(key, json_array());
}

void out_end(void)
{
    depth--;
}

void out_text(const char *key, const char *value)
{
    json_t *text = json_string(value);
    add(key, text ? text : json_string(shown(value))); /* not UTF-8 */
}

void out_number(const char *key, uint64_t value)
{
    add(key, json_integer((json_int_t)value));
}

void out_real(const char *key, double value)
{
    add(key, json_real(value));
}

void out_bool(const char *key, bool value)
{
    add(key, json_boolean(value));
}

/* The one control character that jansson leaves as it is stands only within strings. */
static int write_ascii(const char *data, size_t size, void *stream)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] == 0x7f)
            fputs("\\u007f", stream);
        else
            putc(data[i], stream);
    return 0;
}

void out_print(void)
{
    if (json_dump_callback(stack[0], write_ascii, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6) | JSON_ENSURE_ASCII))
        out_of_memory();
    fputc('\n', stdout);
    json_decref(stack[0]);
    depth = 0;
}
void out_mask(const char *key, lanemask value)
{
    char text[16];
    snprintf(text, sizeof text, "0x%08x", value);
    out_text(key, text);
}

static void out_words(const char *key, const uint32_t values[WARP_LANES])
{
    out_begin_array(key);
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        out_number(NULL, values[lane]);
    out_end();
}

void out_case(const char *key, const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    out_begin_object(key);
    out_text("instruction", info->name);
    out_text("destinations", warp_dst_name(c->dst));
    out_text("target", warp_target_name(c->target));
    out_bool("negate", c->negate != 0);
    out_mask("exited", c->exited);
    out_mask("active", c->active);
    if (info->type != WARP_NO_SOURCE)
        out_words("a", c->a);
    if (info->type == WARP_B64)
        out_words("a_high", c->a_high);
    if (warp_form_is_shfl(info)) {
        out_words("b", c->b);
        out_words("c", c->c);
    }
    if (warp_form_is_sync(info))
        out_words("membermask", c->membermask);
    out_end();
}

void out_result(const char *key, const struct warp_result *r, uint32_t parts)
{
    out_begin_object(key);
    if (parts & WARP_PART_D)
        out_words("d", r->d);
    if (parts & WARP_PART_P)
        out_mask("p", r->p);
    if (parts & WARP_PART_D_DEFINED)
        out_mask("d_defined", r->d_defined);
    if (parts & WARP_PART_OUTCOME) {
        out_mask("done", r->done);
        out_mask("waiting", r->waiting);
        out_mask("undefined", r->undefined);
    }
    if (parts & WARP_PART_WAITS_FOR)
        out_words("waits_for", r->waits_for);
    out_end();
}
