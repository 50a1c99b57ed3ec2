/* SPDX-License-Identifier: Apache-2.0 */
/* tsan */
/* Nodes that agree on a network: threads, a rank each, with a launcher that is a table. What each
 * can use is made up. */
#include "base/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "nodes/network.h"
#include "nodes/node_map.h"

#define MOST 9  /* nodes */
#define ROWS 3  /* networks */
#define TEXTS 8 /* of a rank */

/* ---- networks ---- */

static _Thread_local unsigned usable; /* by this node, a bit for each */

static int probe(int row)
{
    return usable & 1u << row ? HAYATE_OK : hy_fail(HAYATE_ERR_UNSUPPORTED, "no device %d", row);
}

static int probe_first(void)
{
    return probe(0);
}

static int probe_second(void)
{
    return probe(1);
}

static int probe_third(void)
{
    return probe(2);
}

static void address(const hy_net *net, void *bytes, size_t *len)
{
    (void)net, (void)bytes;
    *len = 0;
}

static int open_first(const hy_net_attr *attr, hy_net **net);
static int open_second(const hy_net_attr *attr, hy_net **net);
static int open_third(const hy_net_attr *attr, hy_net **net);

static const hy_path_ops paths[ROWS] = {
    {.probe = probe_first}, {.probe = probe_second}, {.probe = probe_third}};
static const hy_net_ops first = {
    .name = "first", .row = &paths[0], .open = open_first, .address = address};
static const hy_net_ops second = {
    .name = "second", .row = &paths[1], .open = open_second, .address = address};
static const hy_net_ops third = {
    .name = "third", .row = &paths[2], .open = open_third, .address = address};
static const hy_net_ops *const rows[] = {&first, &second, &third, NULL};

static hy_net nets[ROWS] = {{.ops = &first}, {.ops = &second}, {.ops = &third}};

static _Thread_local hy_net_hosts admitted; /* by the network of this node */

static int open_row(int row, const hy_net_attr *attr, hy_net **net)
{
    admitted = attr->hosts;
    *net = &nets[row];
    return HAYATE_OK;
}

static int open_first(const hy_net_attr *attr, hy_net **net)
{
    return open_row(0, attr, net);
}

static int open_second(const hy_net_attr *attr, hy_net **net)
{
    return open_row(1, attr, net);
}

static int open_third(const hy_net_attr *attr, hy_net **net)
{
    return open_row(2, attr, net);
}

/* ---- the launcher ---- */

static struct {
    char name[16], text[HY_BOOT_TEXT];
} said[MOST][TEXTS];
static int said_count[MOST];
static pthread_mutex_t saying = PTHREAD_MUTEX_INITIALIZER;

/* All nodes are this machine: the launcher gives each an address more. */
static void address_of(int rank, uint8_t address[16])
{
    const uint8_t made_up[16] = {[10] = 0xff, 0xff, 198, 51, 100, (uint8_t)(8 * rank)};
    memcpy(address, made_up, sizeof made_up);
}

static void print_address_of(int rank, char text[HY_NET_HOSTS_TEXT])
{
    uint8_t address[16];
    hy_net_hosts one = {0};
    address_of(rank, address);
    hy_net_hosts_add(&one, address, 128);
    hy_net_hosts_print(&one, text);
}

static int publish(hy_boot *boot, const char *name, const char *text)
{
    char more[HY_NET_HOSTS_TEXT] = "";
    if (strncmp(name, "nets", 4) == 0) print_address_of(boot->rank, more);
    pthread_mutex_lock(&saying);
    int i = said_count[boot->rank]++;
    snprintf(said[boot->rank][i].name, sizeof said[0][0].name, "%s", name);
    snprintf(said[boot->rank][i].text, sizeof said[0][0].text, "%s%s", text, more);
    pthread_mutex_unlock(&saying);
    return HAYATE_OK;
}

static bool find(int rank, const char *name, char *text, size_t room)
{
    bool found = false;
    pthread_mutex_lock(&saying);
    for (int i = 0; i < said_count[rank] && !found; i++) {
        found = strcmp(said[rank][i].name, name) == 0;
        if (found) snprintf(text, room, "%s", said[rank][i].text);
    }
    pthread_mutex_unlock(&saying);
    return found;
}

/* As all launchers, it waits until the text is there. */
static int look_up(hy_boot *boot, int rank, const char *name, char *text, size_t room)
{
    (void)boot;
    while (!find(rank, name, text, room)) sched_yield();
    return HAYATE_OK;
}

/* ---- nodes ---- */

typedef struct node {
    int number, nodes;
    unsigned usable;
    int rc;
    const hy_net *net;
    hy_net_hosts admitted;
    char why[sizeof((hy_job){0}).why_net], error[512];
} node;

static void *live(void *argument)
{
    static const hy_boot_ops ops = {.name = "test", .publish = publish, .lookup = look_up};
    node *me = argument;
    uint32_t nodes = (uint32_t)me->nodes;
    hy_control *control = aligned_alloc(4096, hy_control_size(nodes, 1, 4096));
    memset(control, 0, hy_control_size(nodes, 1, 4096));
    control->size = nodes;
    control->nodes = me->nodes;
    control->node = control->leader = me->number;
    control->parts = 1;
    control->layout.by_node = hy_deal_make(nodes, nodes, 1, 0);
    hy_job job = {.size = me->nodes,
                  .rank = me->number,
                  .boot = {.ops = &ops, .control = control, .size = me->nodes, .rank = me->number}};
    usable = me->usable;
    me->rc = hy_node_map_open(&job);
    if (!me->rc) me->rc = hy_network_open(&job);
    if (me->rc) snprintf(me->error, sizeof me->error, "%s", hayate_error());
    else me->net = job.net, me->admitted = admitted;
    snprintf(me->why, sizeof me->why, "%s", job.why_net);
    free(control);
    return NULL;
}

static void meet(node *all, int nodes, const unsigned *can)
{
    pthread_t threads[MOST];
    memset(said_count, 0, sizeof said_count);
    for (int i = 0; i < nodes; i++) {
        all[i] = (node){.number = i, .nodes = nodes, .usable = can[i]};
        assert_int_equal(pthread_create(&threads[i], NULL, live, &all[i]), 0);
    }
    for (int i = 0; i < nodes; i++) pthread_join(threads[i], NULL);
}

TEST(should_take_the_first_that_all_nodes_can_use)
{
    node all[2];
    meet(all, 2, (const unsigned[]){7, 7});
    for (int i = 0; i < 2; i++) {
        assert_int_equal(all[i].rc, HAYATE_OK);
        assert_string_equal(all[i].net->ops->name, "first");
        assert_string_equal(all[i].why, "the first network in order of preference");
    }
}

TEST(should_fall_back_to_what_all_have_and_say_why)
{
    node all[3];
    meet(all, 3, (const unsigned[]){6, 7, 6});
    for (int i = 0; i < 3; i++) {
        assert_int_equal(all[i].rc, HAYATE_OK);
        assert_string_equal(all[i].net->ops->name, "second");
    }
    assert_non_null(strstr(all[0].why, "first: no device 0"));
    assert_non_null(strstr(all[1].why, "not all can use first"));
}

TEST(should_do_as_it_is_told)
{
    node all[2];
    setenv("HAYATE_NET", "third", 1);
    meet(all, 2, (const unsigned[]){7, 7});
    assert_string_equal(all[0].net->ops->name, "third");
    assert_string_equal(all[1].why, "chosen by HAYATE_NET");
    meet(all, 2, (const unsigned[]){7, 3});
    unsetenv("HAYATE_NET");
    assert_int_equal(all[0].rc, HAYATE_ERR_LAUNCH);
    assert_non_null(strstr(all[0].error, "set HAYATE_NET to the same value on all nodes"));
    assert_int_equal(all[1].rc, HAYATE_ERR_UNSUPPORTED);
    assert_non_null(strstr(all[1].error, "third: no device 2"));
}

/* However many nodes, and whatever they can use: all take the same, or none takes any. */
TEST(should_agree_with_any_number_of_nodes)
{
    node all[MOST];
    unsigned can[MOST], seed = 11;
    for (int round = 0; round < 300; round++) {
        int nodes = 2 + rand_r(&seed) % (MOST - 1);
        unsigned common = 7, missing = (unsigned)rand_r(&seed) % 8;
        for (int i = 0; i < nodes; i++) {
            can[i] = 7u & ~(rand_r(&seed) % 3 ? 0u : missing);
            common &= can[i];
        }
        meet(all, nodes, can);
        for (int i = 0; i < nodes; i++) {
            assert_int_equal(all[i].rc == HAYATE_OK, common != 0);
            if (common) assert_ptr_equal(all[i].net->ops, rows[__builtin_ctz(common)]);
        }
    }
}

static bool admits(const node *n, int rank)
{
    uint8_t address[16];
    hy_net_hosts more = n->admitted;
    address_of(rank, address);
    hy_net_hosts_add(&more, address, 128);
    return memcmp(&more, &n->admitted, sizeof more) == 0;
}

TEST(should_tell_all_nodes_the_addresses_of_all)
{
    node all[MOST];
    unsigned can[MOST];
    for (int i = 0; i < MOST; i++) can[i] = 7;
    for (int nodes = 2; nodes <= MOST; nodes++) {
        meet(all, nodes, can);
        for (int i = 0; i < nodes; i++)
            for (int k = 0; k < nodes; k++) assert_true(i == k || admits(&all[i], k));
        assert_false(admits(&all[0], 16));
    }
}

int main(void)
{
    hy_network_rows = rows;
    return tests_run();
}
