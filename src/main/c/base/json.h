/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads configuration in JSON (RFC 8259, strictly) into a tree whose values know their lines, so
 * that an error about a value can give its place. It is not a library from outside, because this
 * library is loaded into other programs' processes, and would bring a certain version of a JSON
 * library into each of them.
 *
 * Files are not trusted: a regular file of at most HY_JSON_BYTES, at most HY_JSON_DEPTH nested
 * arrays and objects, at most HY_JSON_MEMBERS members in an object, none of them twice, well-formed
 * UTF-8, no text with a NUL, no number that does not fit into a double.
 */
#ifndef HY_BASE_JSON_H
#define HY_BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HY_JSON_BYTES (UINT32_C(1) << 20)
#define HY_JSON_DEPTH 16
#define HY_JSON_MEMBERS 256

typedef enum hy_json_kind {
    HY_JSON_NULL,
    HY_JSON_BOOL,
    HY_JSON_NUMBER,
    HY_JSON_TEXT,
    HY_JSON_ARRAY,
    HY_JSON_OBJECT,
} hy_json_kind;

typedef struct hy_json_value {
    hy_json_kind kind;
    uint32_t line;               /* line on which it begins, from 1 */
    uint32_t count;              /* elements of an array or object */
    double number;               /* finite; for a BOOL, 0 or 1 */
    const char *text;            /* for a TEXT: decoded, terminated by NUL */
    const char *name;            /* decoded key of a member of an object; else NULL */
    struct hy_json_value *first; /* of an array or object, in the order of the file */
    struct hy_json_value *next;  /* in the same array or object */
} hy_json_value;

typedef struct hy_json {
    hy_json_value *root; /* valid, with all values below it, until hy_json_release() */
    char *text;
    char name[96]; /* name of the file for messages: the end of a long name */
} hy_json;

/* SYSTEM: the file cannot be read. ARGUMENT with file, line and what was expected. NO_MEMORY.
 * After an error, nothing needs to be released. */
int hy_json_read(hy_json *json, const char *path);

/* The same for bytes in memory, which are copied. */
int hy_json_parse(hy_json *json, const char *name, const char *bytes, size_t length);
void hy_json_release(hy_json *json);

/* NULL if it is not an object, or has no such member. */
const hy_json_value *hy_json_member(const hy_json_value *object, const char *name);

/* ARGUMENT if it is not an object, if one of its members is not in `names` (NULL-terminated), or
 * if one of the first `needed` names is missing; the reason tells which. */
int hy_json_check(const hy_json *json, const hy_json_value *object, const char *const *names,
                  int needed);

/* The place of a value: `rules.json:7: "ranks"`, without a name if it has none. */
void hy_json_where(const hy_json *json, const hy_json_value *at, char *text, size_t size);

/* ARGUMENT: `rules.json:7: "ranks": ` and the reason, with control characters made visible. */
int hy_json_fail(const hy_json *json, const hy_json_value *at, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

#endif
