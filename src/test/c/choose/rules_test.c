/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/file_fixture.h"
#include "base/status.h"
#include "choose/rules.h"

static hy_rules *load(const char *text)
{
    hy_rules *rules;
    write_text("rules.json", text);
    if (hy_rules_load("rules.json", &rules) != HAYATE_OK) fail_msg("%s", hayate_error());
    return rules;
}

/* Arity of the rule that fits, by which the rules of these tests are told apart; 0: none. */
static int arity_for(const hy_rules *rules, hy_coll coll, int size, uint64_t bytes)
{
    hy_shape shape = {.coll = coll, .size = size, .bytes = bytes, .unit = 1};
    const hy_hint *hint = hy_rules_find(rules, &shape);
    return hint ? hint->way.arity : 0;
}

static void should_take_the_first_rule_that_fits(void **state)
{
    (void)state;
    hy_rules *rules = load("{ \"rules\": [\n"
                           "  {\"collective\": \"allreduce\", \"ranks\": [2, 8],"
                           "   \"bytes\": [\"0\", \"64K\"], \"hint\": \"arity=2\"},\n"
                           "  {\"collective\": \"allreduce\", \"hint\": \"arity=3\"},\n"
                           "  {\"collective\": \"*\", \"ranks\": 5, \"hint\": \"arity=4\"},\n"
                           "  {\"bytes\": \"4K\", \"hint\": \"arity=5\"},\n"
                           "  {\"bytes\": [1048576, 9007199254740991], \"hint\": \"arity=6\"}]}");
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

static void should_bring_the_whole_hint(void **state)
{
    (void)state;
    hy_rules *rules = load(
        "{\"rules\": [{\"collective\": \"bcast\", \"hint\": \"algorithm=binomial "
        "transfer=get segment=32K progress=thread\"}]}");
    const hy_hint *hint = hy_rules_find(rules, &(hy_shape){.coll = HY_COLL_BCAST, .size = 4});
    assert_non_null(hint);
    assert_string_equal(hint->algorithm, "binomial");
    assert_int_equal(hint->way.transfer, HY_TRANSFER_GET);
    assert_int_equal(hint->way.segment, 32768);
    assert_int_equal(hint->progress, HY_PROGRESS_THREAD);
    hy_rules_free(rules);
}

static void should_allow_no_rules_at_all_and_any_shape_of_size(void **state)
{
    (void)state;
    hy_rules *rules = load("{\"rules\": []}");
    assert_int_equal(arity_for(rules, HY_COLL_BCAST, 4, 4), 0);
    hy_rules_free(rules);
    rules = load("{\"rules\": [{\"bytes\": [0, \"16777215T\"], \"ranks\": [1, 2147483647], "
                 "\"hint\": \"arity=2\"}]}");
    assert_int_equal(arity_for(rules, HY_COLL_BCAST, INT32_MAX, INT64_MAX), 2);
    hy_rules_free(rules);
}

static void should_pass_a_rule_for_any_collective_by_where_its_algorithm_is_unknown(void **state)
{
    (void)state;
    hy_rules *rules = load("{\"rules\": [{\"hint\": \"algorithm=recursive_doubling arity=2\"}, "
                           "{\"hint\": \"arity=3\"}]}");
    assert_int_equal(arity_for(rules, HY_COLL_ALLREDUCE, 4, 4), 2);
    assert_int_equal(arity_for(rules, HY_COLL_BCAST, 4, 4), 3);
    hy_rules_free(rules);
}

#define RULE(inner) "{\"rules\": [\n{\"hint\": \"\"},\n{" inner "}]}"
#define RANKS "rules.json:3: \"ranks\": expected one number or [from, to]"
#define SIZES "rules.json:3: \"bytes\": expected one size (4096, \"64K\") or [from, to]"
#define ORDER "expected [from, to] with from at most to"
#define COLLS \
    "expected one of barrier, bcast, reduce, allreduce, gather, scatter, allgather, alltoall, " \
    "reduce_scatter, scan, exscan, \"*\""
#define TEXT "expected a text such as \"algorithm=ring segment=32K\""

static void should_refuse_a_damaged_file_with_line_and_expectation(void **state)
{
    (void)state;
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"", "rules.json:1: expected a value, found the end of the file"},
        {"{\"rules\": [{}", "rules.json:1: expected ',' or ']', found the end of the file"},
        {"[]", "rules.json:1: expected an object"},
        {"\n3", "rules.json:2: expected an object"},
        {"{}", "rules.json:1: expected \"rules\" in it"},
        {"{\"rules\": [],\n\"more\": 1}", "rules.json:2: \"more\": unknown, expected only rules"},
        {"{\n\"rules\": {}}", "rules.json:2: \"rules\": expected a list of rules"},
        {"{\"rules\": null}", "rules.json:1: \"rules\": expected a list of rules"},
        {"{\"rules\": [\n7]}", "rules.json:2: expected an object"},
        {"{\"rules\": [\n[]]}", "rules.json:2: expected an object"},
        {RULE(""), "rules.json:3: expected \"hint\" in it"},
        {RULE("\"ranks\": 2"), "rules.json:3: expected \"hint\" in it"},
        {RULE("\"hint\": \"\",\n\"rank\": 2"),
         "rules.json:4: \"rank\": unknown, expected only hint, collective, ranks, bytes"},
        {RULE("\"hint\": \"\",\n\"hint\": \"\""),
         "rules.json:4: \"hint\": occurs twice, expected once"},
        {RULE("\"hint\": \"\", \"collective\": \"allreduces\""),
         "rules.json:3: \"collective\": " COLLS},
        {RULE("\"hint\": \"\", \"collective\": 3"), "rules.json:3: \"collective\": " COLLS},
        {RULE("\"hint\": \"\", \"collective\": null"), "rules.json:3: \"collective\": " COLLS},
        {RULE("\"hint\": \"\", \"ranks\": \"2\""), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": 0"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": -2"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": 2.5"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": 2147483648"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": true"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": []"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": [2]"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": [2, 3, 4]"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": [2, \"3\"]"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": [[2, 2], 3]"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": {\"a\": 2, \"b\": 3}"), RANKS},
        {RULE("\"hint\": \"\", \"ranks\": [8, 2]"), "rules.json:3: \"ranks\": " ORDER},
        {RULE("\"hint\": \"\", \"bytes\": -1"), SIZES},
        {RULE("\"hint\": \"\", \"bytes\": 0.5"), SIZES},
        {RULE("\"hint\": \"\", \"bytes\": 9007199254740992"), SIZES},
        {RULE("\"hint\": \"\", \"bytes\": 1e300"), SIZES},
        {RULE("\"hint\": \"\", \"bytes\": \"64 K\""), SIZES},
        {RULE("\"hint\": \"\", \"bytes\": \"\""), SIZES},
        {RULE("\"hint\": \"\", \"bytes\": [\"0\"]"), SIZES},
        {RULE("\"hint\": \"\", \"bytes\": [\"64K\", 65535]"), "rules.json:3: \"bytes\": " ORDER},
        {RULE("\"hint\": 4"), "rules.json:3: \"hint\": " TEXT},
        {RULE("\"hint\": [\"arity=4\"]"), "rules.json:3: \"hint\": " TEXT},
        {RULE("\n\"hint\": \"ring\""),
         "rules.json:4: \"hint\": \"ring\": expected key=value, such as algorithm=ring"},
        {RULE("\"hint\": \"arity=1\""),
         "rules.json:3: \"hint\": arity=1: expected a number from 2 to 64, or auto"},
        {RULE("\"hint\": \"transfer=\\u001b[1m\""),
         "rules.json:3: \"hint\": transfer=?[1m: expected one of auto, put, get"},
        {RULE("\"hint\": \"algorithm=nosuch\""),
         "rules.json:3: \"hint\": no collective has an algorithm \"nosuch\""},
        {RULE("\"hint\": \"algorithm=ring,segment=0\""),
         "rules.json:3: \"hint\": segment=0: expected a size of at least 1 byte such as 32K, or "
         "none, or auto"},
    };
    for (size_t i = 0; i < COUNT(bad); i++) {
        hy_rules *rules = (hy_rules *)&rules;
        write_text("rules.json", bad[i].text);
        if (hy_rules_load("rules.json", &rules) != HAYATE_ERR_ARGUMENT)
            fail_msg("was taken: %s", bad[i].text);
        assert_string_equal(hayate_error(), bad[i].reason);
        assert_null(rules);
    }
}

static void should_name_the_algorithms_of_the_rule_s_collective(void **state)
{
    (void)state;
    hy_rules *rules;
    char reason[256] = "rules.json:3: \"hint\": bcast has no algorithm \"recursive_doubling\", "
                       "expected one of ";
    size_t used = strlen(reason);
    hy_hint_algorithms(HY_COLL_BCAST, NULL, reason + used, sizeof reason - used);
    assert_non_null(strstr(reason + used, "binomial"));
    write_text("rules.json",
               RULE("\"hint\": \"algorithm=recursive_doubling\", \"collective\": \"bcast\""));
    assert_int_equal(hy_rules_load("rules.json", &rules), HAYATE_ERR_ARGUMENT);
    assert_string_equal(hayate_error(), reason);
}

static void should_say_why_a_file_cannot_be_read(void **state)
{
    (void)state;
    hy_rules *rules;
    assert_int_equal(hy_rules_load("absent.json", &rules), HAYATE_ERR_SYSTEM);
    assert_string_equal(hayate_error(), "absent.json: cannot be opened: No such file or directory");
    assert_int_equal(hy_rules_load("", &rules), HAYATE_ERR_SYSTEM);
    assert_int_equal(hy_rules_load("/", &rules), HAYATE_ERR_ARGUMENT);
    assert_null(rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(should_take_the_first_rule_that_fits),
        cmocka_unit_test(should_bring_the_whole_hint),
        cmocka_unit_test(should_allow_no_rules_at_all_and_any_shape_of_size),
        cmocka_unit_test(should_pass_a_rule_for_any_collective_by_where_its_algorithm_is_unknown),
        cmocka_unit_test(should_refuse_a_damaged_file_with_line_and_expectation),
        cmocka_unit_test(should_name_the_algorithms_of_the_rule_s_collective),
        cmocka_unit_test(should_say_why_a_file_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, enter_directory, leave_directory);
}
