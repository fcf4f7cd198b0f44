/*
 * The files of examples/ that `warpcheck new` copies; the build makes a source of them (cmake/embed.cmake).
 */
#ifndef WARPCHECK_CLI_WORK_TEMPLATES_H
#define WARPCHECK_CLI_WORK_TEMPLATES_H

struct template_file {
    const char *shape; /* the folder in examples/; NULL behind the last */
    const char *name;
    const char *text;
};
extern const struct template_file template_files[];

#endif
