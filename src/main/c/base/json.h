/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads configuration in JSON (RFC 8259, strictly) into a tree whose values know their lines, so
 * that whoever finds one wrong can say where. It is our own because this library is loaded into
 * other people's processes: a JSON library would come into every one of them, with its version.
 *
 * A file is hostile until read: at most HY_JSON_BYTES of a regular file, HY_JSON_DEPTH arrays and
 * objects within each other, HY_JSON_MEMBERS members of an object, none of them twice, UTF-8 that
 * is well formed, no text with a NUL, no number beyond a double.
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
    uint32_t line;               /* where it begins, from 1 */
    uint32_t count;              /* of an array or object */
    double number;               /* finite; of a BOOL 0 or 1 */
    const char *text;            /* of a TEXT: decoded, ends in NUL */
    const char *name;            /* decoded key, in an object; else NULL */
    struct hy_json_value *first; /* of an array or object, in the file's order */
    struct hy_json_value *next;  /* in the same array or object */
} hy_json_value;

typedef struct hy_json {
    hy_json_value *root; /* it and all below live until hy_json_release() */
    char *text;
    char name[96]; /* of the file, for messages: the end of a long one */
} hy_json;

/* SYSTEM: it cannot be read. ARGUMENT with file, line and what was expected. NO_MEMORY. After an
 * error there is nothing to release. */
int hy_json_read(hy_json *json, const char *path);

/* The same for bytes that are in memory already; they are copied. */
int hy_json_parse(hy_json *json, const char *name, const char *bytes, size_t length);
void hy_json_release(hy_json *json);

/* NULL when it is no object, or has no such member. */
const hy_json_value *hy_json_member(const hy_json_value *object, const char *name);

/* ARGUMENT: says that it is no object, or which of its members is none of `names`
 * (NULL-terminated), or which of the first `needed` of these is missing. */
int hy_json_check(const hy_json *json, const hy_json_value *object, const char *const *names,
                  int needed);

/* Place of a value: `rules.json:7: "ranks"`, without the name where it has none. */
void hy_json_where(const hy_json *json, const hy_json_value *at, char *text, size_t size);

/* ARGUMENT: `rules.json:7: "ranks": ` and the reason, control characters made visible. */
int hy_json_fail(const hy_json *json, const hy_json_value *at, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

#endif
