/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/test.h"
#include "base/status.h"
#include "choose/simulate.h"
#include "explain/explain.h"
#include "explain/state.h"
#include "sched/algorithms/algorithms.h"

/* What a text has in field `index` of its record number `number` of a kind; "" when there is none.
 * Valid until the next call. */
static const char *field(const char *text, const char *kind, int number, int index)
{
    static char found[400];
    size_t length = strlen(kind);
    for (; *text; text = strchr(text, '\n') + 1) {
        if (strncmp(text, kind, length) != 0 || text[length] != '\t' || number-- > 0) continue;
        const char *at = text;
        for (int i = 0; i < index; i++) at += strcspn(at, "\t\n") + 1;
        snprintf(found, sizeof found, "%.*s", (int)strcspn(at, "\t\n"), at);
        return found;
    }
    return "";
}

static double nanoseconds(const char *text, const char *kind, int number, int index)
{
    return (double)strtoll(field(text, kind, number, index), NULL, 10) / 1000;
}

static int records(const char *text, const char *kind)
{
    int count = 0;
    while (*field(text, kind, count, 0)) count++;
    return count;
}

static hy_explain_ask ask(const char *coll, int ranks, uint64_t bytes)
{
    return (hy_explain_ask){.coll = coll, .ranks = ranks, .bytes = bytes, .cpus = ranks};
}

static hy_explain *opened(const hy_explain_ask *ask)
{
    hy_explain *explain = NULL;
    assert_ok(hy_explain_open(ask, &explain));
    return explain;
}

static int set_up(void **state)
{
    (void)state;
    setenv("HAYATE_TUNING", "none", 1);
    unsetenv("HAYATE_COLL");
    unsetenv("HAYATE_COLL_BCAST");
    unsetenv("HAYATE_COLL_ALLREDUCE");
    unsetenv("HAYATE_COLL_RULES");
    return 0;
}

TEST(should_tell_the_choice_that_the_model_makes)
{
    const hy_explain_ask a = ask("allreduce", 8, 65536);
    const hy_shape shape = {
        .coll = HY_COLL_ALLREDUCE, .size = 8, .bytes = 65536, .unit = 8, .wired = true};
    const hy_model model = hy_model_default(8);
    hy_explain *e = opened(&a);
    hy_choice best;
    char *text;
    assert_ok(hy_choose(&model, &(hy_request){.shape = shape}, &best));
    assert_ok(hy_explain_choice(e, 1000, &text));
    assert_string_equal(best.algorithm->name, field(text, "candidate", 0, 2));
    assert_true(fabs(best.ns - nanoseconds(text, "candidate", 0, 5)) < 0.01);
    assert_string_equal("8", field(text, "ask", 0, 5));
    assert_string_equal("default", field(text, "model", 0, 1));
    assert_int_equal(atoi(field(text, "total", 0, 1)), records(text, "candidate"));
    free(text);
    assert_ok(hy_explain_choice(e, 2, &text));
    assert_int_equal(2, records(text, "candidate"));
    free(text);
    hy_explain_close(e);
}

TEST(should_show_the_paper_beside_binomial_broadcasts_only)
{
    const hy_explain_ask a = ask("bcast", 16, 4096);
    const hy_model model = hy_model_default(16);
    hy_explain *e = opened(&a);
    char *text;
    int binomials = 0;
    assert_ok(hy_explain_choice(e, 1000, &text));
    for (int i = 0; i < records(text, "candidate"); i++) {
        bool binomial = strcmp(field(text, "candidate", i, 2), "binomial") == 0;
        bool straight = strstr(field(text, "candidate", i, 3), "straight") != NULL;
        binomials += binomial;
        if (!binomial) assert_string_equal("-", field(text, "candidate", i, 9));
        if (!binomial || !straight) continue;
        double sync = hy_formula_signal(&model);
        double put = 4 * hy_curve_at(&model.put, 4096) + 5 * sync;
        double get = 4 * hy_curve_at(&model.get, 4096) + 2 * sync;
        assert_true(fabs(put - nanoseconds(text, "candidate", i, 9)) < 0.01);
        assert_true(fabs(get - nanoseconds(text, "candidate", i, 10)) < 0.01);
    }
    assert_true(binomials >= 2);
    free(text);
    hy_explain_close(e);
}

TEST(should_name_whose_hint_counts)
{
    hy_explain_ask a = ask("bcast", 8, 65536);
    char *text;
    setenv("HAYATE_COLL_BCAST", "transfer=get", 1);
    setenv("HAYATE_COLL", "transfer=put algorithm=binomial", 1);
    a.line = "segment=8K transfer=auto";
    a.all_property = "algorithm=ring";
    hy_explain *e = opened(&a);
    assert_ok(hy_explain_choice(e, 1000, &text));
    assert_string_equal("command line", field(text, "hint", 0, 1));
    assert_string_equal("segment=8192", field(text, "hint", 0, 2));
    assert_string_equal("HAYATE_COLL_BCAST", field(text, "hint", 1, 1));
    assert_string_equal("transfer=get", field(text, "hint", 1, 2));
    assert_string_equal("HAYATE_COLL", field(text, "hint", 2, 1));
    assert_string_equal("algorithm=binomial", field(text, "hint", 2, 2));
    assert_int_equal(3, records(text, "hint"));
    for (int i = 0; i < records(text, "candidate"); i++) {
        assert_string_equal("binomial", field(text, "candidate", i, 2));
        assert_non_null(strstr(field(text, "candidate", i, 3), "get"));
        assert_non_null(strstr(field(text, "candidate", i, 3), "segment 8192"));
    }
    free(text);
    hy_explain_close(e);
}

/* As a program would have it, when there is no command line. */
TEST(should_come_to_the_hint_that_programs_come_to)
{
    hy_explain_ask a = ask("bcast", 8, 65536);
    hy_hint hint;
    setenv("HAYATE_COLL_BCAST", "transfer=get segment=8K", 1);
    setenv("HAYATE_COLL", "algorithm=binomial transfer=put arity=3", 1);
    a.own_property = "sync=counters";
    hy_explain *e = opened(&a);
    assert_ok(hy_hint_gather(&e->shape, a.own_property, NULL, NULL, &hint));
    assert_string_equal(hint.algorithm, e->hint.algorithm);
    assert_memory_equal(&hint.way, &e->hint.way, sizeof hint.way);
    hy_explain_close(e);
}

TEST(should_take_of_a_hint_for_all_collectives_what_fits)
{
    hy_explain_ask a = ask("barrier", 8, 0);
    setenv("HAYATE_COLL", "algorithm=ring transfer=put", 1);
    hy_explain *e = opened(&a);
    assert_string_equal("", e->hint.algorithm);
    assert_int_equal(HY_TRANSFER_PUT, e->hint.way.transfer);
    hy_explain_close(e);
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

TEST(should_name_the_rules_file_and_tell_when_it_is_damaged)
{
    char path[] = "/tmp/hayate-explain-XXXXXX";
    hy_explain_ask a = ask("allreduce", 8, 65536);
    int fd = mkstemp(path);
    char *text;
    assert_true(fd >= 0);
    close(fd);
    a.rules = path;
    write_text(path, "* = algorithm=ring\n");
    hy_explain *e = opened(&a);
    assert_ok(hy_explain_choice(e, 1, &text));
    assert_string_equal("algorithm=ring", field(text, "hint", 0, 2));
    assert_non_null(strstr(field(text, "hint", 0, 1), path));
    assert_string_equal("ring", field(text, "candidate", 0, 2));
    free(text);
    hy_explain_close(e);
    write_text(path, "* = algorithm=nosuch\n");
    e = opened(&a);
    assert_ok(hy_explain_choice(e, 1, &text));
    assert_int_equal(0, records(text, "hint"));
    assert_non_null(strstr(field(text, "note", 0, 1), path));
    free(text);
    hy_explain_close(e);
    unlink(path);
}

TEST(should_list_the_steps_that_were_simulated)
{
    hy_explain_ask a = ask("bcast", 4, 65536);
    char *text;
    a.line = "algorithm=binomial transfer=put buffers=straight sync=counters segment=none";
    hy_explain *e = opened(&a);
    assert_ok(hy_explain_steps(e, -1, 1, 1000, &text));
    assert_int_equal(4, records(text, "rank"));
    uint64_t steps = 0, signals = 0;
    double end = 0;
    for (int r = 0; r < 4; r++) {
        steps += strtoull(field(text, "rank", r, 2), NULL, 10);
        signals += strtoull(field(text, "rank", r, 3), NULL, 10);
    }
    assert_int_equal(steps, records(text, "step"));
    assert_int_equal(signals, atoi(field(text, "run", 0, 3)));
    assert_int_equal(3 * 65536, atoi(field(text, "run", 0, 4)));
    for (int i = 0; i < records(text, "step"); i++) {
        assert_true(nanoseconds(text, "step", i, 7) <= nanoseconds(text, "step", i, 8));
        if (nanoseconds(text, "step", i, 8) > end) end = nanoseconds(text, "step", i, 8);
    }
    /* rank 3 then reads what rank 1 or 2 has put */
    assert_true(nanoseconds(text, "run", 0, 1) > end + 100);
    free(text);
    assert_ok(hy_explain_steps(e, 2, 3, 5, &text));
    assert_int_equal(1, records(text, "rank"));
    assert_string_equal("2", field(text, "rank", 0, 1));
    assert_int_equal(5, records(text, "step"));
    assert_int_equal(3 * atoi(field(text, "rank", 0, 2)) - 5, atoi(field(text, "more", 0, 1)));
    free(text);
    hy_explain_close(e);
}

/* Beyond a node rank 0 stands for all: the steps of another one come without times. */
TEST(should_list_steps_of_a_rank_that_was_not_simulated)
{
    hy_explain_ask a = ask("barrier", 8192, 0);
    char *text;
    a.line = "algorithm=dissemination";
    hy_explain *e = opened(&a);
    assert_ok(hy_explain_steps(e, 5, 1, 1000, &text));
    assert_string_equal("alike", field(text, "run", 0, 9));
    assert_int_equal(26, records(text, "step"));
    assert_string_equal("5", field(text, "step", 0, 1));
    assert_string_equal("-", field(text, "step", 0, 8));
    free(text);
    assert_code(hy_explain_steps(e, -1, 1, 1000, &text), HAYATE_ERR_ARGUMENT);
    assert_refused(hy_explain_steps(e, 8192, 1, 1000, &text), HAYATE_ERR_ARGUMENT, "0 to 8191");
    assert_code(hy_explain_steps(e, 0, 0, 1000, &text), HAYATE_ERR_ARGUMENT);
    hy_explain_close(e);
}

TEST(should_simulate_a_candidate_on_many_ranks)
{
    hy_explain_ask a = ask("bcast", 100000, 8);
    char *text;
    a.cpus = 0;
    a.spread = true;
    a.line = "algorithm=binomial transfer=put buffers=prepared";
    hy_explain *e = opened(&a);
    assert_ok(hy_explain_scale(e, 0, 100000, 1, true, &text));
    assert_string_equal("binomial", field(text, "scale", 0, 1));
    assert_string_equal("100000", field(text, "scale", 0, 2));
    assert_int_equal(99999, atoi(field(text, "scale", 0, 5)));  /* a signal for each but the root */
    assert_int_equal(17, atoi(field(text, "scale", 0, 7)));     /* the root's children */
    assert_int_equal(17, atoi(field(text, "scale", 0, 13)));    /* and all its own steps */
    assert_true(nanoseconds(text, "scale", 0, 4) > 17 * 50);    /* at least the flights */
    assert_true(nanoseconds(text, "scale", 0, 14) < 10000000.); /* 10 ms */
    free(text);
    assert_ok(hy_explain_scale(e, 0, 2, 1, false, &text));
    assert_string_equal("-", field(text, "scale", 0, 13));
    free(text);
    assert_code(hy_explain_scale(e, 99, 2, 1, false, &text), HAYATE_ERR_ARGUMENT);
    hy_explain_close(e);
}

TEST(should_say_why_a_candidate_is_not_simulated)
{
    hy_explain_ask a = ask("bcast", 8, 1 << 20);
    char *text;
    a.line = "algorithm=scatter_allgather buffers=straight";
    hy_explain *e = opened(&a);
    assert_ok(hy_explain_scale(e, 0, 100000, 1, false, &text));
    assert_string_equal("scatter_allgather", field(text, "unscaled", 0, 1));
    assert_true(nanoseconds(text, "unscaled", 0, 3) > 0);
    assert_non_null(strstr(field(text, "unscaled", 0, 4), "100000 ranks"));
    free(text);
    hy_explain_close(e);
}

TEST(should_explain_that_there_is_nothing_to_do)
{
    for (int coll = 0; coll < HY_COLL_COUNT; coll++) {
        for (int ranks = 1; ranks <= 5; ranks += 4) {
            if (coll == HY_COLL_BARRIER && ranks > 1) continue;
            const hy_explain_ask a = ask(hy_coll_name((hy_coll)coll), ranks, 0);
            hy_explain *e = opened(&a);
            char *text;
            assert_ok(hy_explain_choice(e, 1000, &text));
            assert_string_equal("0", field(text, "candidate", 0, 8));
            free(text);
            assert_ok(hy_explain_steps(e, -1, 1, 1000, &text));
            assert_int_equal(0, records(text, "step"));
            free(text);
            hy_explain_close(e);
        }
    }
}

TEST(should_refuse_what_does_not_exist_and_say_what_does)
{
    static const struct {
        hy_explain_ask ask;
        const char *words;
    } bad[] = {
        {{.coll = "nosuch", .ranks = 2}, "allreduce"},
        {{.coll = "bcast", .ranks = 0}, "expected 1 to"},
        {{.coll = "bcast", .ranks = 4, .root = 4, .bytes = 8}, "root 4"},
        {{.coll = "allreduce", .ranks = 4, .root = 1, .bytes = 8}, "has no root"},
        {{.coll = "allreduce", .ranks = 4, .bytes = 12}, "whole elements"},
        {{.coll = "bcast", .ranks = 4, .bytes = 8, .line = "algorithm=nosuch"}, "binomial"},
        {{.coll = "bcast", .ranks = 4, .bytes = 8, .line = "transfer=push"}, "put, get"},
        {{.coll = "allgather", .ranks = 6, .bytes = 8, .line = "algorithm=recursive_doubling"},
         "power of two"},
        {{.coll = "bcast", .ranks = 4, .bytes = 8, .line = "algorithm=linear arity=1"}, "2 to 64"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        hy_explain *e = NULL;
        assert_refused(hy_explain_open(&bad[i].ask, &e), HAYATE_ERR_ARGUMENT, bad[i].words);
        assert_null(e);
    }
}

static void explain_on_several_nodes(const char *collective, const char *net)
{
    hy_explain_ask a = ask(collective, 32, 64);
    char *text;
    a.cpus = 8;
    a.nodes = 4;
    a.net = net;
    for (int cyclic = 0; cyclic < 2; cyclic++) {
        a.cyclic = cyclic;
        hy_explain *e = opened(&a);
        assert_ok(hy_explain_choice(e, 1000, &text));
        assert_string_equal("4", field(text, "ask", 0, 8));
        assert_string_equal(net, field(text, "ask", 0, 9));
        assert_string_equal("two_level", field(text, "candidate", 0, 2));
        assert_non_null(strstr(field(text, "candidate", 0, 3), "; across "));
        assert_int_equal(2, records(text, "note"));
        assert_non_null(strstr(field(text, "note", 0, 1), "without delegatees"));
        assert_non_null(strstr(field(text, "note", 1, 1), "progress=delegated"));
        free(text);
        assert_ok(hy_explain_steps(e, -1, 1, 100000, &text));
        free(text);
        assert_ok(hy_explain_scale(e, 0, 16, 1, false, &text)); /* two nodes */
        assert_string_equal("two_level", field(text, "scale", 0, 1));
        free(text);
        assert_ok(hy_explain_scale(e, 0, 8, 1, false, &text)); /* one */
        assert_non_null(strstr(field(text, "unscaled", 0, 4), "several nodes"));
        free(text);
        hy_explain_close(e);
    }
}

TEST(should_explain_what_is_chosen_on_several_nodes)
{
    explain_on_several_nodes("allreduce", "verbs");
    explain_on_several_nodes("allgather", "verbs");
    explain_on_several_nodes("alltoall", "tcp");
}

TEST(should_refuse_nodes_and_networks_that_cannot_be)
{
    hy_explain_ask a = ask("bcast", 4, 64);
    hy_explain *e;
    a.nodes = 5;
    assert_refused(hy_explain_open(&a, &e), HAYATE_ERR_ARGUMENT, "expected 1 to 4");
    a.nodes = -1;
    assert_code(hy_explain_open(&a, &e), HAYATE_ERR_ARGUMENT);
    a.nodes = 2;
    a.net = "pigeons";
    assert_refused(hy_explain_open(&a, &e), HAYATE_ERR_ARGUMENT, "expected tcp or verbs");
}

int main(void)
{
    tests_each(set_up, NULL);
    return tests_run();
}
