/* SPDX-License-Identifier: Apache-2.0 */
/* Settings come from environment variables HAYATE_<NAME>. settings_table.c has one row for each:
 * its type, default, range and meaning are written there and nowhere else. `hayate info
 * --settings` and the tables of the manual and the guide are generated from the rows. An invalid
 * value is an error that names the variable, the value and what was expected; an empty value
 * counts as unset. */
#ifndef HY_BASE_SETTINGS_H
#define HY_BASE_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hy_setting_type {
    HY_TYPE_CHOICE,  /* one of the words */
    HY_TYPE_NUMBER,  /* a number from low to high, or one of the words */
    HY_TYPE_BYTES,   /* the same, with an optional suffix K, M, G or T */
    HY_TYPE_RANGE,   /* LOW-HIGH, two such numbers */
    HY_TYPE_NAME,    /* any text */
    HY_TYPE_FILE,    /* a path */
    HY_TYPE_FOLDERS, /* absolute paths of directories, separated by colons */
    HY_TYPE_OPTIONS, /* "key=value,..." */
    HY_TYPE_RANK     /* not for users: a launcher sets it for its ranks */
} hy_setting_type;

typedef struct hy_setting {
    const char *name;     /* HAYATE_...; NULL: a property of Java only */
    const char *property; /* the property of Java with the same meaning; NULL: none */
    bool property_first;  /* it takes precedence over the variable */
    hy_setting_type type;
    const char *const *words; /* ends with NULL; NULL: none */
    uint64_t low, high;
    uint64_t fallback;   /* the default: a number, or the index of a word (see hy_word_value) */
    const char *unset;   /* the default in words, if it is not a number or word of this row */
    const char *unit;    /* of numbers; NULL: bytes, or a plain number; "seconds" permits "30s" */
    const char *reader;  /* what reads it, if not each rank */
    const char *meaning; /* sentences */
} hy_setting;

/* In the order of settings_table.c. */
typedef enum hy_setting_id {
    HY_SET_HEAP,
    HY_SET_NET,
    HY_SET_NET_DEVICE,
    HY_SET_NET_PORTS,
    HY_SET_NET_ADMIT,
    HY_SET_NET_SILENCE,
    HY_SET_NET_LOCAL,
    HY_SET_OFI_PROVIDER,
    HY_SET_LIBRARIES,
    HY_SET_ENDPOINTS,
    HY_SET_EAGER_LIMIT,
    HY_SET_RENDEZVOUS,
    HY_SET_CMA_FROM,
    HY_SET_ATTACH_CACHE,
    HY_SET_WAIT,
    HY_SET_COLL,
    HY_SET_COLL_BARRIER, /* from here on, in the order of the collectives (sched/schedule.h) */
    HY_SET_COLL_BCAST,
    HY_SET_COLL_REDUCE,
    HY_SET_COLL_ALLREDUCE,
    HY_SET_COLL_GATHER,
    HY_SET_COLL_SCATTER,
    HY_SET_COLL_ALLGATHER,
    HY_SET_COLL_ALLTOALL,
    HY_SET_COLL_REDUCE_SCATTER,
    HY_SET_COLL_SCAN,
    HY_SET_COLL_EXSCAN,
    HY_SET_COLL_RULES,
    HY_SET_TUNING,
    HY_SET_LOG,
    HY_SET_LOG_TO,
    HY_SET_WATCHDOG,
    HY_SET_FLIGHT,
    HY_SET_TIMEOUT,
    HY_SET_SURVIVE,
    HY_SET_DELEGATE,
    HY_SET_DELEGATE_WAIT,
    HY_SET_NODE,
    HY_SET_STORE,
    HY_SET_STORE_SECRET,
    HY_SET_STORE_NAME,
    HY_SET_STORE_LIMIT,
    HY_SET_RUN,
    HY_SET_LIBRARY_PATH,
    HY_SET_SCALAPACK,
    HY_SET_RANK,
    HY_SET_SIZE,
    HY_SET_LOCAL_RANK,
    HY_SET_BOOT_FD,
    HY_SETTINGS
} hy_setting_id;

extern const hy_setting hy_settings[HY_SETTINGS];

/* HY_SET(HEAP) is the row of HAYATE_HEAP. */
#define HY_SET(name) (&hy_settings[HY_SET_##name])

/* Bounds and defaults that other code needs as constants. */
#define HY_HEAP_LOW (UINT64_C(64) << 10)
#define HY_HEAP_HIGH (UINT64_C(1) << 44)
#define HY_EAGER_LIMIT_LOW 56
#define HY_EAGER_LIMIT_DEFAULT 4096
#define HY_ATTACH_CACHE_HIGH (UINT64_C(64) << 30)
#define HY_ENDPOINTS_HIGH 64
#define HY_NET_SILENCE_DEFAULT 10 /* seconds */
#define HY_OFI_PROVIDER_DEFAULT "tcp;ofi_rxm"

/* The value of a number that is given as the word `index` of its row; different from all valid
 * numbers. */
#define hy_word_value(index) (UINT64_MAX - (uint64_t)(index))

/* Words of HAYATE_ENDPOINTS. */
#define HY_ENDPOINTS_AUTO hy_word_value(0)
#define HY_ENDPOINTS_THREAD hy_word_value(1)

/* The word of HAYATE_TIMEOUT. */
#define HY_TIMEOUT_OFF hy_word_value(0)

/* The word of HAYATE_WATCHDOG. */
#define HY_WATCHDOG_OFF hy_word_value(0)

/* Converts text such as "64M", "4K", "1g", "4096" to bytes. 0, or HAYATE_ERR_ARGUMENT without a
 * reason. */
int hy_parse_bytes(const char *text, uint64_t *bytes);

/* The text of the variable; NULL if it is unset or empty. Valid until the environment changes. */
const char *hy_setting_text(const hy_setting *row);

/* The value of a CHOICE (index of the word), NUMBER or BYTES; the default if it is unset. */
int hy_setting_value(const hy_setting *row, uint64_t *value);

/* The same, with a default that depends on the machine. */
int hy_setting_value_or(const hy_setting *row, uint64_t fallback, uint64_t *value);

/* The same, where `property` is the value of the row's property of Java, which counts while the
 * variable is unset; NULL or empty: the property is unset, too. */
int hy_setting_value_in_java(const hy_setting *row, const char *property, uint64_t *value);

/* The value of a CHOICE between the row's first word and `names` (terminated by NULL), in this
 * order. */
int hy_setting_among(const hy_setting *row, const char *const *names, uint64_t *index);

/* The value of a RANGE; both are 0 if it is unset. */
int hy_setting_range(const hy_setting *row, uint64_t *low, uint64_t *high);

/* Whether `text` is a valid value of the row: HAYATE_OK, or ARGUMENT with the reason. */
int hy_setting_check(const hy_setting *row, const char *text);

/* ---- in words; all of them are cut at `size` ---- */

/* "4K", "1000": the shortest exact form. */
void hy_bytes_print(uint64_t bytes, char *text, size_t size);

/* The value that is used if the setting is unset. */
void hy_setting_print_default(const hy_setting *row, char *text, size_t size);

/* The values that it accepts: "64K to 16T", "adaptive, spin or block", "a directory". */
void hy_setting_print_accepted(const hy_setting *row, char *text, size_t size);

/* ---- names that are not settings ---- */

/* Stores a sentence about the variable `name` if it begins with HAYATE_ and is not a setting,
 * otherwise an empty text. The name may be anything: characters that cannot be printed become
 * '?'. */
void hy_setting_explain_unknown(const char *name, char *text, size_t size);

/* One warning in the log for each such variable of the environment, at most once in a process. */
void hy_settings_warn(void);

/* Logs (debug) which settings differ from their defaults. */
void hy_settings_log(void);

#endif
