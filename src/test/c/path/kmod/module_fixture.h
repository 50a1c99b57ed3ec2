/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A peer on /dev/hayate: a forked process that gives its memory to a job and does what it is told.
 * Without the device tests are skipped; with HAYATE_TEST_MODULE in the environment, where it has to
 * be there, they fail.
 */
#ifndef HY_TEST_MODULE_FIXTURE_H
#define HY_TEST_MODULE_FIXTURE_H

#include "base/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/status.h"
#include "path/kmod/kmod.h"

#define PEER_BYTES (3 * HY_WINDOW_BYTES) /* touches at least two borders of windows */
#define PEER_RANK 1
#define MANY (UINT64_C(1) << 30) /* bytes, more than is attached here */

static const hy_path_ops *const rows[] = {&hy_path_copy, &hy_path_attach};

typedef struct module_peer {
    pid_t pid;
    int to, from;
    uint64_t segment, cookie;
} module_peer;

static uint8_t *peer_memory; /* private: parent and child have one each, at the same address */
static uint64_t peer_cookie;

/* Repeats, but not after pages or windows. */
#define PEER_PERIOD 4099

static inline uint8_t peer_byte(uint64_t i, unsigned seed)
{
    i %= PEER_PERIOD;
    return (uint8_t)(i * 131 + (i >> 8) * 7 + seed);
}

static inline void peer_pattern(uint8_t *to, unsigned seed)
{
    for (uint64_t i = 0; i < PEER_PERIOD; i++) to[i] = peer_byte(i, seed);
    for (uint64_t have = PEER_PERIOD, some; have < PEER_BYTES; have += some) {
        some = have < PEER_BYTES - have ? have : PEER_BYTES - have;
        memcpy(to + have, to, some);
    }
}

/* Of the calling process: PEER_BYTES as the peer's memory is with this seed. */
static inline const uint8_t *peer_should_be(unsigned seed)
{
    static uint8_t pattern[PEER_BYTES];
    static unsigned of;
    if (of != seed + 1) peer_pattern(pattern, seed);
    of = seed + 1;
    return pattern;
}

static inline hy_kmod *module_member(uint8_t job, uint64_t attach_bytes, bool at_once)
{
    hy_kmod_use use = {.ranks = 4, .attach_bytes = attach_bytes, .at_once = at_once};
    memset(use.token, job, sizeof use.token);
    hy_kmod *kmod = hy_kmod_open(&use);
    assert_non_null(kmod);
    return kmod;
}

static inline void module_wanted(void)
{
    if (hy_kmod_probe() == HAYATE_OK) return;
    if (getenv("HAYATE_TEST_MODULE")) fail_msg("%s", hayate_error());
    skip();
}

static inline void peer_map(void)
{
    void *at = mmap(peer_memory, PEER_BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | (peer_memory ? MAP_FIXED : 0), -1, 0);
    if (at == MAP_FAILED) _exit(99);
    peer_memory = at;
}

/* For ever: forbids a part of its memory and permits the one before again; all bytes stay. */
static inline void *peer_hide_parts(void *unused)
{
    (void)unused;
    const uint64_t part = PEER_BYTES / 16;
    for (uint64_t hidden = 0;; hidden = (hidden + part) % PEER_BYTES) {
        mprotect(peer_memory + hidden, part, PROT_NONE);
        mprotect(peer_memory + hidden, part, PROT_READ | PROT_WRITE);
    }
    return NULL;
}

static inline void peer_begin_hiding(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, peer_hide_parts, NULL);
}

/* What it is told: a letter and a number. It answers each with one byte when it is done. */
static inline void peer_obey(char what, unsigned seed)
{
    switch (what) {
    case 'f': peer_pattern(peer_memory, seed); break;
    case 'u': munmap(peer_memory, PEER_BYTES); break;
    case 'm': peer_map(); break; /* other pages at the same place */
    case 'd': madvise(peer_memory, PEER_BYTES, MADV_DONTNEED); break;
    case 'r': mprotect(peer_memory, PEER_BYTES, PROT_READ); break;
    case 'h': peer_begin_hiding(); break;
    case 'k':
        if (fork() == 0) _exit(0); /* what was written is shared now, until it is written anew */
        wait(NULL);
        break;
    case 'c': /* is its memory what the seed says? */
        if (memcmp(peer_memory, peer_should_be(seed), PEER_BYTES) != 0) _exit(3);
        break;
    default: _exit(0);
    }
}

static inline void peer_run(int in, int out, uint8_t job)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    hy_kmod *mine = module_member(job, HY_WINDOW_BYTES, false);
    uint64_t told[2] = {hy_kmod_segment(mine), peer_cookie};
    unsigned char order[2];
    if (write(out, told, sizeof told) != sizeof told) _exit(98);
    while (read(in, order, 2) == 2) {
        peer_obey((char)order[0], order[1]);
        if (write(out, "", 1) != 1) break;
    }
    _exit(0);
}

static inline module_peer peer_start(uint8_t job)
{
    int in[2], out[2];
    uint64_t told[2];
    peer_memory = NULL;
    peer_map();
    peer_cookie = UINT64_C(0x123456789abcdef0) + (uint64_t)getpid();
    assert_true(pipe(in) == 0 && pipe(out) == 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(in[1]), close(out[0]);
        peer_pattern(peer_memory, 1);
        peer_run(in[0], out[1], job);
    }
    close(in[0]), close(out[1]);
    assert_int_equal(read(out[0], told, sizeof told), sizeof told);
    return (module_peer){pid, in[1], out[0], told[0], told[1]};
}

static inline void peer_tell(const module_peer *peer, char what, unsigned seed)
{
    char done;
    unsigned char order[2] = {(unsigned char)what, (unsigned char)seed};
    assert_int_equal(write(peer->to, order, 2), 2);
    assert_int_equal(read(peer->from, &done, 1), 1);
}

static inline int peer_end(const module_peer *peer)
{
    int status = -1;
    close(peer->to), close(peer->from);
    waitpid(peer->pid, &status, 0);
    munmap(peer_memory, PEER_BYTES);
    return status;
}

static inline void peer_kill(const module_peer *peer)
{
    kill(peer->pid, SIGKILL);
    peer_end(peer);
}

static inline hy_ep peer_ep(const module_peer *peer, hy_kmod *mine)
{
    return (hy_ep){.rank = PEER_RANK,
                   .pid = peer->pid,
                   .cookie = peer->cookie,
                   .cookie_address = (uint64_t)(uintptr_t)&peer_cookie,
                   .kmod = mine,
                   .segment = peer->segment};
}

static inline uint64_t peer_at(uint64_t offset)
{
    return (uint64_t)(uintptr_t)peer_memory + offset;
}

#define OFFSET_OF_COUNT " 4000000000000000 " /* where an access has its count of losses */

static inline int count_attachments(void)
{
    int count = 0;
    char line[512];
    FILE *maps = fopen("/proc/self/maps", "re");
    while (fgets(line, sizeof line, maps))
        count += strstr(line, "[hayate-access]") && !strstr(line, OFFSET_OF_COUNT);
    fclose(maps);
    return count;
}

#endif
