/* SPDX-License-Identifier: Apache-2.0 */
/* Who is not of the job, and who is but talks nonsense: they learn nothing and disturb nothing. */
#include "net/fixture.h"

#include "base/random_fixture.h"
#include "net/verbs/verbs_net.h"

enum { VICTIM = 0, FRIEND = 1, STRANGER = 2 };
enum { TOKEN_AT = 24, KEY_AT = 60 }; /* in an address; the key of datagrams */

static void exchange_something(member *me, uint64_t value)
{
    hy_ep *ep = &me->eps[me->rank == VICTIM ? FRIEND : VICTIM];
    uint64_t before;
    CHECK_OK(ep->ops->put(ep, DATA_AT, &value, sizeof value));
    put_flag(ep, 64, value);
    await(me, 64, value);
    CHECK(memcmp(me->part + DATA_AT, &value, sizeof value) == 0);
    CHECK_OK(ep->ops->atomic(ep, 128, HY_ATOMIC_ADD, 1, 0, &before));
}

/* A process of this machine that found the address, and guesses token and key. */
static uint64_t guessed;
static int look_up_half(void *context, int rank, void *address, size_t *len)
{
    uint64_t guess = 0x1234;
    int rc = look_up(context, rank, address, len);
    memcpy((uint8_t *)address + guessed, &guess, guessed == TOKEN_AT ? 8 : 4);
    return rc;
}

static void guess(member *me)
{
    static const uint64_t places[] = {TOKEN_AT, KEY_AT};
    uint64_t word = 1;
    hy_ep *ep = &me->eps[VICTIM];
    me->attr.silence_ms = 500;
    me->attr.lookup = look_up_half;
    for (int i = 0; i < 2; i++) {
        guessed = places[i];
        join(me);
        CHECK(ep->ops->put(ep, 65536, &word, 8) == HAYATE_ERR_PEER_FAILED);
        CHECK(strstr(hayate_error(), "no answer for 0.5 s"));
        leave(me);
    }
}

/* Datagrams with the right key that mean nothing, of every length. */
static void shout(member *me)
{
    uint64_t seed = 7, line[16];
    join(me);
    verbs_net *net = verbs_of(me->net);
    hy_net_endpoint *endpoint = net->base.endpoints[0];
    hy_net_peer *peer;
    pthread_mutex_lock(&endpoint->lock);
    CHECK_OK(hy_net_peer_find(endpoint, VICTIM, &peer));
    for (int i = 0; i < 500; i++) {
        for (int k = 0; k < 16; k++) line[k] = random_draw(&seed);
        if (i % 2) memcpy(line, &peer->token, 8); /* a member gone mad */
        if (i % 4 == 1) line[1] = (random_draw(&seed) % 4) << 32 | random_draw(&seed) % 3;
        verbs_greet(net, verbs_from(peer), line, i % 4 == 1 ? 32 : (size_t)(i % 88));
        while (net->greeter.saying) verbs_poll(endpoint);
    }
    pthread_mutex_unlock(&endpoint->lock);
    leave(me);
}

STORY_TEST(should_do_nothing_for_who_guesses_or_shouts, 3)
{
    if (me->rank != STRANGER) join(me);
    if (me->rank != STRANGER) exchange_something(me, 1);
    meet(me);
    if (me->rank == STRANGER) {
        guess(me);
        me->attr.lookup = look_up;
        shout(me);
    }
    meet(me);
    if (me->rank != STRANGER) exchange_something(me, 2);
    meet(me);
    if (me->rank == STRANGER) return;
    /* Of 250 each; a device whose owner is busy loses most. */
    if (me->rank == VICTIM) CHECK(hy_net_base_of(me->net)->endpoints[0]->dropped.strangers > 10);
    if (me->rank == VICTIM) CHECK(hy_net_base_of(me->net)->endpoints[0]->dropped.senseless > 10);
    for (int i = 65536; i < 2 * 65536; i++) CHECK(me->part[i] == 0);
    leave(me);
}

/* A member's message whose head, length or both are random, but for the token. */
static void send_nonsense(verbs_endpoint *endpoint, verbs_conn *conn, uint64_t *seed)
{
    union {
        uint64_t words[16];
        hy_net_message message;
    } any;
    hy_net_message *message = &any.message;
    for (int i = 0; i < 16; i++) any.words[i] = random_draw(seed);
    size_t bytes = random_draw(seed) % (sizeof *message + 1);
    message->head.token = conn->base.peer->token;
    if (random_draw(seed) % 4) message->head.kind %= HY_NET_BYE; /* it is not left by this */
    else message->head.kind = (uint8_t)(message->head.kind | 16);
    if (random_draw(seed) % 4) message->head.offset %= 2 * 65536;
    if (random_draw(seed) % 2) message->head.offset &= ~UINT64_C(63);
    if (random_draw(seed) % 2) message->head.rank %= 5;
    if (random_draw(seed) % 2) message->head.bytes = (uint16_t)(bytes - sizeof message->head);
    verbs_batch batch = {.endpoint = endpoint, .conn = conn};
    verbs_op op = {.pool = &endpoint->lines};
    hy_net_wait wait = {.peer = conn->base.peer};
    while (!verbs_room(endpoint, conn) || !(op.buffer = verbs_buffer_take(op.pool)))
        CHECK_OK(hy_net_turn(&endpoint->base, &wait));
    memcpy(op.buffer, &any, bytes);
    struct ibv_send_wr *request = verbs_add(&batch, &op, op.buffer, bytes, endpoint->own_mr->lkey);
    request->opcode = random_draw(seed) % 8 ? IBV_WR_SEND_WITH_IMM : IBV_WR_SEND;
    request->imm_data = random_draw(seed) % 8 ? htonl(conn->theirs) : (uint32_t)random_draw(seed);
    conn->base.messages++;
    CHECK_OK(verbs_ring(&batch));
}

static void talk_nonsense(member *me)
{
    hy_net_endpoint *endpoint = hy_net_base_of(me->net)->endpoints[0];
    uint64_t seed = 11;
    put_flag(&me->eps[VICTIM], 64, 1); /* connects */
    pthread_mutex_lock(&endpoint->lock);
    verbs_conn *conn = verbs_conn_at(verbs_endpoint_of(endpoint), 0);
    for (int i = 0; i < 5000; i++) send_nonsense(verbs_endpoint_of(endpoint), conn, &seed);
    CHECK_OK(hy_net_fence(endpoint, &conn->base, true));
    pthread_mutex_unlock(&endpoint->lock);
}

/* Beyond what a member may write anyway nothing is touched: the part ends where memory does. */
STORY_TEST(should_survive_a_member_that_talks_nonsense, 2)
{
    me->attr.part_bytes = 65536;
    if (me->rank == VICTIM) mprotect(me->part + 65536, PART - 65536, PROT_NONE);
    join(me);
    meet(me);
    if (me->rank == FRIEND) talk_nonsense(me);
    meet(me);
    exchange_something(me, 3);
    if (me->rank == VICTIM) CHECK(hy_net_base_of(me->net)->endpoints[0]->dropped.senseless > 500);
    meet(me);
    leave(me);
}

int main(void)
{
    tested = &hy_net_verbs;
    need_network();
    return tests_run();
}
