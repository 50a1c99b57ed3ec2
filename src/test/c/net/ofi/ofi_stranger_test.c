/* SPDX-License-Identifier: Apache-2.0 */
/* Who is not of the job, and who is but talks nonsense: they learn nothing and disturb nothing. */
#include "net/fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/random_fixture.h"
#include "net/ofi/ofi_net.h"

enum { VICTIM = 0, FRIEND = 1, STRANGER = 2 };
enum { KEY_AT = 16, TOKEN_AT = 32, ADDRESS_AT = 80 }; /* in an address */

static struct sockaddr_in address_of(const world *w, int rank)
{
    struct sockaddr_in address;
    memcpy(&address, w->addresses[rank] + ADDRESS_AT, sizeof address);
    return address;
}

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

static bool is_clean(const uint8_t *memory, size_t bytes, uint8_t value)
{
    for (size_t i = 0; i < bytes; i++)
        if (memory[i] != value) return false;
    return true;
}

static void be_the_victim(member *me)
{
    memset(me->part + 65536, 0x5a, 65536);
    exchange_something(me, 1);
    meet(me);
    meet(me); /* the stranger was here between */
    exchange_something(me, 2);
    CHECK(is_clean(me->part + 65536, 65536, 0x5a));
}

/* Sockets that say nothing, nonsense, or a little of both, and stay open. */
static void shout(member *me)
{
    struct sockaddr_in address = address_of(me->w, VICTIM);
    uint64_t seed = 7;
    CHECK(address.sin_family == AF_INET && ntohl(address.sin_addr.s_addr) == INADDR_LOOPBACK);
    signal(SIGPIPE, SIG_IGN);
    for (int i = 0; i < 100; i++) {
        uint64_t noise[64];
        int s = socket(AF_INET, SOCK_STREAM, 0);
        CHECK(connect(s, (const struct sockaddr *)&address, sizeof address) == 0);
        for (int k = 0; k < 64; k++) noise[k] = random_draw(&seed);
        if (i % 4) (void)!write(s, noise, random_draw(&seed) % sizeof noise);
        if (i % 3 == 0) close(s);
    }
}

STORY_TEST(should_go_on_while_strangers_shout_at_its_port, 3)
{
    if (me->rank != STRANGER) join(me);
    meet(me);
    if (me->rank != STRANGER) {
        be_the_victim(me);
        meet(me);
        leave(me);
        return;
    }
    meet(me);
    shout(me);
    meet(me);
    meet(me);
}

/* A process that speaks libfabric, found the address, and guesses key and token. */
static int look_up_half(void *context, int rank, void *address, size_t *len)
{
    uint64_t guess = 0x1234;
    int rc = look_up(context, rank, address, len);
    memcpy((uint8_t *)address + KEY_AT, &guess, 8);
    memcpy((uint8_t *)address + TOKEN_AT, &guess, 8);
    return rc;
}

/* Longer than any message: the provider may close the stranger's connection for that. Not as many
 * as the provider has receives for, see ofi_net.h. */
#define TOO_MUCH 400
static void send_too_much(member *me, size_t bytes)
{
    static uint8_t data[100000];
    join(me);
    hy_net_endpoint *base = hy_net_base_of(me->net)->endpoints[0];
    ofi_endpoint *endpoint = ofi_endpoint_of(base);
    hy_net_peer *peer;
    pthread_mutex_lock(&base->lock);
    CHECK_OK(hy_net_peer_find(base, VICTIM, &peer));
    fi_addr_t address = ofi_from(peer)->address;
    endpoint->closing = true; /* its errors are expected */
    int sent = 0;
    for (uint64_t end = hy_now_ns() + 100000000; hy_now_ns() < end; ofi_poll(base))
        if (sent < TOO_MUCH) sent += fi_send(endpoint->ep, data, bytes, NULL, address, NULL) == 0;
    peer->life.failed = true; /* no farewell */
    pthread_mutex_unlock(&base->lock);
    leave(me);
}

static void guess(member *me)
{
    uint8_t data[5000] = {0};
    uint64_t before;
    hy_ep *ep = &me->eps[VICTIM];
    me->attr.silence_ms = 500;
    me->attr.lookup = look_up_half;
    send_too_much(me, 200);
    send_too_much(me, sizeof data);
    send_too_much(me, 100000);
    join(me);
    for (uint64_t i = 0; i < 300; i++) {
        ep->ops->signal(ep, 65536 + i * HY_LINE, 1, &i, 8);
        put_flag(ep, 65536 + i * HY_LINE, 1);
    }
    CHECK(ep->ops->atomic(ep, 65536, HY_ATOMIC_SWAP, 1, 0, &before) == HAYATE_ERR_PEER_FAILED);
    leave(me);
    memset(data, 0x77, sizeof data);
    for (int write = 0; write < 2; write++) {
        join(me);
        ep = &me->eps[VICTIM];
        int rc = write ? ep->ops->put(ep, 65536, data, sizeof data)
                       : ep->ops->get(ep, 65536, data, sizeof data);
        if (!rc) rc = ep->ops->flush(ep);
        CHECK(rc == HAYATE_ERR_PEER_FAILED);
        CHECK(is_clean(data, sizeof data, 0x77));
        leave(me);
    }
}

STORY_TEST(should_do_nothing_for_who_guesses_key_and_token, 3)
{
    if (me->rank != STRANGER) join(me);
    meet(me);
    if (me->rank != STRANGER) {
        be_the_victim(me);
        if (me->rank == VICTIM) CHECK(hy_net_base_of(me->net)->endpoints[0]->dropped.strangers > 0);
        meet(me);
        leave(me);
        return;
    }
    meet(me);
    guess(me);
    meet(me);
    meet(me);
}

/* A member's message whose head, length or both are random, but for the token. */
static void send_nonsense(ofi_endpoint *endpoint, ofi_peer *peer, uint64_t *seed)
{
    union {
        uint64_t words[32];
        hy_net_message message;
    } any;
    hy_net_message *message = &any.message;
    for (int i = 0; i < 32; i++) any.words[i] = random_draw(seed);
    size_t bytes = random_draw(seed) % (sizeof *message + 1);
    message->head.token = peer->base.token;
    if (random_draw(seed) % 4) message->head.kind %= HY_NET_BYE; /* it is not left by this */
    else if (random_draw(seed) % 4) message->head.kind = (uint8_t)(message->head.kind | 16);
    else message->head.kind = HY_NET_ENDPOINT;
    if (random_draw(seed) % 4) message->head.offset %= 2 * 65536;
    if (random_draw(seed) % 2) message->head.offset &= ~UINT64_C(63);
    if (random_draw(seed) % 2) message->head.rank %= 5;
    if (random_draw(seed) % 2) message->head.bytes = (uint8_t)(bytes - sizeof message->head);
    ofi_op *op;
    hy_net_wait wait = {.peer = &peer->base};
    while (!(op = ofi_op_take(endpoint, peer, OFI_SEND)))
        CHECK_OK(hy_net_turn(&endpoint->base, &wait));
    memcpy(op->data, &any, bytes);
    int rc;
    while ((rc = ofi_posted(endpoint, peer, "fi_send",
                            fi_send(endpoint->ep, op->data, bytes, NULL, peer->address, op))) ==
           HAYATE_IN_PROGRESS)
        CHECK_OK(hy_net_turn(&endpoint->base, &wait));
    CHECK_OK(rc);
    ofi_under_way(endpoint, &peer->sending);
}

static void talk_nonsense(member *me)
{
    hy_net_endpoint *endpoint = hy_net_base_of(me->net)->endpoints[0];
    hy_net_peer *peer;
    uint64_t seed = 11;
    pthread_mutex_lock(&endpoint->lock);
    CHECK_OK(hy_net_peer_find(endpoint, VICTIM, &peer));
    for (int i = 0; i < 20000; i++) send_nonsense(ofi_endpoint_of(endpoint), ofi_from(peer), &seed);
    CHECK_OK(hy_net_fence(endpoint, &ofi_from(peer)->conn, true));
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
    if (me->rank == VICTIM) CHECK(hy_net_base_of(me->net)->endpoints[0]->dropped.senseless > 1000);
    meet(me);
    leave(me);
}

int main(void)
{
    tested = &hy_net_ofi;
    return tests_run();
}
