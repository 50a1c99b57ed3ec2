/* SPDX-License-Identifier: Apache-2.0 */
/* Short puts that are held, and the messages that must not pass them, over a provider that keeps no
 * order. */
#include "net/ofi/provider_fixture.h"

/* Too long to be held. */
static void write_long(void)
{
    ofi_op *op = ofi_op_try(&endpoint, &peer, OFI_RMA);
    assert_non_null(op);
    assert_int_equal(fi_write(&fid, op->data, ROOM, NULL, 0, 0, 0, op), 0);
    op->number = ++peer.begun;
    ofi_under_way(&endpoint, &peer.pending);
}

static void hold_short(void)
{
    const uint64_t data = 1;
    assert_true(ofi_hold(&endpoint.base, &peer.conn, 64, &data, sizeof data));
}

static void send_flag(void)
{
    hy_net_send send = {.message.head = {.kind = HY_NET_FLAG, .offset = 128, .value = 1}};
    hy_net_wait wait = {.peer = &peer.base};
    int rc;
    while ((rc = ofi_send(&endpoint.base, &peer.conn, &send)) == HAYATE_IN_PROGRESS)
        assert_ok(hy_net_turn(&endpoint.base, &wait));
    assert_int_equal(rc, HAYATE_OK);
    assert_int_equal(provider.messages, 1);
}

static const uint64_t injects[] = {0, ROOM};

/* ---- what must hold ---- */

TEST(should_give_a_message_what_is_held)
{
    for (int i = 0; i < 2; i++) {
        begin(injects[i]);
        hold_short();
        send_flag();
        assert_null(endpoint.held_for);
        assert_int_equal(provider.writes, 0);
        end();
    }
}

TEST(should_let_no_message_pass_a_long_write)
{
    for (int i = 0; i < 2; i++) {
        begin(injects[i]);
        write_long();
        send_flag();
        assert_int_equal(provider.overtaken, 0);
        end();
    }
}

/* The message waits for the long one, and each look at the queue lets go what is held. */
TEST(should_let_no_message_pass_a_put_that_goes_while_it_waits)
{
    for (int i = 0; i < 2; i++) {
        begin(injects[i]);
        write_long();
        hold_short();
        send_flag();
        assert_null(endpoint.held_for);
        assert_int_equal(provider.writes, 2);
        assert_int_equal(provider.overtaken, 0);
        end();
    }
}

TEST(should_let_no_message_pass_a_put_that_went_before)
{
    for (int i = 0; i < 2; i++) {
        begin(injects[i]);
        hold_short();
        assert_int_equal(ofi_poll(&endpoint.base), 0);
        assert_int_equal(provider.writes, 1);
        send_flag();
        assert_int_equal(provider.overtaken, 0);
        end();
    }
}

int main(void)
{
    return tests_run();
}
