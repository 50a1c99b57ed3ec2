/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/test.h"
#include "base/file_fixture.h"
#include "base/status.h"
#include "choose/rules.h"

static hy_rules *load(const char *text)
{
    hy_rules *rules;
    write_text("rules.conf", text);
    assert_ok(hy_rules_load("rules.conf", &rules));
    return rules;
}

/* Arity of the rule that fits, by which the rules of these tests are told apart; 0: none. */
static int arity_for(const hy_rules *rules, hy_coll coll, int size, uint64_t bytes)
{
    hy_shape shape = {.coll = coll, .size = size, .bytes = bytes, .unit = 1};
    const hy_hint *hint = hy_rules_find(rules, &shape);
    return hint ? hint->way.arity : 0;
}

TEST(should_take_the_first_rule_that_fits)
{
    hy_rules *rules = load("# collective = ranks, bytes, hint\n"
                           "allreduce = ranks=2..8 bytes=0..64K arity=2\n"
                           "allreduce = arity=3\n"
                           "* = arity=4,ranks=5\n"
                           "*=bytes=4K arity=5\n"
                           "* = arity=6 bytes=1048576..9007199254740993\n");
    static const struct {
        hy_coll coll;
        int size;
        uint64_t bytes;
        int arity;
    } cases[] = {{HY_COLL_ALLREDUCE, 2, 0, 2},         {HY_COLL_ALLREDUCE, 8, 65536, 2},
                 {HY_COLL_ALLREDUCE, 1, 8, 3},         {HY_COLL_ALLREDUCE, 9, 8, 3},
                 {HY_COLL_ALLREDUCE, 8, 65537, 3},     {HY_COLL_BCAST, 5, 4096, 4},
                 {HY_COLL_BCAST, 4, 4096, 5},          {HY_COLL_BCAST, 6, 4095, 0},
                 {HY_COLL_BCAST, 6, 4097, 0},          {HY_COLL_BARRIER, 5, 0, 4},
                 {HY_COLL_BARRIER, 6, 0, 0},           {HY_COLL_GATHER, 1000000, 1048575, 0},
                 {HY_COLL_GATHER, 1000000, 1048576, 6}};
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(arity_for(rules, cases[i].coll, cases[i].size, cases[i].bytes),
                         cases[i].arity);
    hy_rules_free(rules);
}

TEST(should_bring_the_whole_hint)
{
    hy_rules *rules = load(
        "bcast = algorithm=binomial transfer=get ranks=1..9 segment=32K progress=thread\n");
    const hy_hint *hint = hy_rules_find(rules, &(hy_shape){.coll = HY_COLL_BCAST, .size = 4});
    assert_non_null(hint);
    assert_string_equal(hint->algorithm, "binomial");
    assert_int_equal(hint->way.transfer, HY_TRANSFER_GET);
    assert_int_equal(hint->way.segment, 32768);
    assert_int_equal(hint->progress, HY_PROGRESS_THREAD);
    hy_rules_free(rules);
}

TEST(should_allow_no_rules_at_all_and_any_shape_of_size)
{
    hy_rules *rules = load("");
    assert_int_equal(arity_for(rules, HY_COLL_BCAST, 4, 4), 0);
    hy_rules_free(rules);
    rules = load("* = bytes=0..16777215T ranks=1..2147483647 arity=2\n");
    assert_int_equal(arity_for(rules, HY_COLL_BCAST, INT32_MAX, INT64_MAX), 2);
    hy_rules_free(rules);
}

TEST(should_pass_a_rule_for_any_collective_by_where_its_algorithm_is_unknown)
{
    hy_rules *rules = load("* = algorithm=recursive_doubling arity=2\n* = arity=3\n");
    assert_int_equal(arity_for(rules, HY_COLL_ALLREDUCE, 4, 4), 2);
    assert_int_equal(arity_for(rules, HY_COLL_BCAST, 4, 4), 3);
    hy_rules_free(rules);
}

#define RANKS(word) \
    "rules.conf:2: \"bcast\": ranks=" word ": expected one value or FROM..TO, such as 2..8"
#define BYTES(word) \
    "rules.conf:2: \"bcast\": bytes=" word ": expected one value or FROM..TO, such as 0..64K"
#define COLLS \
    "expected one of barrier, bcast, reduce, allreduce, gather, scatter, allgather, alltoall, " \
    "reduce_scatter, scan, exscan, *"

TEST(should_refuse_a_damaged_file_with_line_and_expectation)
{
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"{ \"rules\": [] }\n", "rules.conf:1: \"{ \"rules\": [] }\": expected key = value"},
        {"\n* = arity=4", "rules.conf:2: expected a newline at its end: the file is cut off"},
        {"\nallreduces = arity=4\n", "rules.conf:2: \"allreduces\": " COLLS},
        {"\n= arity=4\n", "rules.conf:2: \"\": " COLLS},
        {"\nbcast = ranks=\n", RANKS("")},
        {"\nbcast = ranks=0\n", RANKS("0")},
        {"\nbcast = ranks=-2\n", RANKS("-2")},
        {"\nbcast = ranks=2.5\n", RANKS("2.5")},
        {"\nbcast = ranks=2K\n", RANKS("2K")},
        {"\nbcast = ranks=2147483648\n", RANKS("2147483648")},
        {"\nbcast = ranks=99999999999999999999\n", RANKS("99999999999999999999")},
        {"\nbcast = ranks=two\n", RANKS("two")},
        {"\nbcast = ranks=2..\n", RANKS("2..")},
        {"\nbcast = ranks=..3\n", RANKS("..3")},
        {"\nbcast = ranks=2..3..4\n", RANKS("2..3..4")},
        {"\nbcast = ranks=2...4\n", RANKS("2...4")},
        {"\nbcast = ranks=8..2\n", RANKS("8..2")},
        {"\nbcast = ranks=2 arity=4 ranks=3\n",
         "rules.conf:2: \"bcast\": ranks is given twice, expected once"},
        {"\nbcast = ranks=000000000000000000000000000000000000000000000002\n",
         RANKS("000000000000000000000000000000000000000000000002")},
        {"\nbcast = bytes=-1\n", BYTES("-1")},
        {"\nbcast = bytes=0.5\n", BYTES("0.5")},
        {"\nbcast = bytes=16777216T\n", BYTES("16777216T")},
        {"\nbcast = bytes=1e3\n", BYTES("1e3")},
        {"\nbcast = bytes=64K..65535\n", BYTES("64K..65535")},
        {"\nbcast = bytes=64 K\n",
         "rules.conf:2: \"bcast\": \"K\": expected key=value, such as algorithm=ring"},
        {"\nbcast = rank=2\n",
         "rules.conf:2: \"bcast\": \"rank\" is unknown: expected one of algorithm, transfer, "
         "buffers, sync, segment, arity, progress, choice"},
        {"\nbcast = ring\n",
         "rules.conf:2: \"bcast\": \"ring\": expected key=value, such as algorithm=ring"},
        {"\nbcast = arity=1\n",
         "rules.conf:2: \"bcast\": arity=1: expected a number from 2 to 64, or auto"},
        {"\n* = algorithm=nosuch\n",
         "rules.conf:2: \"*\": no collective has an algorithm \"nosuch\""},
        {"\n* = algorithm=ring,segment=0\n",
         "rules.conf:2: \"*\": segment=0: expected a size of at least 1 byte such as 32K, or none, "
         "or auto"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        hy_rules *rules = (hy_rules *)&rules;
        write_text("rules.conf", bad[i].text);
        if (hy_rules_load("rules.conf", &rules) != HAYATE_ERR_ARGUMENT)
            fail_msg("was taken: %s", bad[i].text);
        assert_string_equal(hayate_error(), bad[i].reason);
        assert_null(rules);
    }
}

TEST(should_name_the_algorithms_of_the_rule_s_collective)
{
    hy_rules *rules;
    char reason[256] = "rules.conf:2: \"bcast\": bcast has no algorithm \"recursive_doubling\", "
                       "expected one of ";
    size_t used = strlen(reason);
    hy_hint_algorithms(HY_COLL_BCAST, NULL, reason + used, sizeof reason - used);
    assert_non_null(strstr(reason + used, "binomial"));
    write_text("rules.conf", "\nbcast = algorithm=recursive_doubling\n");
    assert_refused(hy_rules_load("rules.conf", &rules), HAYATE_ERR_ARGUMENT, reason);
}

TEST(should_say_why_a_file_cannot_be_read)
{
    hy_rules *rules;
    assert_refused(hy_rules_load("absent.conf", &rules), HAYATE_ERR_SYSTEM,
                   "absent.conf: cannot be opened: No such file or directory");
    assert_code(hy_rules_load("", &rules), HAYATE_ERR_SYSTEM);
    assert_code(hy_rules_load("/", &rules), HAYATE_ERR_ARGUMENT);
    assert_null(rules);
}

int main(void)
{
    return tests_run_in(enter_directory, leave_directory);
}
