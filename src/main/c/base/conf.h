/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a file of lines `key = value`. Lines that are empty or begin with '#' are skipped; blanks
 * around key and value do not count. What keys there may be, and how often, the caller decides.
 *
 * Files are not trusted: a regular file of at most HY_CONF_BYTES, printable ASCII except in
 * comments, and a newline behind the last line, so that the beginning of a line is not taken for
 * all of it.
 */
#ifndef HY_BASE_CONF_H
#define HY_BASE_CONF_H

#include <stddef.h>
#include <stdint.h>

#define HY_CONF_BYTES (UINT32_C(1) << 20)

typedef struct hy_conf {
    const char *key; /* of the current line; NULL: none yet */
    char *value;     /* may be changed; both are valid until hy_conf_close() */
    uint32_t line;   /* from 1 */
    char *text, *rest, *end;
    char name[96]; /* of the file, for messages: the end of a long one */
} hy_conf;

/* SYSTEM: the file cannot be read. ARGUMENT: it is too long, or no file. NO_MEMORY. After an error,
 * nothing needs to be closed. */
int hy_conf_open(hy_conf *conf, const char *path);
void hy_conf_close(hy_conf *conf);

/* 1: there is a further line, with key and value; 0: there is none. ARGUMENT with file, line and
 * what was expected. */
int hy_conf_next(hy_conf *conf);

/* The place of the current line: `rules.conf:7: "bcast"`. */
void hy_conf_where(const hy_conf *conf, char *text, size_t size);

/* ARGUMENT: the place of the current line and the reason. */
int hy_conf_fail(const hy_conf *conf, const char *format, ...)
    __attribute__((format(printf, 2, 3), cold));

#endif
