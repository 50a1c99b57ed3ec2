/* SPDX-License-Identifier: Apache-2.0 */
/* Reads, checks and writes the tuning file by a table of its terms. */
#include "choose/tuning.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/conf.h"
#include "base/log.h"
#include "base/settings.h"
#include "base/status.h"

#define SECOND 1e9
#define EXACT 9007199254740992.0 /* integers below this are exact in a double */

typedef enum kind { TIME, CURVE, RATE, SIZE } kind;

typedef struct term {
    const char *name;
    kind kind;
    size_t offset; /* in hy_model; of a double, hy_curve, double or uint64_t */
} term;

#define TERM(name_, kind_) \
    { \
#name_, kind_, offsetof(hy_model, name_) \
    }

#define NET(kind_, name_, term_) \
    { \
        name_, TIME, offsetof(hy_model, nets[kind_].term_) \
    }

#define NETS(kind_, name_) \
    NET(kind_, name_ "_latency", latency), NET(kind_, name_ "_overhead", overhead), \
        NET(kind_, name_ "_gap", gap), NET(kind_, name_ "_byte", byte)

static const term terms[] = {
    TERM(signal, TIME),    TERM(flight, TIME),       TERM(take, TIME),
    TERM(step, TIME),      TERM(turn, TIME),         TERM(start, TIME),
    TERM(copy, CURVE),     TERM(payload_out, CURVE), TERM(payload_in, CURVE),
    TERM(put, CURVE),      TERM(get, CURVE),         TERM(single, CURVE),
    TERM(reduce, CURVE),   TERM(reduce_get, CURVE),  TERM(cached, SIZE),
    TERM(bandwidth, RATE), NETS(HY_NET_TCP, "tcp"),  NETS(HY_NET_VERBS, "verbs"),
};

#define TERMS (sizeof terms / sizeof terms[0])

static int values_of(const term *term)
{
    return term->kind == CURVE ? HY_CURVE_POINTS : 1;
}

/* The value of a term by index; a curve has several. */
static double get(const term *term, const hy_model *model, int index)
{
    const char *at = (const char *)model + term->offset;
    if (term->kind == SIZE) return (double)*(const uint64_t *)(const void *)at;
    return ((const double *)(const void *)at)[index];
}

static void set(const term *term, hy_model *model, int index, double value)
{
    char *at = (char *)model + term->offset;
    if (term->kind == SIZE) *(uint64_t *)(void *)at = (uint64_t)value;
    else ((double *)(void *)at)[index] = value;
}

static bool is_sound(const term *term, double value)
{
    if (!(value >= 0)) return false;
    if (term->kind == SIZE) return value < EXACT && value == floor(value);
    return value < SECOND && (term->kind != RATE || value > 0);
}

static const char *expected(const term *term)
{
    switch (term->kind) {
    case TIME: return "a number of at least 0 and below 1e9";
    case CURVE: return "8 numbers of at least 0 and below 1e9";
    case RATE: return "a number above 0 and below 1e9";
    default: return "a whole number of at least 0 and below 2^53";
    }
}

/* ---- reading ---- */

/* A decimal number, whatever the locale of the process: the C locale is static, this cannot
 * fail. */
static bool read_number(const char **at, double *value)
{
    char *end;
    *at += strspn(*at, " \t");
    size_t length = strspn(*at, "0123456789.eE+-");
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    *value = strtod_l(*at, &end, c);
    freelocale(c);
    bool whole = length > 0 && end == *at + length;
    *at = end;
    return whole;
}

static int read_term(const hy_conf *conf, const term *term, hy_model *model)
{
    const char *at = conf->value;
    bool sound = true;
    for (int i = 0; sound && i < values_of(term); i++) {
        double value;
        sound = read_number(&at, &value) && is_sound(term, value);
        if (sound) set(term, model, i, value);
    }
    return sound && !*at ? HAYATE_OK : hy_conf_fail(conf, "expected %s", expected(term));
}

static int read_machine(const hy_conf *conf)
{
    char here[160];
    hy_tuning_machine(here, sizeof here);
    if (strcmp(conf->value, here) == 0) return HAYATE_OK;
    return hy_conf_fail(conf, "expected \"%.80s\", this machine; run hayate tune on it", here);
}

/* The bit of a term, or of the machine. */
static int read_line(const hy_conf *conf, hy_model *model, uint64_t *seen)
{
    size_t i = 0;
    while (i < TERMS && strcmp(conf->key, terms[i].name) != 0) i++;
    if (i == TERMS && strcmp(conf->key, "machine") != 0)
        return hy_conf_fail(conf,
                            "unknown, expected machine or a term of the model such as signal");
    if (*seen >> i & 1) return hy_conf_fail(conf, "occurs twice, expected once");
    *seen |= UINT64_C(1) << i;
    return i < TERMS ? read_term(conf, &terms[i], model) : read_machine(conf);
}

static int read_lines(hy_conf *conf, hy_model *model)
{
    uint64_t seen = 0;
    int rc = HAYATE_OK, more = 0;
    while (!rc && (more = hy_conf_next(conf)) > 0) rc = read_line(conf, model, &seen);
    if (rc || more) return rc ? rc : more;
    for (size_t i = 0; i <= TERMS; i++)
        if (!(seen >> i & 1))
            return hy_fail(HAYATE_ERR_ARGUMENT, "%s: expected \"%s\" in it; run hayate tune again",
                           conf->name, i < TERMS ? terms[i].name : "machine");
    return HAYATE_OK;
}

int hy_tuning_load(const char *path, int cpus, hy_model *model)
{
    hy_conf conf;
    hy_model read = hy_model_default(cpus);
    *model = read;
    int rc = hy_conf_open(&conf, path);
    if (rc) return rc;
    rc = read_lines(&conf, &read);
    hy_conf_close(&conf);
    if (rc) return rc;
    read.measured = true;
    *model = read;
    return HAYATE_OK;
}

/* ---- once per process ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static hy_model found;    /* measured: read from the file */
static char problem[640]; /* why the file is not used; "": it is, or there need be none */

/* Usually there is no file in the default place, but a file that was named must exist. */
static void load_once(void)
{
    char path[PATH_MAX];
    bool asked = hy_setting_text(HY_SET(TUNING)) != NULL;
    int rc = hy_tuning_path(path, sizeof path);
    if (rc == HAYATE_OK) {
        if (!path[0] || (!asked && access(path, F_OK) != 0)) return;
        rc = hy_tuning_load(path, 1, &found);
    } else if (!asked) {
        return;
    }
    if (rc) snprintf(problem, sizeof problem, "%s", hayate_error());
}

void hy_tuning_warn(void)
{
    static atomic_flag warned = ATOMIC_FLAG_INIT;
    pthread_once(&once, load_once);
    if (problem[0] && !atomic_flag_test_and_set(&warned))
        hy_log(HY_LOG_WARN, "%s; default times are used", problem);
}

hy_model hy_tuning_model(int cpus)
{
    hy_model model = hy_model_default(cpus);
    pthread_once(&once, load_once);
    if (!found.measured) return model;
    int allowed = model.cpus;
    model = found;
    model.cpus = allowed;
    return model;
}

/* ---- writing ---- */

int hy_tuning_check(const hy_model *model)
{
    for (size_t i = 0; i < TERMS; i++) {
        const term *t = &terms[i];
        for (int j = 0; j < values_of(t); j++)
            if (!is_sound(t, get(t, model, j)))
                return hy_fail(HAYATE_ERR_ARGUMENT, "model term %s, value %d is %g: expected %s",
                               t->name, j, get(t, model, j), expected(t));
    }
    return HAYATE_OK;
}

/* The shortest decimal number that reads back as the same value. */
static void write_number(FILE *file, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    fputs(text, file);
}

static void write_values(FILE *file, const char *name, const term *term, const hy_model *model)
{
    fputs(name, file);
    for (int i = 0; i < values_of(term); i++) {
        fputc(' ', file);
        write_number(file, get(term, model, i));
    }
    fputc('\n', file);
}

static void write_model(FILE *file, const hy_model *model, const hy_model *errors)
{
    char text[160];
    struct tm utc;
    time_t seconds = time(NULL);
    gmtime_r(&seconds, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    fprintf(file, "# Measured by hayate tune, %s. In ns; bandwidth: bytes per ns; cached: bytes.\n",
            text);
    hy_tuning_machine(text, sizeof text);
    fprintf(file, "machine = %s\n", text);
    for (const term *t = terms; t < terms + TERMS; t++) {
        if (errors && t->kind != SIZE) write_values(file, "# error", t, errors);
        fprintf(file, "%s =", t->name);
        write_values(file, "", t, model);
    }
}

/* Creates the directories above `path`. For a directory that exists, mkdir may fail with another
 * error than EEXIST. */
static int make_directories(const char *path)
{
    char above[PATH_MAX];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(above, sizeof above, "%.*s", (int)(slash - path), path);
        if (mkdir(above, 0700) == 0 || errno == EEXIST) continue;
        int error = errno;
        if (access(above, F_OK) == 0) continue;
        errno = error;
        return hy_fail_errno("%s: cannot create the directory for the tuning file", above);
    }
    return HAYATE_OK;
}

/* Root could replace a device by a file. */
static int check_replaceable(const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0 || S_ISREG(about.st_mode)) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_ARGUMENT, "%s is not a regular file; name another one", path);
}

/* Closes fd. Writes decimal points whatever the locale of the process. */
static bool write_file(int fd, const hy_model *model, const hy_model *errors)
{
    FILE *file = fdopen(fd, "w");
    if (!file) {
        close(fd);
        return false;
    }
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(c);
    write_model(file, model, errors);
    uselocale(before);
    freelocale(c);
    bool written = fflush(file) == 0 && !ferror(file) && fsync(fd) == 0;
    return fclose(file) == 0 && written;
}

int hy_tuning_store(const char *path, const hy_model *model, const hy_model *errors)
{
    char draft[PATH_MAX];
    if (!path[0]) return hy_fail(HAYATE_ERR_ARGUMENT, "no tuning file: HAYATE_TUNING is none");
    int rc = hy_tuning_check(model);
    if (rc) return rc;
    if (snprintf(draft, sizeof draft, "%s.XXXXXX", path) >= (int)sizeof draft)
        return hy_fail(HAYATE_ERR_ARGUMENT, "%.60s...: expected a path of fewer than %d characters",
                       path, PATH_MAX - 7);
    rc = make_directories(path);
    if (!rc) rc = check_replaceable(path);
    if (rc) return rc;
    int fd = mkostemp(draft, O_CLOEXEC); /* mode 0600 */
    if (fd < 0) return hy_fail_errno("%s: cannot write the tuning file", path);
    if (write_file(fd, model, errors) && rename(draft, path) == 0) return HAYATE_OK;
    rc = hy_fail_errno("%s: cannot write the tuning file", path);
    unlink(draft);
    return rc;
}
