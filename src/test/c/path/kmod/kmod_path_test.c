/* SPDX-License-Identifier: Apache-2.0 */
/* The rows `copy` and `attach`, on the real device: see module_fixture.h. */
#include "path/kmod/module_fixture.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>

#include "path/kmod/calls_fixture.h"

#define JOB 5

static void check_range(const hy_path_ops *row, hy_ep *ep, uint64_t offset, uint64_t len)
{
    static uint8_t local[PEER_BYTES + 2];
    memset(local, 0xee, len + 2);
    assert_ok(row->get(ep, peer_at(offset), local + 1, len));
    assert_int_equal(memcmp(local + 1, peer_should_be(1) + offset, len), 0);
    assert_true(local[0] == 0xee && local[len + 1] == 0xee);
    assert_ok(row->put(ep, peer_at(offset), local + 1, len));
}

/* Puts write what was there: what they touch beside it shows at the end. */
TEST(should_get_and_put_at_all_sizes_and_alignments)
{
    module_wanted();
    static const uint64_t sizes[] = {0, 1, 7, 64, 4095, 4096, 4097, 65537, HY_WINDOW_BYTES + 5};
    for (int r = 0; r < 2; r++) {
        module_peer peer = peer_start(JOB);
        hy_kmod *mine = module_member(JOB, MANY, r);
        hy_ep ep = peer_ep(&peer, mine);
        for (int s = 0; s < 9; s++) {
            for (uint64_t offset = 0; offset < 8200; offset += 1021)
                check_range(rows[r], &ep, offset, sizes[s]);
            check_range(rows[r], &ep, PEER_BYTES - sizes[s], sizes[s]);
        }
        check_range(rows[r], &ep, 0, PEER_BYTES);
        peer_tell(&peer, 'c', 1);
        assert_int_equal(peer_end(&peer), 0);
        hy_kmod_close(mine);
    }
}

TEST(should_put_what_the_owner_then_sees)
{
    module_wanted();
    for (int r = 0; r < 2; r++) {
        module_peer peer = peer_start(JOB);
        hy_kmod *mine = module_member(JOB, MANY, r);
        hy_ep ep = peer_ep(&peer, mine);
        int rc = rows[r]->put(&ep, peer_at(0), peer_should_be(77), PEER_BYTES);
        assert_int_equal(rc, HAYATE_OK);
        peer_tell(&peer, 'c', 77);
        assert_int_equal(peer_memory[5], 0); /* and nobody else's */
        assert_int_equal(peer_end(&peer), 0);
        hy_kmod_close(mine);
    }
}

typedef struct counted {
    const module_peer *peer;
    const hy_path_ops *row;
    uint64_t len;
    int times;
    uint64_t attach_bytes, offset;
} counted;

/* The child is a member of its own, as an address space can be only one. */
static int use_often(void *argument)
{
    const counted *c = argument;
    static uint8_t local[65536];
    hy_kmod *mine = module_member(JOB, c->attach_bytes, true);
    hy_ep ep = peer_ep(c->peer, mine);
    int rc = c->row->get(&ep, peer_at(c->offset), local, c->len);
    if (!rc) rc = c->row->put(&ep, peer_at(c->offset), local, c->len);
    calls_mark();
    for (int i = 0; !rc && i < c->times; i++) {
        rc = c->row->get(&ep, peer_at(c->offset), local, c->len);
        if (!rc) rc = c->row->put(&ep, peer_at(c->offset), local, c->len);
    }
    calls_mark();
    return rc || memcmp(local, peer_should_be(1) + c->offset, c->len) != 0;
}

static int calls_between(const counted *c)
{
    int status, nothing = calls_of(calls_nothing, NULL, &status);
    int calls = calls_of(use_often, (void *)(uintptr_t)c, &status);
    assert_int_equal(status, 0);
    assert_true(nothing > 0 && calls >= 0);
    return calls - nothing;
}

TEST(should_take_one_system_call_for_a_copy_and_none_for_what_is_attached)
{
    module_wanted();
    module_peer peer = peer_start(JOB);
    for (uint64_t len = 64; len <= 65536; len *= 32) {
        counted c = {&peer, &hy_path_copy, len, 10, 0, 0};
        assert_int_equal(calls_between(&c), 20);
        c = (counted){&peer, &hy_path_attach, len, 10, MANY, 0};
        assert_int_equal(calls_between(&c), 0);
        c.offset = HY_WINDOW_BYTES - peer_at(0) % HY_WINDOW_BYTES - 32; /* across a border */
        assert_int_equal(calls_between(&c), 0);
        c.offset = 0;
        /* room for one window: get and put take it from each other, unmapping and mapping it */
        c.attach_bytes = HY_WINDOW_BYTES;
        assert_true(calls_between(&c) >= 40);
    }
    peer_end(&peer);
}

static void expect(const hy_path_ops *row, hy_ep *ep, int seed)
{
    static uint8_t local[PEER_BYTES], zeros[PEER_BYTES];
    assert_ok(row->get(ep, peer_at(0), local, PEER_BYTES));
    const uint8_t *right = seed < 0 ? zeros : peer_should_be((unsigned)seed);
    if (memcmp(local, right, PEER_BYTES) != 0) fail_msg("bytes are of another time");
}

/* A program that frees its buffers and gets other memory at the same addresses. */
TEST(should_never_show_what_the_owner_had_before)
{
    module_wanted();
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, MANY, true);
    for (int r = 0; r < 2; r++) {
        hy_ep ep = peer_ep(&peer, mine);
        peer_tell(&peer, 'f', 1);
        expect(rows[r], &ep, 1);
        peer_tell(&peer, 'm', 0);
        expect(rows[r], &ep, -1);
        for (int seed = 2; seed < 6; seed++) {
            peer_tell(&peer, 'f', (unsigned)seed);
            expect(rows[r], &ep, seed);
            peer_tell(&peer, 'k', 0);
            peer_tell(&peer, 'f', (unsigned)seed + 40);
            expect(rows[r], &ep, seed + 40);
            peer_tell(&peer, 'd', 0);
            expect(rows[r], &ep, -1);
        }
        peer_tell(&peer, 'u', 0);
        peer_tell(&peer, 'm', 0);
        peer_tell(&peer, 'f', 9);
        expect(rows[r], &ep, 9);
    }
    assert_int_equal(peer_end(&peer), 0);
    hy_kmod_close(mine);
}

TEST(should_say_that_memory_is_not_there_and_go_on)
{
    module_wanted();
    static const uint64_t bad[] = {16, UINT64_C(0x800000000000), HY_WINDOWS_ADDRESSES,
                                   UINT64_MAX - 4095};
    uint8_t local[64] = {0};
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, MANY, true);
    hy_ep ep = peer_ep(&peer, mine);
    for (int turn = 0; turn < 6; turn++) {
        const hy_path_ops *row = rows[turn % 2];
        for (int i = 0; i < 4; i++) {
            assert_int_equal(row->get(&ep, bad[i], local, 64), HAYATE_ERR_CORRUPT);
            assert_int_equal(hayate_error_peer(), PEER_RANK);
            assert_int_equal(row->put(&ep, bad[i], local, 64), HAYATE_ERR_CORRUPT);
        }
        peer_tell(&peer, 'f', 3);
        expect(row, &ep, 3);
        peer_tell(&peer, 'r', 0);
        expect(row, &ep, 3);
        assert_int_equal(row->put(&ep, peer_at(100), local, 64), HAYATE_ERR_CORRUPT);
        peer_tell(&peer, 'u', 0);
        assert_int_equal(row->get(&ep, peer_at(100), local, 64), HAYATE_ERR_CORRUPT);
        assert_int_equal(row->put(&ep, peer_at(100), local, 64), HAYATE_ERR_CORRUPT);
        peer_tell(&peer, 'm', 0);
    }
    peer_end(&peer);
    hy_kmod_close(mine);
}

/* Until it fails: every byte that came is the right one. */
static int get_until_failed(const hy_path_ops *row, hy_ep *ep)
{
    static uint8_t local[65536];
    for (uint64_t turn = 0;; turn++) {
        uint64_t offset = turn * 40961 % (PEER_BYTES - sizeof local);
        int rc = row->get(ep, peer_at(offset), local, sizeof local);
        if (rc) return rc;
        assert_int_equal(memcmp(local, peer_should_be(1) + offset, sizeof local), 0);
    }
}

static void *kill_soon(void *pid)
{
    usleep(30000);
    kill(*(pid_t *)pid, SIGKILL);
    return NULL;
}

TEST(should_survive_the_death_of_the_owner)
{
    module_wanted();
    for (int turn = 0; turn < 6; turn++) {
        module_peer peer = peer_start(JOB);
        hy_kmod *mine = module_member(JOB, MANY, turn % 4 == 1);
        hy_ep ep = peer_ep(&peer, mine);
        pthread_t killer;
        uint8_t byte = 0;
        pthread_create(&killer, NULL, kill_soon, &peer.pid);
        assert_int_equal(get_until_failed(rows[turn % 2], &ep), HAYATE_ERR_PEER_FAILED);
        assert_int_equal(hayate_error_peer(), PEER_RANK);
        pthread_join(killer, NULL);
        int rc = rows[turn % 2]->put(&ep, peer_at(0), &byte, 1);
        assert_int_equal(rc, HAYATE_ERR_PEER_FAILED);
        peer_end(&peer);
        hy_kmod_close(mine);
    }
}

static int count_fds(void)
{
    int count = 0;
    DIR *all = opendir("/proc/self/fd");
    while (readdir(all)) count++;
    closedir(all);
    return count;
}

TEST(should_keep_to_the_bound_and_leave_nothing)
{
    module_wanted();
    uint8_t byte;
    module_peer peer = peer_start(JOB);
    int fds = count_fds();
    hy_kmod *mine = module_member(JOB, 2 * HY_WINDOW_BYTES + 1, true);
    hy_ep ep = peer_ep(&peer, mine);
    for (uint64_t i = 0; i < 30; i++) {
        uint64_t offset = i * HY_WINDOW_BYTES % PEER_BYTES;
        assert_ok(hy_path_attach.get(&ep, peer_at(offset), &byte, 1));
        assert_int_equal(byte, peer_byte(offset, 1));
        assert_true(count_attachments() <= 2);
    }
    assert_true(count_attachments() > 0);
    hy_kmod_close(mine);
    assert_int_equal(count_attachments(), 0);
    assert_int_equal(count_fds(), fds);
    peer_end(&peer);
}

TEST(should_attach_what_is_used_again)
{
    module_wanted();
    uint8_t byte;
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, MANY, false);
    hy_ep ep = peer_ep(&peer, mine);
    for (int use = 0; use < 3; use++) {
        assert_ok(hy_path_attach.get(&ep, peer_at(0), &byte, 1));
        assert_int_equal(count_attachments(), use > 0);
    }
    hy_kmod_close(mine);
    peer_end(&peer);
}

TEST(should_not_reach_a_process_of_another_job)
{
    module_wanted();
    uint8_t byte;
    module_peer peer = peer_start(JOB + 1);
    hy_kmod *mine = module_member(JOB, MANY, true);
    hy_ep ep = peer_ep(&peer, mine);
    for (int r = 0; r < 2; r++) {
        assert_int_not_equal(rows[r]->get(&ep, peer_at(0), &byte, 1), HAYATE_OK);
        hy_ep_choose_single(&ep, rows[r]->name);
        assert_null(ep.single);
        assert_non_null(strstr(ep.why_not_single, "another job"));
    }
    assert_int_equal(count_attachments(), 0);
    ep.segment = 0; /* what a peer tells that has no module */
    hy_ep_choose_single(&ep, "copy");
    assert_null(ep.single);
    assert_non_null(strstr(ep.why_not_single, "rank 1 does not use /dev/hayate"));
    hy_kmod_close(mine);
    peer_end(&peer);
}

TEST(should_choose_attach_then_copy_for_the_right_process_only)
{
    module_wanted();
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, MANY, false);
    hy_ep ep = peer_ep(&peer, mine);
    hy_ep_choose_single(&ep, NULL);
    assert_ptr_equal(ep.single, &hy_path_attach);
    hy_ep_choose_single(&ep, "copy");
    assert_ptr_equal(ep.single, &hy_path_copy);
    ep.cookie ^= 1;
    hy_ep_choose_single(&ep, "copy");
    assert_null(ep.single);
    assert_non_null(strstr(ep.why_not_single, "is not rank 1 here"));
    hy_kmod_close(mine);
    mine = module_member(JOB, HY_WINDOW_BYTES - 1, false);
    ep = peer_ep(&peer, mine);
    hy_ep_choose_single(&ep, NULL);
    assert_ptr_equal(ep.single, &hy_path_copy);
    hy_ep_choose_single(&ep, "attach");
    assert_null(ep.single);
    assert_non_null(strstr(ep.why_not_single, "HAYATE_ATTACH_CACHE"));
    hy_kmod_close(mine);
    peer_end(&peer);
}

TEST(should_refuse_a_child_of_fork_and_leave_its_memory_alone)
{
    module_wanted();
    uint8_t byte;
    int status;
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, MANY, true);
    hy_ep ep = peer_ep(&peer, mine);
    assert_ok(hy_path_attach.get(&ep, peer_at(0), &byte, 1));
    pid_t child = fork();
    if (child == 0) {
        int rc = 0;
        for (int r = 0; r < 2; r++)
            rc |= rows[r]->get(&ep, peer_at(0), &byte, 1) != HAYATE_ERR_STATE;
        hy_kmod_close(mine);
        _exit(rc);
    }
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_ok(hy_path_attach.get(&ep, peer_at(1), &byte, 1));
    hy_kmod_close(mine);
    peer_end(&peer);
}

typedef struct worker {
    pthread_t thread;
    hy_ep *ep;
    const uint8_t *right;
    unsigned seed;
    int wrong;
} worker;

static void *work(void *argument)
{
    worker *w = argument;
    static _Thread_local uint8_t local[20000];
    for (int turn = 0; turn < 400; turn++) {
        uint64_t offset = (uint64_t)rand_r(&w->seed) % (PEER_BYTES - sizeof local);
        w->wrong += hy_path_attach.get(w->ep, peer_at(offset), local, sizeof local) != HAYATE_OK;
        w->wrong += memcmp(local, w->right + offset, sizeof local) != 0;
    }
    return NULL;
}

TEST(should_serve_many_threads_with_room_for_few_windows)
{
    module_wanted();
    worker workers[4];
    module_peer peer = peer_start(JOB);
    hy_kmod *mine = module_member(JOB, 2 * HY_WINDOW_BYTES, true);
    hy_ep ep = peer_ep(&peer, mine);
    for (unsigned i = 0; i < 4; i++) {
        workers[i] = (worker){.ep = &ep, .right = peer_should_be(1), .seed = i + 1};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].wrong, 0);
    }
    hy_kmod_close(mine);
    peer_end(&peer);
}

TEST(should_say_what_is_missing)
{
    uint8_t byte;
    hy_ep ep = {.rank = PEER_RANK, .segment = 1};
    assert_ok(hy_kmod_check_abi(2));
    assert_refused(hy_kmod_check_abi(1), HAYATE_ERR_UNSUPPORTED, "interface version 1");
    assert_int_equal(hy_path_copy.get(&ep, 0, &byte, 1), HAYATE_ERR_UNSUPPORTED);
    if (hy_kmod_probe() == HAYATE_OK) return;
    assert_non_null(strstr(hayate_error(), "/dev/hayate"));
    ep.kmod = module_member(JOB, MANY, true);
    assert_int_equal(hy_kmod_segment(ep.kmod), 0);
    assert_refused(hy_path_attach.get(&ep, 0, &byte, 1), HAYATE_ERR_UNSUPPORTED, "/dev/hayate");
    hy_kmod_close(ep.kmod);
}

int main(void)
{
    return tests_run();
}
