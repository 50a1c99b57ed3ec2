/* SPDX-License-Identifier: Apache-2.0 */
/* What nodes agree on, and texts of members that are no delegatees. The launcher is a table of
 * texts. */
#include "base/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "delegatee/delegatee.h"

#define MIB (UINT64_C(1) << 20)
#define NODES 3

/* NULL: that member has published nothing. */
static char texts[NODES][HY_BOOT_TEXT];
static bool published[NODES];

static int publish(hy_boot *boot, const char *name, const char *text)
{
    assert_string_equal(name, "delegatee");
    snprintf(texts[boot->rank], sizeof texts[boot->rank], "%s", text);
    published[boot->rank] = true;
    return HAYATE_OK;
}

static int look_up(hy_boot *boot, int rank, const char *name, char *text, size_t room)
{
    (void)boot;
    assert_string_equal(name, "delegatee");
    if (!published[rank]) return hy_fail(HAYATE_ERR_LAUNCH, "key_not_found");
    snprintf(text, room, "%s", texts[rank]);
    return HAYATE_OK;
}

static const hy_boot_ops ops = {.name = "table", .publish = publish, .lookup = look_up};

static void say(int node, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(int node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(texts[node], sizeof texts[node], format, arguments);
    va_end(arguments);
    published[node] = true;
}

static int forget(void **state)
{
    (void)state;
    memset(published, 0, sizeof published);
    return 0;
}

/* The others have said what they have. */
static int meet(int node, uint32_t ranks, uint64_t heap, hy_delegatee_members *members)
{
    hy_boot boot = {.ops = &ops, .rank = node, .size = NODES};
    const hy_order order = {.ranks = ranks, .heap_bytes = heap};
    return hy_delegatee_meet(&boot, &order, members);
}

TEST(should_deal_out_numbers_node_by_node)
{
    static const int32_t expected[] = {0, 0, 1, 1, 1, 2};
    hy_delegatee_members members;
    say(0, "%u.2.0.%llu", HY_ABI, 64 * MIB + 0ull);
    say(2, "%u.1.0.%llu", HY_ABI, 512 * MIB + 0ull);
    assert_ok(meet(1, 3, 0, &members));
    assert_int_equal(members.first, 2);
    assert_int_equal(members.size, 6);
    assert_memory_equal(members.node_of, expected, sizeof expected);
    assert_int_equal(members.heap, 64 * MIB); /* the smallest default */
    free(members.node_of);
    char mine[64];
    snprintf(mine, sizeof mine, "%u.3.0.", HY_ABI);
    assert_memory_equal(texts[1], mine, strlen(mine));
}

TEST(should_need_nobody_on_one_node)
{
    hy_boot boot = {.ops = &ops, .rank = 0, .size = 1};
    const hy_order order = {.ranks = 4, .heap_bytes = MIB};
    hy_delegatee_members members;
    assert_ok(hy_delegatee_meet(&boot, &order, &members));
    assert_int_equal(members.first, 0);
    assert_int_equal(members.size, 4);
    assert_int_equal(members.heap, MIB);
    assert_false(published[0]);
    free(members.node_of);
}

TEST(should_take_the_heap_that_a_node_asks_for)
{
    hy_delegatee_members members;
    say(0, "%u.2.0.%llu", HY_ABI, 64 * MIB + 0ull);
    say(2, "%u.1.%llu.%llu", HY_ABI, 100 * MIB + 0ull, 64 * MIB + 0ull);
    assert_ok(meet(1, 3, 0, &members));
    assert_int_equal(members.heap, 100 * MIB);
    free(members.node_of);
    assert_ok(meet(1, 3, 100 * MIB, &members));
    free(members.node_of);
    assert_refused(meet(1, 3, 99 * MIB, &members), HAYATE_ERR_LAUNCH,
                   "node 1 is to have a heap of 103809024 bytes, node 2 "
                   "one of 104857600");
    free(members.node_of);
}

static void refuse(const char *text, int code, const char *reason)
{
    hy_delegatee_members members;
    say(0, "%u.2.0.%llu", HY_ABI, 64 * MIB + 0ull);
    say(2, "%s", text);
    int rc = meet(1, 3, 0, &members);
    if (rc != code || !strstr(hayate_error(), reason))
        fail_msg("'%s': code %d, %s", text, rc, hayate_error());
    assert_null(members.node_of);
}

TEST(should_refuse_another_version_and_name_both)
{
    char reason[80];
    snprintf(reason, sizeof reason, "node 2 has abi 7, here it has abi %u", HY_ABI);
    refuse("7.1.0.67108864", HAYATE_ERR_LAUNCH, reason);
    refuse("7.whatever", HAYATE_ERR_LAUNCH, reason); /* their text may be another one */
    assert_int_equal(hayate_error_peer(), 2);
}

TEST(should_refuse_texts_that_are_damaged)
{
    static const char *const rests[] = {
        "",
        "1",
        "1.0",
        "0.0.67108864",
        "4097.0.67108864",
        "-1.0.67108864",
        "1.0.1",
        "1.0.67108864.",
        "1.0.67108864x",
        "1..67108864",
        "1.99999999999999999999.67108864",
        "1.17592186044417.67108864",
        "1.0.17592186044417",
        "18446744073709551617.0.67108864",
    };
    char text[100];
    refuse("", HAYATE_ERR_LAUNCH, "member 2 of the cluster's launcher published \"\"");
    refuse("x", HAYATE_ERR_LAUNCH, "published \"x\"");
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        snprintf(text, sizeof text, "%u.%s", HY_ABI, rests[i]);
        refuse(text, HAYATE_ERR_LAUNCH, "of one version on all nodes");
    }
}

TEST(should_name_a_member_that_is_no_delegatee)
{
    hy_delegatee_members members;
    say(0, "%u.2.0.%llu", HY_ABI, 64 * MIB + 0ull);
    assert_refused(meet(1, 3, 0, &members), HAYATE_ERR_LAUNCH,
                   "member 2 of the cluster's launcher is no hayate run "
                   "--delegate (key_not_found)");
}

/* Every member says the same. */
static int look_up_alike(hy_boot *boot, int rank, const char *name, char *text, size_t room)
{
    (void)boot, (void)rank, (void)name;
    snprintf(text, room, "%u.%d.0.67108864", HY_ABI, HY_MAX_PARTS);
    return HAYATE_OK;
}

TEST(should_refuse_more_ranks_than_a_job_may_have)
{
    const hy_boot_ops alike = {.name = "alike", .publish = publish, .lookup = look_up_alike};
    hy_boot boot = {.ops = &alike, .rank = 0, .size = HY_MAX_RANKS / HY_MAX_PARTS};
    hy_order order = {.ranks = HY_MAX_PARTS};
    hy_delegatee_members members;
    assert_ok(hy_delegatee_meet(&boot, &order, &members));
    assert_int_equal(members.size, HY_MAX_RANKS);
    free(members.node_of);
    boot.size++;
    order.ranks = 1;
    assert_refused(hy_delegatee_meet(&boot, &order, &members), HAYATE_ERR_UNSUPPORTED,
                   "1048577 ranks: expected at most 1048576");
}

int main(void)
{
    tests_each(forget, NULL);
    return tests_run();
}
