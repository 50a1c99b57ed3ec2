/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for a peer while others send. */
#include "net/ofi/provider_fixture.h"

#define MANY 10000 /* turns */

/* Turns until a wait for the peer, which began long ago, has given it up. */
static int turns_until_lost(void)
{
    hy_net_wait wait = {.peer = &peer.base, .since = 1};
    for (int turns = 1; turns <= MANY; turns++)
        if (hy_net_turn(&endpoint.base, &wait) == HAYATE_ERR_PEER_FAILED) return turns;
    return MANY + 1;
}

TEST(should_look_at_a_silent_peer_however_much_comes_in)
{
    begin(ROOM);
    net.base.silence = 1;
    provider.floods = true;
    assert_true(turns_until_lost() <= MANY);
    assert_non_null(strstr(hayate_error(), "no answer"));
    end();
}

TEST(should_let_a_peer_be_that_is_heard_of)
{
    begin(ROOM);
    provider.floods = true;
    hy_net_note_sign(&peer.base.life);
    assert_int_equal(turns_until_lost(), MANY + 1);
    end();
}

int main(void)
{
    return tests_run();
}
