/* SPDX-License-Identifier: Apache-2.0 */
/* Row `attach` where memory is lost, on the real device: see module_fixture.h. cmocka catches
 * SIGBUS in every test, so that one which comes is a failure. */
#include "path/kmod/module_fixture.h"

#define JOB 7

TEST(should_give_up_a_window_that_lost_memory_and_attach_it_anew)
{
    module_wanted();
    uint8_t byte;
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, MANY, true);
    hy_ep ep = peer_ep(&peer, mine);
    for (unsigned seed = 1; seed < 4; seed++) {
        peer_tell(&peer, 'f', seed);
        assert_ok(hy_path_attach.get(&ep, peer_at(5), &byte, 1));
        assert_int_equal(byte, peer_byte(5, seed));
        assert_int_equal(count_attachments(), 1);
        peer_tell(&peer, 'u', 0);
        assert_int_equal(hy_path_attach.get(&ep, peer_at(5), &byte, 1), HAYATE_ERR_CORRUPT);
        assert_int_equal(count_attachments(), 0);
        peer_tell(&peer, 'm', 0);
    }
    peer_end(&peer);
    hy_kmod_close(mine);
}

/* What was put must be seen on both ways, if it can be seen. */
static int put_and_look(hy_ep *ep, uint64_t offset, unsigned seed)
{
    static uint8_t local[65536], seen[65536];
    for (uint64_t i = 0; i < sizeof local; i++) local[i] = peer_byte(i, seed);
    int rc = hy_path_attach.put(ep, peer_at(offset), local, sizeof local);
    for (int turn = 0; !rc && turn < 4; turn++) {
        int got = rows[turn % 2]->get(ep, peer_at(offset), seen, sizeof seen);
        if (got) assert_int_equal(got, HAYATE_ERR_CORRUPT);
        else assert_memory_equal(seen, local, sizeof local);
    }
    return rc;
}

TEST(should_not_lose_or_invent_a_byte_while_memory_goes_and_comes)
{
    module_wanted();
    unsigned good = 0, bad = 0;
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, MANY, true);
    hy_ep ep = peer_ep(&peer, mine);
    peer_tell(&peer, 'h', 0);
    for (unsigned turn = 1; (good < 200 || bad < 5) && turn < 50000; turn++) {
        int rc = put_and_look(&ep, turn * 40961 % (PEER_BYTES - 65536), turn);
        if (rc) assert_int_equal(rc, HAYATE_ERR_CORRUPT);
        good += rc == HAYATE_OK;
        bad += rc != HAYATE_OK;
    }
    assert_true(good >= 200 && bad >= 5);
    peer_kill(&peer);
    hy_kmod_close(mine);
}

/* That memory is lost, meanwhile, is the occasion for which one would be wanted. */
TEST(should_leave_all_signals_alone)
{
    module_wanted();
    struct sigaction before[65], after;
    uint8_t byte = 0;
    for (int i = 1; i < 65; i++) sigaction(i, NULL, &before[i]);
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, MANY, true);
    hy_ep ep = peer_ep(&peer, mine);
    assert_ok(hy_path_attach.get(&ep, peer_at(0), &byte, 1));
    peer_tell(&peer, 'u', 0);
    assert_int_equal(hy_path_attach.put(&ep, peer_at(0), &byte, 1), HAYATE_ERR_CORRUPT);
    for (int i = 1; i < 65; i++) {
        if (sigaction(i, NULL, &after)) continue; /* the C library keeps two for itself */
        assert_ptr_equal(after.sa_handler, before[i].sa_handler);
        assert_int_equal(after.sa_flags, before[i].sa_flags);
    }
    peer_end(&peer);
    hy_kmod_close(mine);
}

int main(void)
{
    return tests_run();
}
