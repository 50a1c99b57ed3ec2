/* SPDX-License-Identifier: Apache-2.0 */
/* The whole file is in memory; its lines are cut into key and value in place. */
#include "base/conf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "base/status.h"

/* Keeps the end of a long name, which tells more than its beginning, without control characters. */
static void keep_name(hy_conf *conf, const char *name)
{
    size_t length = strlen(name), room = sizeof conf->name - 1;
    const char *from = name;
    if (length > room) {
        from = name + length - (room - 3);
        while ((*from & 0xc0) == 0x80) from++; /* not inside a character */
    }
    snprintf(conf->name, sizeof conf->name, "%s%s", from == name ? "" : "...", from);
    for (char *c = conf->name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f) *c = '?';
}

void hy_conf_where(const hy_conf *conf, char *text, size_t size)
{
    if (conf->key) snprintf(text, size, "%s:%u: \"%.40s\"", conf->name, conf->line, conf->key);
    else snprintf(text, size, "%s:%u", conf->name, conf->line);
}

int hy_conf_fail(const hy_conf *conf, const char *format, ...)
{
    char where[160], reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    hy_conf_where(conf, where, sizeof where);
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %s", where, reason);
}

/* ---- the file ---- */

/* Reads at most `size` bytes; -1 with errno. */
static ssize_t read_all(int fd, char *to, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t got = read(fd, to + length, size - length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        length += (size_t)got;
    }
    return (ssize_t)length;
}

int hy_conf_open(hy_conf *conf, const char *path)
{
    *conf = (hy_conf){0};
    keep_name(conf, path);
    int fd = hy_open_regular(path);
    if (fd < 0 && errno) return hy_fail_errno("%s: cannot be opened", conf->name);
    if (fd < 0) return hy_fail(HAYATE_ERR_ARGUMENT, "%s: expected a regular file", conf->name);
    conf->text = malloc(HY_CONF_BYTES + 1);
    ssize_t length = conf->text ? read_all(fd, conf->text, HY_CONF_BYTES + 1) : 0;
    int rc = !conf->text  ? hy_fail(HAYATE_ERR_NO_MEMORY, "%s: no memory to read it", conf->name)
             : length < 0 ? hy_fail_errno("%s: cannot be read", conf->name)
             : length > HY_CONF_BYTES
                 ? hy_fail(HAYATE_ERR_ARGUMENT, "%s: expected at most %u bytes", conf->name,
                           HY_CONF_BYTES)
                 : HAYATE_OK;
    close(fd);
    if (rc) hy_conf_close(conf);
    conf->rest = conf->text;
    conf->end = rc ? conf->text : conf->text + length;
    return rc;
}

void hy_conf_close(hy_conf *conf)
{
    free(conf->text);
    conf->text = NULL;
}

/* ---- its lines ---- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts blanks off both ends of a text, and ends it. Returns its end. */
static char *strip_blanks(char **from, char *end)
{
    while (*from < end && is_blank(**from)) (*from)++;
    while (end > *from && is_blank(end[-1])) end--;
    *end = '\0';
    return end;
}

static int read_line(hy_conf *conf, char *line, char *end)
{
    for (const char *c = line; c < end; c++)
        if ((*c < ' ' && *c != '\t') || *c > '~')
            return hy_conf_fail(conf, "expected printable ASCII, found the byte 0x%02x",
                                (unsigned char)*c);
    char *equals = strchr(line, '=');
    if (!equals) return hy_conf_fail(conf, "\"%.40s\": expected key = value", line);
    conf->value = equals + 1;
    strip_blanks(&line, equals);
    strip_blanks(&conf->value, end);
    conf->key = line;
    return 1;
}

int hy_conf_next(hy_conf *conf)
{
    conf->key = NULL;
    while (conf->rest < conf->end) {
        char *line = conf->rest, *end = memchr(line, '\n', (size_t)(conf->end - line));
        conf->line++;
        if (!end) return hy_conf_fail(conf, "expected a newline at its end: the file is cut off");
        conf->rest = end + 1;
        end = strip_blanks(&line, end);
        if (line < end && *line != '#') return read_line(conf, line, end);
    }
    return 0;
}
