/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/test.h"
#include "base/text_fixture.h"
#include "base/status.h"
#include "choose/tuning_fixture.h"

#define THREADS 8

static const double odd[] = {0,
                             5e-324,
                             0.1,
                             1.0 / 3,
                             12.3,
                             3.141592653589793,
                             1e6 / 7,
                             0x1.fffffffffffffp+20,
                             999999999.9999999};

/* Numbers that do not survive rounding, a different one everywhere. */
static hy_model odd_model(int shift)
{
    hy_model model = hy_model_default(2);
    double *times[] = {&model.signal, &model.flight, &model.take,
                       &model.step,   &model.turn,   &model.start};
    hy_curve *curves[] = {&model.payload_out, &model.payload_in, &model.copy,   &model.put,
                          &model.get,         &model.single,     &model.reduce, &model.reduce_get};
    for (size_t i = 0; i < COUNT(times); i++) *times[i] = odd[(i + (size_t)shift) % COUNT(odd)];
    for (size_t i = 0; i < COUNT(curves); i++)
        for (size_t j = 0; j < HY_CURVE_POINTS; j++)
            curves[i]->ns[j] = odd[(i + j + (size_t)shift) % COUNT(odd)] /
                               (1.0 + (double)(i * 8 + j));
    model.bandwidth = 100.0 / 7;
    model.cached = 9007199254740991;
    for (int i = 0; i < HY_NETS; i++)
        model.nets[i] = (hy_net_model){odd[(i + shift) % (int)COUNT(odd)], 1.0 / (shift + 3),
                                       odd[(i + shift + 4) % (int)COUNT(odd)], 0.1 + i};
    return model;
}

/* In all terms; what stands behind them has padding. */
static void assert_same(const hy_model *a, const hy_model *b)
{
    assert_memory_equal(a, b, offsetof(hy_model, cpus));
    assert_memory_equal(a->nets, b->nets, sizeof a->nets);
}

/* ---- round trip ---- */

TEST(should_read_back_exactly_what_was_written)
{
    for (int shift = 0; shift < (int)COUNT(odd); shift++) {
        hy_model written = odd_model(shift), errors = odd_model(shift + 1), read;
        for (int with = 0; with < 2; with++) {
            assert_ok(hy_tuning_store("t.conf", &written, with ? &errors : NULL));
            assert_ok(hy_tuning_load("t.conf", 3, &read));
            assert_same(&read, &written);
            assert_true(read.measured);
            assert_int_equal(read.cpus, 3);
            assert_int_equal(strstr(read_text("t.conf"), "error") != NULL, with);
        }
    }
}

TEST(should_write_numbers_that_people_can_read)
{
    hy_model model = hy_model_default(2), errors = {.signal = 0.4};
    model.signal = 12.3;
    assert_ok(hy_tuning_store("t.conf", &model, &errors));
    assert_non_null(strstr(read_text("t.conf"), "# error 0.4\nsignal = 12.3\n"));
    assert_ok(hy_tuning_store("t.conf", &model, NULL));
    assert_non_null(strstr(read_text("t.conf"), "\nsignal = 12.3\n"));
}

TEST(should_write_and_read_alike_in_any_locale)
{
    hy_model written = odd_model(0), read;
    if (!set_comma_locale()) skip();
    int stored = hy_tuning_store("t.conf", &written, &written);
    int loaded = hy_tuning_load("t.conf", 2, &read);
    const char *here = text_of("%.1f", 0.5);
    setlocale(LC_ALL, "C");
    assert_ok(stored);
    assert_ok(loaded);
    assert_same(&read, &written);
    assert_string_equal(here, "0,5"); /* the locale was as before in between */
}

TEST_WITH(should_make_the_directories_and_keep_the_file_private, clear_environment, NULL)
{
    struct stat stat_of;
    char path[256];
    hy_model model = hy_model_default(2);
    assert_ok(hy_tuning_path(path, sizeof path));
    assert_ok(hy_tuning_store(path, &model, NULL));
    assert_int_equal(stat(path, &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 0777, 0600);
    assert_int_equal(stat(".cache/hayate", &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 0777, 0700);
    /* Nothing but the file is left: rmdir says whether that is so. */
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(".cache/hayate"), 0);
}

TEST(should_leave_the_old_file_when_it_cannot_write)
{
    hy_model model = hy_model_default(2), read;
    assert_code(hy_tuning_store("", &model, NULL), HAYATE_ERR_ARGUMENT);
    assert_int_equal(mkdir("taken", 0700), 0);
    assert_code(hy_tuning_store("taken", &model, NULL), HAYATE_ERR_ARGUMENT);
    assert_int_equal(rmdir("taken"), 0);
    assert_int_equal(mkfifo("pipe", 0600), 0); /* as /dev/null would be replaced by root */
    assert_int_equal(symlink("pipe", "link"), 0);
    assert_code(hy_tuning_store("link", &model, NULL), HAYATE_ERR_ARGUMENT);
    assert_non_null(strstr(hayate_error(), "link is not a regular file"));
    assert_int_equal(unlink("link") | unlink("pipe"), 0);
    write_text("file", "");
    assert_code(hy_tuning_store("file/t.conf", &model, NULL), HAYATE_ERR_SYSTEM);
    assert_code(hy_tuning_store("/proc/nowhere/t.conf", &model, NULL), HAYATE_ERR_SYSTEM);
    assert_non_null(
        strstr(hayate_error(), "/proc/nowhere: cannot create the directory for the tuning file"));
    assert_ok(hy_tuning_store("kept.conf", &model, NULL));
    model.take = NAN;
    assert_code(hy_tuning_store("kept.conf", &model, NULL), HAYATE_ERR_ARGUMENT);
    assert_ok(hy_tuning_load("kept.conf", 2, &read));
    assert_true(read.take == hy_model_default(2).take);
}

TEST(should_not_write_what_it_would_not_read)
{
    hy_model bad[9];
    for (size_t i = 0; i < COUNT(bad); i++) bad[i] = hy_model_default(2);
    bad[0].signal = -1;
    bad[1].turn = 1e9;
    bad[2].start = INFINITY;
    bad[3].copy.ns[7] = NAN;
    bad[4].reduce_get.ns[0] = -0.5;
    bad[5].bandwidth = 0;
    bad[6].bandwidth = NAN;
    bad[7].cached = UINT64_C(1) << 53;
    bad[8].cached = UINT64_MAX;
    for (size_t i = 0; i < COUNT(bad); i++) {
        assert_code(hy_tuning_store("t.conf", &bad[i], NULL), HAYATE_ERR_ARGUMENT);
        if (i == 3)
            assert_string_equal(hayate_error(), "model term copy, value 7 is nan: expected 8 "
                                                "numbers of at least 0 and below 1e9");
    }
}

/* ---- damage ---- */

static void assert_damaged(const char *reason)
{
    hy_model model, standard = hy_model_default(2);
    memset(&model, 77, sizeof model);
    int rc = hy_tuning_load("t.conf", 2, &model);
    if (rc == HAYATE_OK) fail_msg("was taken: expected %s", reason);
    assert_code(rc, HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), reason);
    assert_same(&model, &standard);
    assert_false(model.measured);
}

/* A good file with the first `from` replaced. */
static void write_damaged(const char *from, const char *to)
{
    hy_model model = hy_model_default(2), errors = {.signal = 0.4};
    model.signal = 10;
    model.copy = (hy_curve){{5, 24, 180, 1700, 17e3, 85e3, 420e3, 2e6}};
    model.bandwidth = 12;
    model.cached = 16777216;
    assert_ok(hy_tuning_store("t.conf", &model, &errors));
    static char text[65536];
    const char *good = read_text("t.conf"), *at = strstr(good, from);
    if (!at) fail_msg("'%s' is not in the file", from);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    write_text("t.conf", text);
}

#define TIME "t.conf:4: \"signal\": expected a number of at least 0 and below 1e9"
#define CURVE "t.conf:16: \"copy\": expected 8 numbers of at least 0 and below 1e9"
#define COPY "copy = 5 24 180 1700 17000 85000 420000 2000000"
#define SIZE "t.conf:31: \"cached\": expected a whole number of at least 0 and below 2^53"
#define RATE "t.conf:33: \"bandwidth\": expected a number above 0 and below 1e9"

TEST(should_refuse_a_damaged_file_with_line_and_expectation)
{
    static const struct {
        const char *from, *to, *reason;
    } bad[] = {
        {"machine = ", "# ", "t.conf: expected \"machine\" in it; run hayate tune again"},
        {"signal = 10", "", "t.conf: expected \"signal\" in it; run hayate tune again"},
        {"verbs_byte", "# ", "t.conf: expected \"verbs_byte\" in it; run hayate tune again"},
        {"signal = 10", "signals = 10",
         "t.conf:4: \"signals\": unknown, expected machine or a term of the model such as signal"},
        {"signal = 10", "\"signal\": 10", "t.conf:4: \"\"signal\": 10\": expected key = value"},
        {"# error 0.4", "signal = 10", "t.conf:4: \"signal\": occurs twice, expected once"},
        {"# error 0.4", "machine = x", "t.conf:3: \"machine\": occurs twice, expected once"},
        {"signal = 10", "signal = ", TIME},
        {"signal = 10", "signal = -1", TIME},
        {"signal = 10", "signal = 1000000000", TIME},
        {"signal = 10", "signal = 1e400", TIME},
        {"signal = 10", "signal = 10 10", TIME},
        {"signal = 10", "signal = 10 ns", TIME},
        {"signal = 10", "signal = 10ns", TIME},
        {"signal = 10", "signal = 1,5", TIME},
        {"signal = 10", "signal = nan", TIME},
        {"signal = 10", "signal = inf", TIME},
        {"signal = 10", "signal = 0x10", TIME},
        {"signal = 10", "signal = 1e", TIME},
        {"signal = 10", "signal = 1-1", TIME},
        {COPY, "copy = 5", CURVE},
        {COPY, "copy = 1 2 3 4 5 6 7", CURVE},
        {COPY, "copy = 1 2 3 4 5 6 7 8 9", CURVE},
        {COPY, "copy = 1, 2, 3, 4, 5, 6, 7, 8", CURVE},
        {COPY, "copy = 1 2 3 4 5 6 7 -8", CURVE},
        {COPY, "copy = 1 2 3 4 5 6 7 x", CURVE},
        {"cached = 16777216", "cached = 0.5", SIZE},
        {"cached = 16777216", "cached = 9007199254740992", SIZE},
        {"cached = 16777216", "cached = 1e300", SIZE},
        {"bandwidth = 12", "bandwidth = 0", RATE},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        write_damaged(bad[i].from, bad[i].to);
        assert_damaged(bad[i].reason);
    }
}

TEST(should_refuse_a_file_of_another_machine)
{
    char machine[160];
    hy_tuning_machine(machine, sizeof machine);
    const char *reason = text_of(
        "t.conf:2: \"machine\": expected \"%.80s\", this machine; run hayate tune on it", machine);
    write_damaged("CPU", "CPv");
    assert_damaged(reason);
    write_damaged("machine = ", "machine = The ");
    assert_damaged(reason);
}

TEST(should_refuse_every_beginning_of_a_file)
{
    hy_model model = hy_model_default(2), standard = model;
    assert_ok(hy_tuning_store("t.conf", &model, &model));
    static char text[65536];
    strcpy(text, read_text("t.conf"));
    size_t whole = strlen(text);
    for (size_t length = 0; length < whole; length++) {
        write_bytes("t.conf", text, length);
        assert_code(hy_tuning_load("t.conf", 2, &model), HAYATE_ERR_ARGUMENT);
        assert_same(&model, &standard);
    }
}

TEST(should_say_why_a_file_cannot_be_read)
{
    hy_model model, standard = hy_model_default(2);
    assert_code(hy_tuning_load("absent.conf", 2, &model), HAYATE_ERR_SYSTEM);
    assert_string_equal(hayate_error(), "absent.conf: cannot be opened: No such file or directory");
    assert_same(&model, &standard);
}

/* ---- once per process ---- */

typedef struct outcome {
    hy_model models[THREADS];
    char log[8192];
} outcome;

static void *ask(void *model)
{
    *(hy_model *)model = hy_tuning_model(5);
    hy_tuning_warn();
    return NULL;
}

/* What hy_tuning_model() gives to all threads of a fresh process, and what it logs. */
static outcome *ask_in_a_new_process(void)
{
    static outcome *shared;
    if (!shared)
        shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                      0);
    assert_true(shared != MAP_FAILED);
    pid_t child = fork();
    if (child == 0) {
        pthread_t threads[THREADS];
        log_begin();
        for (int i = 0; i < THREADS; i++)
            if (pthread_create(&threads[i], NULL, ask, &shared->models[i]) != 0) _exit(1);
        for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
        shared->models[0] = hy_tuning_model(5);
        hy_tuning_warn();
        snprintf(shared->log, sizeof shared->log, "%s", log_end());
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    for (int i = 0; i < THREADS; i++) {
        assert_same(&shared->models[i], &shared->models[0]);
        assert_int_equal(shared->models[i].measured, shared->models[0].measured);
        assert_int_equal(shared->models[i].cpus, 5);
    }
    return shared;
}

static void assert_defaults_with_log(const char *log)
{
    hy_model standard = hy_model_default(5);
    outcome *outcome = ask_in_a_new_process();
    assert_same(&outcome->models[0], &standard);
    assert_false(outcome->models[0].measured);
    assert_int_equal(occurrences(outcome->log, "\n"), log ? 1 : 0);
    if (log) assert_non_null(strstr(outcome->log, log));
}

TEST_WITH(should_choose_by_the_file_where_there_is_one, clear_environment, NULL)
{
    char path[256];
    hy_model model = odd_model(2);
    assert_ok(hy_tuning_path(path, sizeof path));
    assert_ok(hy_tuning_store(path, &model, NULL));
    outcome *outcome = ask_in_a_new_process();
    assert_same(&outcome->models[0], &model);
    assert_true(outcome->models[0].measured);
    assert_string_equal(outcome->log, "");
    setenv("HAYATE_TUNING", "none", 1);
    assert_defaults_with_log(NULL);
    assert_int_equal(unlink(path), 0);
}

TEST_WITH(should_choose_by_the_defaults_where_there_is_none, clear_environment, NULL)
{
    assert_defaults_with_log(NULL);
    unsetenv("HOME");
    assert_defaults_with_log(NULL);
}

TEST_WITH(should_log_once_that_a_file_is_damaged, clear_environment, NULL)
{
    write_damaged("signal = 10", "signal = x");
    setenv("HAYATE_TUNING", "t.conf", 1);
    assert_defaults_with_log("t.conf:4: \"signal\": expected a number of at least 0 and below 1e9; "
                             "default times are used\n");
    setenv("HAYATE_TUNING", "absent.conf", 1);
    assert_defaults_with_log("absent.conf: cannot be opened");
}

int main(void)
{
    return tests_run_in(enter_directory, leave_directory);
}
