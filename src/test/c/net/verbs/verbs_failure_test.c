/* SPDX-License-Identifier: Apache-2.0 */
/* What goes wrong over verbs: peers that die, stop or only compute, devices that lack something,
 * datagrams that get lost, settings that do not fit. */
#include "net/outage_tests.h"

#include "base/library_fixture.h"
#include "net/verbs/verbs_net.h"

static void expect_no_network(member *me, int code, const char *text)
{
    CHECK(tested->open(&me->attr, &me->net) == code);
    if (!strstr(hayate_error(), text)) fprintf(stderr, "said: %s\n", hayate_error());
    CHECK(strstr(hayate_error(), text));
}

STORY_TEST(should_list_what_there_is_instead_of_a_device, 1)
{
    me->attr.device = "eth77";
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "eth77");
    CHECK(strstr(hayate_error(), ":1 is there") && strstr(hayate_error(), "HAYATE_NET_DEVICE"));
    me->attr.device = "rxe0:200";
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "rxe0:200");
    static const char *const nonsense[] = {"rxe0:", "rxe0:1x", "rxe0:0", "rxe0:-1", "rxe0:256"};
    for (int i = 0; i < 5; i++) {
        me->attr.device = nonsense[i];
        expect_no_network(me, HAYATE_ERR_ARGUMENT, nonsense[i]);
    }
}

STORY_TEST(should_say_that_the_library_is_missing_or_another_one, 1)
{
    library_folder folder;
    setenv("HAYATE_LIBRARIES", "/nowhere", 1);
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "/nowhere is not a directory");
    CHECK(tested->row->probe() == HAYATE_ERR_UNSUPPORTED);
    CHECK(library_folder_make(&folder, "libibverbs.so.1", "libm.so.6"));
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "has no ibv_");
    library_folder_remove(&folder);
    join(me); /* a failure is not remembered */
    leave(me);
}

static void want_a_port_that_is_down(member *me)
{
    me->attr.device = "rxe1";
    expect_no_network(me, HAYATE_ERR_UNSUPPORTED, "rxe1:1 down");
}

static void want_it_up(member *me)
{
    me->attr.device = "rxe1";
    while (tested->open(&me->attr, &me->net) != HAYATE_OK) usleep(10000);
    leave(me);
}

TEST(should_say_that_a_port_is_down)
{
    if (geteuid() || access("/sys/class/infiniband/rxe1", F_OK)) skip();
    assert_int_equal(system("ip link set eth1 down"), 0);
    pid_t child = start_rank(make_world(1), 0, want_a_port_that_is_down);
    int status, up;
    waitpid(child, &status, 0);
    up = system("ip link set eth1 up");
    run_stories(1, want_it_up);
    assert_int_equal(up, 0);
    assert_int_equal(status, 0);
}

static void lock_too_much(member *me)
{
    const struct rlimit limit = {8 << 20, 8 << 20};
    CHECK(setrlimit(RLIMIT_MEMLOCK, &limit) == 0);
    CHECK(setuid(65534) == 0);
    expect_no_network(me, HAYATE_ERR_NO_MEMORY, "24576 KB of this rank's part");
    CHECK(strstr(hayate_error(), "limit is 8192 KB") && strstr(hayate_error(), "ulimit -l"));
}

TEST(should_name_the_limit_of_locked_memory)
{
    if (geteuid()) skip();
    run_stories(1, lock_too_much);
}

/* A device with fewer gifts. */
static hy_verbs_calls *change_calls(void)
{
    const hy_verbs_calls *calls;
    CHECK_OK(hy_verbs_load(&calls));
    return (hy_verbs_calls *)(uintptr_t)calls;
}

static struct ibv_qp *(*true_create_qp)(struct ibv_pd *, struct ibv_qp_init_attr *);

static struct ibv_qp *create_none(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    if (attr->qp_type == IBV_QPT_UD) return true_create_qp(pd, attr);
    errno = ENOMEM;
    return NULL;
}

static struct ibv_qp *create_without_inline(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    errno = EINVAL;
    return attr->cap.max_inline_data ? NULL : true_create_qp(pd, attr);
}

STORY_TEST(should_say_that_queue_pairs_are_used_up, 2)
{
    uint64_t word = 1;
    hy_ep *ep = &me->eps[1 - me->rank];
    hy_verbs_calls *calls = change_calls();
    true_create_qp = calls->create_qp;
    if (me->rank == 1) calls->create_qp = create_none;
    join(me);
    meet(me);
    if (me->rank == 0) {
        CHECK(ep->ops->put(ep, 0, &word, 8) == HAYATE_ERR_PEER_FAILED);
        CHECK(strstr(hayate_error(), "no queue pair left"));
    }
    meet(me);
    if (me->rank == 1) {
        CHECK(ep->ops->put(ep, 0, &word, 8) == HAYATE_ERR_NO_MEMORY);
        CHECK(strstr(hayate_error(), "queue pairs") && strstr(hayate_error(), "ulimit -l"));
    }
    meet(me);
    leave(me);
}

static void exchange(member *me)
{
    hy_ep *ep = &me->eps[1 - me->rank];
    uint8_t data[5000];
    fill(data, sizeof data, 3);
    for (uint64_t i = 1; i <= 200; i++) {
        if (me->rank == 1) await(me, 64, i);
        CHECK_OK(ep->ops->put(ep, DATA_AT, data, i * 25));
        put_flag(ep, 64, i);
        if (me->rank == 0) await(me, 64, i);
        CHECK(holds(me->part + DATA_AT, i * 25, 3));
    }
}

STORY_TEST(should_do_without_inline_data, 2)
{
    hy_verbs_calls *calls = change_calls();
    true_create_qp = calls->create_qp;
    calls->create_qp = create_without_inline;
    join(me);
    meet(me);
    exchange(me);
    const verbs_endpoint *endpoint = verbs_first(verbs_of(me->net));
    CHECK(endpoint->inline_bytes == 0); /* as it was learnt */
    CHECK(verbs_conn_at(endpoint, 0)->inline_bytes < sizeof(hy_net_head));
    meet(me);
    leave(me);
}

/* The first datagrams have a key that their receiver does not know. */
static int datagrams_to_lose = 5;
static int (*true_post_send)(struct ibv_qp *, struct ibv_send_wr *, struct ibv_send_wr **);

static int lose_datagrams(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    if (qp->qp_type == IBV_QPT_UD && datagrams_to_lose-- > 0) wr->wr.ud.remote_qkey ^= 1;
    return true_post_send(qp, wr, bad);
}

STORY_TEST(should_repeat_greetings_that_get_lost, 2)
{
    join(me);
    struct ibv_context_ops *ops = &verbs_of(me->net)->choice.context->ops;
    true_post_send = ops->post_send;
    ops->post_send = lose_datagrams;
    meet(me);
    exchange(me);
    CHECK(datagrams_to_lose < 0 && verbs_of(me->net)->base.endpoints[0]->conn_count == 1);
    meet(me);
    leave(me);
}

static void break_datagrams(verbs_net *net)
{
    pthread_mutex_lock(&net->base.endpoints[0]->lock);
    verbs_queue_break(net, net->greeter.qp);
    pthread_mutex_unlock(&net->base.endpoints[0]->lock);
}

STORY_TEST(should_start_the_queue_of_greetings_again_but_not_for_ever, 2)
{
    join(me);
    verbs_net *net = verbs_of(me->net);
    break_datagrams(net);
    meet(me);
    exchange(me);
    CHECK(net->greeter.remade > 0 && net->base.endpoints[0]->conn_count == 1);
    for (uint64_t start = hy_now_ns();
         net->greeter.remade < VERBS_REMADE || net->greeter.hearing;) {
        if (net->greeter.hearing == VERBS_HELLOS) break_datagrams(net);
        me->net->ops->progress(me->net);
        CHECK(hy_now_ns() - start < 30 * SECOND);
    }
    for (int i = 0; i < 1000; i++) me->net->ops->progress(me->net);
    CHECK(net->greeter.remade == VERBS_REMADE && net->greeter.hearing == 0);
    meet(me);
    exchange(me); /* who is connected remains so */
    meet(me);
    leave(me);
}

/* Addresses that no peer of this job published. */
static int twist;
static int look_up_twisted(void *context, int rank, void *address, size_t *len)
{
    uint8_t *bytes = address;
    int rc = look_up(context, rank, address, len);
    if (twist == 0) bytes[0] ^= 1;
    if (twist == 1) *len = 20;
    if (twist == 2) *len = 0;
    if (twist == 3) *len -= 1;
    if (twist == 4) *len = HY_NET_ADDRESS + 1;
    if (twist == 5) memset(bytes + 8, 0xff, 16); /* the part */
    if (twist == 6) bytes[48] ^= 1;              /* the rank */
    if (twist == 7) bytes[59] = 1;               /* a queue pair of 25 bits */
    if (twist == 8) return hy_fail(HAYATE_ERR_LAUNCH, "nobody has published that");
    return rc;
}

STORY_TEST(should_refuse_a_blob_that_is_none, 1)
{
    me->attr.lookup = look_up_twisted;
    join(me);
    uint64_t word = 0;
    hy_ep *ep = &me->eps[0];
    for (twist = 0; twist <= 8; twist++) {
        int expected = twist < 8 ? HAYATE_ERR_CORRUPT : HAYATE_ERR_LAUNCH;
        CHECK(ep->ops->put(ep, 0, &word, 8) == expected);
    }
    ep->ops->signal(ep, 0, 1, NULL, 0);
    CHECK_OK(ep->ops->put(ep, 0, &word, 8)); /* nothing was spoiled */
    leave(me);
}

int main(int argc, char **argv)
{
    tested = &hy_net_verbs;
    said_of_death = "retry counter exceeded";
    load_first = true;
    noisy[0] = "HAYATE_LOG", noisy[1] = "debug";
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    need_network();
    return tests_run();
}
