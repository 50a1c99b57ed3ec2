/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* Single copy by the kernel, with a forked process as the peer. */
#include "base/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "path/path.h"
#include "path/seccomp_fixture.h"

#define BYTES 300000

static uint8_t *memory; /* private: parent and child have one each, at the same address */
static uint64_t cookie = UINT64_C(0x1234567890abcdef);
static int to_child[2], from_child[2];

/* A child that changes its copy of the memory, then waits until told to look at it. */
static void be_a_peer(void)
{
    char word;
    for (int i = 0; i < BYTES; i++) memory[i] = (uint8_t)(i * 7);
    if (write(from_child[1], "r", 1) != 1 || read(to_child[0], &word, 1) != 1) _exit(1);
    for (int i = 0; i < BYTES; i++) {
        if (memory[i] != (uint8_t)(i * 3)) _exit(2);
    }
    _exit(0);
}

static hy_ep start_peer(void)
{
    char word;
    assert_int_equal(pipe(to_child), 0);
    assert_int_equal(pipe(from_child), 0);
    memory = malloc(BYTES);
    assert_non_null(memory);
    memset(memory, 0, BYTES);
    pid_t child = fork();
    if (child == 0) be_a_peer();
    assert_int_equal(read(from_child[0], &word, 1), 1);
    return (hy_ep){
        .rank = 3, .pid = child, .cookie = cookie, .cookie_address = (uint64_t)(uintptr_t)&cookie};
}

static int end_peer(const hy_ep *ep)
{
    int status = -1;
    if (write(to_child[1], "g", 1) != 1) kill(ep->pid, SIGKILL);
    waitpid(ep->pid, &status, 0);
    for (int i = 0; i < 2; i++) close(to_child[i]), close(from_child[i]);
    free(memory);
    return status;
}

static void skip_without_cma(void)
{
    if (hy_path_cma.probe() != HAYATE_OK) skip();
}

static uint64_t remote(const void *address)
{
    return (uint64_t)(uintptr_t)address;
}

TEST(should_get_from_and_put_into_another_process)
{
    skip_without_cma();
    hy_ep ep = start_peer();
    uint8_t *local = malloc(BYTES);
    assert_ok(hy_path_cma.get(&ep, remote(memory), local, BYTES));
    for (int i = 0; i < BYTES; i++) assert_int_equal(local[i], (uint8_t)(i * 7));
    for (int i = 0; i < BYTES; i++) local[i] = (uint8_t)(i * 3);
    assert_ok(hy_path_cma.put(&ep, remote(memory), local, BYTES));
    assert_ok(hy_path_cma.get(&ep, remote(memory), local, 0));
    assert_int_equal(memory[5], 0);
    assert_int_equal(end_peer(&ep), 0);
    free(local);
}

TEST(should_move_pieces_whose_borders_differ)
{
    skip_without_cma();
    hy_ep ep = start_peer();
    uint8_t local[64];
    struct iovec mine[] = {{local, 10}, {local + 10, 20}, {local + 30, 34}};
    struct iovec theirs[] = {{memory + 100, 32}, {memory + 132, 32}};
    assert_ok(hy_path_cma.move_pieces(&ep, false, mine, 3, theirs, 2));
    for (int i = 0; i < 64; i++) assert_int_equal(local[i], (uint8_t)((100 + i) * 7));
    end_peer(&ep);
}

TEST(should_refuse_addresses_that_the_peer_does_not_have)
{
    skip_without_cma();
    static const uint64_t bad[] = {0, 0x1000, UINT64_C(0x800000000000), UINT64_MAX - 4095};
    hy_ep ep = start_peer();
    uint8_t local[64] = {0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(hy_path_cma.get(&ep, bad[i], local, 64), HAYATE_ERR_CORRUPT);
        assert_int_equal(hayate_error_peer(), 3);
        assert_int_equal(hy_path_cma.put(&ep, bad[i], local, 64), HAYATE_ERR_CORRUPT);
    }
    end_peer(&ep);
}

/* The first page is there, the second is not: no part of it counts as success. */
TEST(should_not_take_a_part_for_the_whole)
{
    skip_without_cma();
    uint8_t *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(pages, MAP_FAILED);
    munmap(pages + 4096, 4096);
    hy_ep ep = start_peer();
    uint8_t local[8192];
    assert_ok(hy_path_cma.get(&ep, remote(pages), local, 4096));
    assert_int_equal(hy_path_cma.get(&ep, remote(pages), local, 8192), HAYATE_ERR_CORRUPT);
    end_peer(&ep);
    munmap(pages, 4096);
}

TEST(should_say_that_the_peer_is_gone)
{
    skip_without_cma();
    hy_ep ep = start_peer();
    uint8_t byte;
    uint64_t address = remote(&byte);
    end_peer(&ep);
    assert_int_equal(hy_path_cma.get(&ep, address, &byte, 1), HAYATE_ERR_PEER_FAILED);
    assert_int_equal(hayate_error_peer(), 3);
    assert_non_null(strstr(hayate_error(), "rank 3"));
}

TEST(should_choose_single_copy_when_the_cookie_is_right)
{
    skip_without_cma();
    hy_ep ep = start_peer();
    hy_ep_choose_single(&ep, NULL);
    assert_ptr_equal(ep.single, &hy_path_cma);
    end_peer(&ep);
}

TEST(should_not_trust_a_process_with_another_cookie)
{
    skip_without_cma();
    hy_ep ep = start_peer();
    ep.cookie ^= 1;
    hy_ep_choose_single(&ep, NULL);
    assert_null(ep.single);
    assert_non_null(strstr(ep.why_not_single, "is not rank 3 here"));
    ep.cookie_address = 16;
    hy_ep_choose_single(&ep, NULL);
    assert_null(ep.single);
    end_peer(&ep);
}

/* In a child, as a filter is for good: 0 if all was as it should be. */
static int look_when_forbidden(void)
{
    hy_ep ep = {.rank = 1, .pid = getppid(), .cookie_address = remote(&cookie), .cookie = cookie};
    if (!seccomp_forbid_single_copy()) return 77;
    if (hy_path_cma.probe() != HAYATE_ERR_UNSUPPORTED) return 1;
    if (!strstr(hayate_error(), "seccomp") || !strstr(hayate_error(), "SYS_PTRACE")) return 2;
    hy_ep_choose_single(&ep, NULL);
    if (ep.single || strcmp(ep.why_not_single, hayate_error()) != 0) return 3;
    if (hy_path_cma.get(&ep, ep.cookie_address, &cookie, 8) != HAYATE_ERR_UNSUPPORTED) return 4;
    if (hy_path_shm.probe() || hy_path_direct.probe()) return 5;
    return 0;
}

TEST(should_give_the_reason_when_it_is_forbidden)
{
    int status;
    skip_without_cma();
    pid_t child = fork();
    if (child == 0) _exit(look_when_forbidden());
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) == 77) skip();
    assert_int_equal(status, 0);
}

int main(void)
{
    return tests_run();
}
