/* warpcheck list: instructions, implementations, enumerations, targets, properties, mutants. */
#include "check/enumerate.h"
#include "check/impl/impl.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "cli/work/load.h"

#ifdef WARPCHECK_HAVE_SMT
#include "smt/warpcheck_smt.h"
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void heading(const char *text)
{
    printf("%s%s%s\n", paint(PAINT_BOLD), text, paint(PAINT_PLAIN));
}

/* "sm_70", or the rule that the number does not express. */
static void legality_text(const struct warp_form_info *info, char *text, size_t size)
{
    const char *rule = info->rule == WARP_TARGET_NONSYNC        ? ", not PTX 6.4 on sm_70"
                       : info->rule == WARP_TARGET_SM100_FAMILY ? " family, suffix a or f"
                                                                : "";
    snprintf(text, size, "PTX %u.%u  sm_%u%s", info->min_ptx / 10u, info->min_ptx % 10u, info->min_sm, rule);
}

static void destinations_text(const struct warp_form_info *info, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t dst = 0; dst < WARP_DST_COUNT && used < size; dst++)
        if (info->destinations >> dst & 1u)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", warp_dst_name(dst));
}

static void list_instructions(bool json)
{
    char legality[64];
    char destinations[32];
    if (json)
        out_begin_array("instructions");
    else
        heading("instructions, their destinations, and the PTX version and target from which they are legal");
    for (uint32_t f = 0; f < WARP_FORMS; f++) {
        const struct warp_form_info *info = warp_form_get(f);
        legality_text(info, legality, sizeof legality);
        destinations_text(info, destinations, sizeof destinations);
        if (!json) {
            printf("  %-28s %-20s %s\n", info->name, destinations, legality);
            continue;
        }
        out_begin_object(NULL);
        out_text("name", info->name);
        out_text("family", warp_family_name((uint32_t)info->family));
        out_text("destinations", destinations);
        out_number("ptx", info->min_ptx);
        out_number("sm", info->min_sm);
        out_text("legal", legality);
        out_end();
    }
    if (json)
        out_end();
}

static void list_implementation(bool json, const char *name, const char *description, const char *unavailable)
{
    if (json) {
        out_begin_object(NULL);
        out_text("name", name);
        out_text("description", description);
        out_bool("available", !unavailable);
        if (unavailable)
            out_text("why", unavailable);
        out_end();
        return;
    }
    if (unavailable)
        printf("  %-16s %sUNAVAILABLE%s: %s\n", shown(name), paint(PAINT_YELLOW), paint(PAINT_PLAIN),
               shown(unavailable));
    else
        printf("  %-16s %s\n", shown(name), shown(description));
}

static void list_implementations(bool json)
{
    struct impl_entry entry;
    if (json)
        out_begin_array("implementations");
    else
        heading("implementations");
    for (size_t i = 0; impl_list(i, &entry); i++) {
        impl_list_check(&entry);
        list_implementation(json, entry.name, entry.description, entry.available ? NULL : entry.why);
    }
    if (json)
        out_end();
    else
        printf("  FILE.so[:NAME]   a plugin (warpcheck/impl.h); warpcheck list FILE.so shows its implementations\n"
               "  pipe:COMMAND     a process: cases on its standard input, answers on its standard output\n"
               "  FILE.rec         what a GPU answered earlier\n");
}

static void list_enumerations(bool json)
{
    const struct enumeration *e;
    if (json)
        out_begin_array("enumerations");
    else
        heading("enumerations");
    for (size_t i = 0; (e = enumeration_get(i)); i++) {
        if (!json) {
            printf("  %-22s %12s cases, %12s %s\n      %s\n", e->name, number_text(e->count()),
                   number_text(e->count() * e->points_per_case), e->point, e->what);
            continue;
        }
        out_begin_object(NULL);
        out_text("name", e->name);
        out_text("what", e->what);
        out_number("cases", e->count());
        out_number("points", e->count() * e->points_per_case);
        out_text("point", e->point);
        out_end();
    }
    if (json)
        out_end();
}

static void list_targets(bool json)
{
    const struct warp_target_info *target;
    if (json)
        out_begin_array("targets");
    else
        heading("targets, and the PTX version that first knows them");
    for (size_t i = 0; (target = warp_target_get(i)); i++) {
        if (!json) {
            printf("  %-10s PTX %u.%u\n", target->name, target->min_ptx / 10u, target->min_ptx % 10u);
            continue;
        }
        out_begin_object(NULL);
        out_text("name", target->name);
        out_number("ptx", target->min_ptx);
        out_end();
    }
    if (json)
        out_end();
}

static int list_plugin(bool json, const char *path)
{
    struct error error;
    size_t count = 0;
    struct impl_offer *const offers = impl_list_plugin(path, &count, &error);
    if (!offers)
        return usage_error(&command_list, "%s", error.text);
    if (json) {
        out_start();
        out_begin_array("implementations");
    }
    for (size_t i = 0; i < count; i++)
        list_implementation(json, offers[i].name, offers[i].description, NULL);
    if (json) {
        out_end();
        out_print();
    }
    free(offers);
    return STATUS_AGREE;
}

static void list_properties(bool json)
{
    if (json)
        out_begin_array("properties");
    else
        heading("properties, and the verdict that is expected of each (warpcheck prove establishes them)");
#ifdef WARPCHECK_HAVE_SMT
    if (!json)
        printf("  %-34s %-8s says\n", "property", "expected");
    for (size_t i = 0; i < smt_property_count(); i++) {
        const struct smt_property *property = smt_property_get(i);
        if (!json) {
            printf("  %-34s %-8s %s\n", property->name, smt_verdict_name(property->expected), property->sentence);
            continue;
        }
        out_begin_object(NULL);
        out_text("name", property->name);
        out_text("family", property->family);
        out_text("expected", smt_verdict_name(property->expected));
        out_text("sentence", property->sentence);
        out_end();
    }
#else
    if (!json)
        printf("  %sUNAVAILABLE%s: built without Z3 (Debian: libz3-dev)\n", paint(PAINT_YELLOW), paint(PAINT_PLAIN));
#endif
    if (json)
        out_end();
}

/* The planted defects by which warpcheck measures itself, all but the one that has none. */
static void list_mutants(bool json)
{
    struct error error = {.text = "built without fuzz targets"};
    struct impl_offer *offers = NULL;
    size_t count = 0;
#ifdef WARPCHECK_MUTANTS
    offers = impl_list_plugin(WARPCHECK_MUTANTS, &count, &error);
    if (!file_exists(WARPCHECK_MUTANTS))
        error_set(&error, ERROR_UNAVAILABLE, "not built: cmake --build %s --target warpcheck-mutants",
                  WARPCHECK_BINARY_DIR);
#endif
    if (json)
        out_begin_array("mutants");
    else
        heading("mutants: one planted defect each (warpcheck score measures which check catches them)");
    for (size_t i = 0; i < count; i++)
        if (strcmp(offers[i].name, "base") != 0)
            list_implementation(json, offers[i].name, offers[i].description, NULL);
    if (!offers && !json)
        printf("  %sUNAVAILABLE%s: %s\n", paint(PAINT_YELLOW), paint(PAINT_PLAIN), error.text);
    free(offers);
    if (json)
        out_end();
}

struct section {
    const char *name;
    void (*print)(bool json);
};
static const struct section sections[] = {
    {"instructions", list_instructions}, {"implementations", list_implementations}, {"enumerations", list_enumerations},
    {"targets", list_targets},           {"properties", list_properties},           {"mutants", list_mutants}};
#define SECTIONS (sizeof sections / sizeof sections[0])

static int list_sections(bool json, const char *only)
{
    bool known = false;
    if (json)
        out_start();
    for (size_t i = 0; i < SECTIONS; i++) {
        if (only && strcmp(only, sections[i].name) != 0)
            continue;
        known = true;
        sections[i].print(json);
        if (!json && !only && i + 1 < SECTIONS)
            printf("\n");
    }
    if (json && known)
        out_print();
    if (known)
        return STATUS_AGREE;
    return usage_error(
        &command_list,
        "nothing is called '%s': instructions, implementations, enumerations, targets, properties, mutants, or a "
        "plugin FILE.so",
        only);
}

static int run_main(int argc, char **argv)
{
    bool json = false;
    struct impl_name name;
    const struct option table[] = {
        {OPT_JSON, &json, NULL, false},
    };
    int operands = options_parse(&command_list, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands > 1)
        return usage_error(&command_list,
                           "takes one word: instructions, implementations, enumerations, targets, properties, mutants");
    if (operands == 1 && impl_name_parse(argv[1], &name, NULL) && name.kind == IMPL_PLUGIN && name.inner[0] == '\0')
        return list_plugin(json, name.path);
    return list_sections(json, operands == 1 ? argv[1] : NULL);
}

const struct command command_list = {
    .name = "list",
    .summary = "instructions with their legality, implementations, enumerations, targets, properties, mutants",
    .help = "usage: warpcheck list [WHAT] [--json]\n"
            "\n"
            "WHAT is instructions, implementations, enumerations, targets, properties, mutants, or FILE.so.\n"
            "\n"
            "What cannot be used here is listed as UNAVAILABLE, with the reason.\n",
    .run = run_main};
