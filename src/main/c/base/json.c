/* SPDX-License-Identifier: Apache-2.0 */
/* A recursive-descent parser over the whole text in memory; values come from one array, texts
 * are decoded in place. */
#include "base/json.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "base/status.h"

/* `at` never passes the NUL behind the text, so that one byte ahead may always be read. Texts
 * are decoded in place, which never makes them longer. */
typedef struct parser {
    hy_json *json;
    char *at, *end;
    hy_json_value *free; /* unused values */
    uint32_t line;
    int depth;
} parser;

/* ---- messages ---- */

static void show_controls(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f) *text = '?';
}

/* Keeps the end of a long name, which tells more than its beginning. */
static void keep_name(hy_json *json, const char *name)
{
    size_t length = strlen(name), room = sizeof json->name - 1;
    const char *from = name;
    if (length > room) {
        from = name + length - (room - 3);
        while ((*from & 0xc0) == 0x80) from++; /* not inside a character */
    }
    snprintf(json->name, sizeof json->name, "%s%s", from == name ? "" : "...", from);
    show_controls(json->name);
}

void hy_json_where(const hy_json *json, const hy_json_value *at, char *text, size_t size)
{
    if (at->name) snprintf(text, size, "%s:%u: \"%.40s\"", json->name, at->line, at->name);
    else snprintf(text, size, "%s:%u", json->name, at->line);
    show_controls(text);
}

int hy_json_fail(const hy_json *json, const hy_json_value *at, const char *format, ...)
{
    char where[160], reason[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    hy_json_where(json, at, where, sizeof where);
    show_controls(reason);
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s: %s", where, reason);
}

static int wrong(const parser *p, const char *what)
{
    return hy_json_fail(p->json, &(hy_json_value){.line = p->line}, "%s", what);
}

static int unexpected(const parser *p, const char *expected)
{
    char found[24];
    unsigned char c = (unsigned char)*p->at;
    if (p->at == p->end) snprintf(found, sizeof found, "the end of the file");
    else if (c > ' ' && c < 0x7f) snprintf(found, sizeof found, "'%c'", c);
    else snprintf(found, sizeof found, "the byte 0x%02x", c);
    return hy_json_fail(p->json, &(hy_json_value){.line = p->line}, "expected %s, found %s",
                        expected, found);
}

/* ---- texts ---- */

/* The number of bytes of the character at s; 0: invalid (overlong, a surrogate, beyond
 * U+10FFFF). */
static int utf8_length(const unsigned char *s)
{
    int length = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)) return 0;
    if ((s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90)) return 0;
    return length;
}

static char *utf8_put(char *to, uint32_t c)
{
    if (c < 0x80) {
        *to++ = (char)c;
        return to;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *to++ = (char)((0xff00 >> (more + 1) & 0xff) | c >> (6 * more));
    while (more--) *to++ = (char)(0x80 | (c >> (6 * more) & 0x3f));
    return to;
}

/* The value of XXXX in \uXXXX; -1: invalid. */
static int32_t hex4(const char *s)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        int c = s[i], low = c | 0x20;
        if (c >= '0' && c <= '9') value = value << 4 | (c - '0');
        else if (low >= 'a' && low <= 'f') value = value << 4 | (low - 'a' + 10);
        else return -1;
    }
    return value;
}

/* At the u of \uXXXX; two of these make one character beyond U+FFFF. */
static int unicode(parser *p, char **to)
{
    int32_t high = hex4(p->at + 1), low = 0;
    if (high < 0) return wrong(p, "expected four hexadecimal digits after \\u");
    if (high == 0) return wrong(p, "\\u0000 is not permitted in a text");
    p->at += 5;
    if (high >= 0xd800 && high < 0xe000) {
        if (high < 0xdc00 && p->at[0] == '\\' && p->at[1] == 'u') low = hex4(p->at + 2);
        if (low < 0xdc00 || low > 0xdfff)
            return wrong(p, "expected both halves of a surrogate pair, such as \\ud83d\\ude00");
        p->at += 6;
        high = 0x10000 + (high - 0xd800) * 0x400 + (low - 0xdc00);
    }
    *to = utf8_put(*to, (uint32_t)high);
    return HAYATE_OK;
}

static int escape(parser *p, char **to)
{
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    p->at++;
    if (*p->at == 'u') return unicode(p, to);
    const char *name = *p->at ? strchr(names, *p->at) : NULL;
    if (!name) return unexpected(p, "one of \" \\ / b f n r t u after \\");
    *(*to)++ = values[name - names];
    p->at++;
    return HAYATE_OK;
}

static int character(parser *p, char **to)
{
    if (*p->at == '\\') return escape(p, to);
    if ((unsigned char)*p->at < ' ') return unexpected(p, "the rest of a text and its '\"'");
    int length = utf8_length((const unsigned char *)p->at);
    if (length == 0) return unexpected(p, "UTF-8");
    while (length--) *(*to)++ = *p->at++;
    return HAYATE_OK;
}

/* At the opening '"'. */
static int text(parser *p, const char **decoded)
{
    char *to = ++p->at;
    *decoded = to;
    while (*p->at != '"') {
        int rc = character(p, &to);
        if (rc) return rc;
    }
    p->at++;
    *to = '\0';
    return HAYATE_OK;
}

/* ---- numbers and words ---- */

static bool digits(parser *p)
{
    const char *from = p->at;
    while (*p->at >= '0' && *p->at <= '9') p->at++;
    return p->at > from;
}

static int number(parser *p, hy_json_value *value)
{
    const char *from = p->at;
    if (*p->at == '-') p->at++;
    if (*p->at == '0') p->at++;
    else if (!digits(p)) return unexpected(p, "a digit");
    if (*p->at == '.' && (p->at++, !digits(p))) return unexpected(p, "a digit after the point");
    if ((*p->at | 0x20) == 'e') {
        p->at++;
        if (*p->at == '+' || *p->at == '-') p->at++;
        if (!digits(p)) return unexpected(p, "a digit of the exponent");
    }
    /* Independent of the decimal point in the process's locale. The C locale is static: this
     * cannot fail. */
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    value->kind = HY_JSON_NUMBER;
    value->number = strtod_l(from, NULL, c);
    freelocale(c);
    return isfinite(value->number) ? HAYATE_OK : wrong(p, "this number is too large");
}

static int word(parser *p, hy_json_value *value)
{
    static const struct {
        const char *text;
        hy_json_kind kind;
        double number;
    } words[] = {{"null", HY_JSON_NULL, 0}, {"false", HY_JSON_BOOL, 0}, {"true", HY_JSON_BOOL, 1}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t length = strlen(words[i].text);
        if (strncmp(p->at, words[i].text, length) != 0) continue;
        p->at += length;
        value->kind = words[i].kind;
        value->number = words[i].number;
        return HAYATE_OK;
    }
    return unexpected(p, "a value");
}

/* ---- structure ---- */

static void skip_blanks(parser *p)
{
    for (; *p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'; p->at++)
        if (*p->at == '\n') p->line++;
}

static bool take(parser *p, char c)
{
    skip_blanks(p);
    if (*p->at != c) return false;
    p->at++;
    return true;
}

static int any(parser *p, hy_json_value *value);

static int array(parser *p, hy_json_value *array)
{
    hy_json_value **link = &array->first;
    if (take(p, ']')) return HAYATE_OK;
    do {
        hy_json_value *item = *link = p->free++;
        link = &item->next;
        array->count++;
        int rc = any(p, item);
        if (rc) return rc;
    } while (take(p, ','));
    return take(p, ']') ? HAYATE_OK : unexpected(p, "',' or ']'");
}

/* `member` is not linked yet, so hy_json_member() can only find another member of that name. */
static int key(parser *p, const hy_json_value *object, hy_json_value *member)
{
    skip_blanks(p);
    if (*p->at != '"') return unexpected(p, "a name in '\"'");
    member->line = p->line;
    int rc = text(p, &member->name);
    if (rc) return rc;
    if (hy_json_member(object, member->name))
        return hy_json_fail(p->json, member, "occurs twice, expected once");
    if (object->count == HY_JSON_MEMBERS)
        return hy_json_fail(p->json, member, "expected at most %d members", HY_JSON_MEMBERS);
    return take(p, ':') ? HAYATE_OK : unexpected(p, "':'");
}

static int object(parser *p, hy_json_value *object)
{
    hy_json_value **link = &object->first;
    if (take(p, '}')) return HAYATE_OK;
    do {
        hy_json_value *member = p->free++;
        int rc = key(p, object, member);
        if (rc) return rc;
        *link = member;
        link = &member->next;
        object->count++;
        rc = any(p, member);
        if (rc) return rc;
    } while (take(p, ','));
    return take(p, '}') ? HAYATE_OK : unexpected(p, "',' or '}'");
}

/* Parses an array or an object. The recursion is at most HY_JSON_DEPTH deep. */
static int nest(parser *p, hy_json_value *value)
{
    if (p->depth == HY_JSON_DEPTH)
        return hy_json_fail(p->json, value, "expected at most %d nested arrays and objects",
                            HY_JSON_DEPTH);
    p->depth++;
    value->kind = *p->at++ == '[' ? HY_JSON_ARRAY : HY_JSON_OBJECT;
    int rc = value->kind == HY_JSON_ARRAY ? array(p, value) : object(p, value);
    p->depth--;
    return rc;
}

static int any(parser *p, hy_json_value *value)
{
    skip_blanks(p);
    value->line = p->line;
    char c = *p->at;
    if (c == '[' || c == '{') return nest(p, value);
    if (c == '-' || (c >= '0' && c <= '9')) return number(p, value);
    if (c != '"') return word(p, value);
    value->kind = HY_JSON_TEXT;
    return text(p, &value->text);
}

static int document(parser *p)
{
    int rc = any(p, p->json->root);
    if (rc) return rc;
    skip_blanks(p);
    return p->at == p->end ? HAYATE_OK : unexpected(p, "nothing more");
}

/* An upper bound of the number of values: each except the first follows one of these characters;
 * keys are not counted. A key without a value follows '{' or ','. */
static size_t most_values(const char *from, const char *end)
{
    size_t count = 1;
    for (; from < end; from++) count += *from == '[' || *from == '{' || *from == ',';
    return count;
}

/* json->text is [length] and a NUL; json owns it. */
static int parse(hy_json *json, size_t length)
{
    hy_json_value *values = calloc(most_values(json->text, json->text + length),
                                   sizeof *json->root);
    parser p = {.json = json, .at = json->text, .end = json->text + length, .line = 1};
    json->root = values;
    p.free = values + 1;
    int rc = values ? document(&p)
                    : hy_fail(HAYATE_ERR_NO_MEMORY, "%s: no memory to read it", json->name);
    if (rc) hy_json_release(json);
    return rc;
}

/* Prepares for a text of up to `length` bytes. */
static int prepare(hy_json *json, const char *name, size_t length)
{
    *json = (hy_json){0};
    keep_name(json, name);
    json->text = malloc(length + 1);
    if (json->text) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_NO_MEMORY, "%s: no memory to read it", json->name);
}

static int too_long(const hy_json *json)
{
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s: expected at most %u bytes", json->name, HY_JSON_BYTES);
}

int hy_json_parse(hy_json *json, const char *name, const char *bytes, size_t length)
{
    int rc = prepare(json, name, length <= HY_JSON_BYTES ? length : 0);
    if (rc == HAYATE_OK && length > HY_JSON_BYTES) rc = too_long(json);
    if (rc) {
        hy_json_release(json);
        return rc;
    }
    memcpy(json->text, bytes, length);
    json->text[length] = '\0';
    return parse(json, length);
}

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

/* json->text has room for one byte more than is permitted, and the NUL. */
static int read_file(hy_json *json, const char *path, ssize_t *length)
{
    int fd = hy_open_regular(path), rc = HAYATE_OK;
    if (fd < 0 && errno) return hy_fail_errno("%s: cannot be opened", json->name);
    if (fd < 0) return hy_fail(HAYATE_ERR_ARGUMENT, "%s: expected a regular file", json->name);
    *length = read_all(fd, json->text, HY_JSON_BYTES + 1);
    if (*length < 0) rc = hy_fail_errno("%s: cannot be read", json->name);
    else if (*length > HY_JSON_BYTES) rc = too_long(json);
    close(fd);
    return rc;
}

int hy_json_read(hy_json *json, const char *path)
{
    ssize_t length = 0;
    int rc = prepare(json, path, HY_JSON_BYTES + 1);
    if (rc == HAYATE_OK) rc = read_file(json, path, &length);
    if (rc) {
        hy_json_release(json);
        return rc;
    }
    json->text[length] = '\0';
    return parse(json, (size_t)length);
}

void hy_json_release(hy_json *json)
{
    free(json->root);
    free(json->text);
    json->root = NULL;
    json->text = NULL;
}

/* ---- use ---- */

const hy_json_value *hy_json_member(const hy_json_value *object, const char *name)
{
    if (object->kind != HY_JSON_OBJECT) return NULL;
    for (const hy_json_value *m = object->first; m; m = m->next)
        if (strcmp(m->name, name) == 0) return m;
    return NULL;
}

static bool listed(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0) return true;
    return false;
}

/* Lists as many names as fit completely. */
static void list_names(const char *const *names, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; names[i]; i++) {
        bool fits = used + strlen(names[i]) + sizeof ", , ..." <= size;
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "",
                                 fits ? names[i] : "...");
        if (!fits) return;
    }
}

int hy_json_check(const hy_json *json, const hy_json_value *object, const char *const *names,
                  int needed)
{
    if (object->kind != HY_JSON_OBJECT) return hy_json_fail(json, object, "expected an object");
    for (const hy_json_value *m = object->first; m; m = m->next) {
        char list[160];
        if (listed(m->name, names)) continue;
        list_names(names, list, sizeof list);
        return hy_json_fail(json, m, "unknown, expected only %s", list);
    }
    for (int i = 0; i < needed; i++)
        if (!hy_json_member(object, names[i]))
            return hy_json_fail(json, object, "expected \"%s\" in it", names[i]);
    return HAYATE_OK;
}
