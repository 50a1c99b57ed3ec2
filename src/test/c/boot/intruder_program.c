/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two jobs on several nodes over libfabric at the same time, of which one knows where a rank of the
 * other listens, but not its token. Arguments:
 *   victim FILE     the ranks send around their ring until FILE.done is there, and ten times more;
 *                   rank 1 writes into FILE where it listens and where a guarded piece of its
 *                   memory is, which must be as it was at the end
 *   intruder FILE   rank 0 takes what its launcher says of rank 2, but for the address, which is
 *                   the one in FILE; it writes, reads and signs off there, and makes FILE.done
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "init/join.h"
#include "net/ofi/ofi_net.h"

#include <hayate/fmpl.h>
#include <hayate/hayate.h>

enum { LISTENER = 1, IMPOSTOR = 2 };
enum { ADDRESS_AT = 80 }; /* in an address */
enum { GUARDED = 8192 };

typedef struct notice {
    uint64_t at; /* offset in the listener's part */
    uint8_t address[HY_NET_ADDRESS - ADDRESS_AT];
    uint64_t bytes;
} notice;

static notice known;
static int (*look_up_honestly)(void *context, int rank, void *address, size_t *len);

static int fail(const char *what)
{
    printf("rank %d: %s: %s\n", hayate_rank(), what, hayate_error());
    fflush(stdout);
    return 4;
}

static hy_net_base *net_of(const hy_job *job)
{
    return hy_net_base_of(job->net);
}

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Complete when it has its name. */
static int write_file(const char *path, const void *data, size_t bytes)
{
    char draft[300];
    snprintf(draft, sizeof draft, "%s.draft", path);
    FILE *file = fopen(draft, "w");
    bool written = file && fwrite(data, 1, bytes, file) == bytes;
    if (file && fclose(file) != 0) written = false;
    return written && rename(draft, path) == 0 ? 0 : -1;
}

/* ---- the job that is intruded upon ---- */

static int tell_where(const hy_job *job, const uint8_t *memory, const char *path)
{
    const hy_net_base *net = net_of(job);
    notice mine = {.at = (uint64_t)(memory - job->part), .bytes = net->address_bytes - ADDRESS_AT};
    memcpy(mine.address, net->address + ADDRESS_AT, mine.bytes);
    return write_file(path, &mine, sizeof mine);
}

/* A word around the ring, from rank 0 on, that says how often to go on: 0 is the last time. */
static int go_around(int rank, int size, int64_t *left)
{
    int ier = 0, right = (rank + 1) % size, before = (rank + size - 1) % size;
    int64_t word[2] = {*left, *left * 7};
    if (rank == 0) fmpl_send(word, sizeof word, right, 0, &ier);
    if (!ier) fmpl_recv(word, sizeof word, before, 0, &ier);
    if (!ier && rank != 0) fmpl_send(word, sizeof word, right, 0, &ier);
    if (ier) return ier;
    *left = word[0];
    return word[1] == word[0] * 7 ? HAYATE_OK : HAYATE_ERR_CORRUPT;
}

static int be_victim(hy_job *job, const char *path)
{
    char done[300];
    int ier, rank = hayate_rank(), size = hayate_size(), rc = HAYATE_OK;
    int64_t left = 10, rounds = 0;
    uint8_t *memory = hy_job_alloc(job, GUARDED);
    if (!memory) return fail("memory");
    memset(memory, 0x5a, GUARDED);
    fmpl_init(NULL, NULL, 1, &ier);
    if (ier) return fail("fmpl");
    if (rank == LISTENER && tell_where(job, memory, path)) return fail("file");
    snprintf(done, sizeof done, "%s.done", path);
    for (; !rc && left > 0; rounds++) {
        if (rank == 0 && exists(done)) left--;
        rc = go_around(rank, size, &left);
    }
    if (rc) return fail("ring");
    for (int i = 0; i < GUARDED; i++)
        if (memory[i] != 0x5a) return fail("somebody wrote into guarded memory");
    bool heard = rank != LISTENER || net_of(job)->endpoints[0]->dropped.strangers > 0;
    if (!heard) return fail("nobody came");
    printf("rank %d was not disturbed\n", rank);
    return 0;
}

/* ---- the other one ---- */

static int look_up_elsewhere(void *context, int rank, void *address, size_t *len)
{
    int rc = look_up_honestly(context, rank, address, len);
    if (!rc && rank == IMPOSTOR)
        memcpy((uint8_t *)address + ADDRESS_AT, known.address, known.bytes);
    return rc;
}

static void await_file(const char *path)
{
    for (int tries = 0; tries < 3000 && !exists(path); tries++) usleep(10000);
}

static int await_notice(const char *path)
{
    await_file(path);
    FILE *file = fopen(path, "r");
    size_t read = file ? fread(&known, 1, sizeof known, file) : 0;
    if (file) fclose(file);
    return read == sizeof known ? 0 : -1;
}

/* In an order in which each fails by itself: a peer that has failed is not tried again. */
static int intrude(hy_job *job)
{
    hy_ep *ep = hy_job_ep(job, IMPOSTOR);
    const hy_flag flag = {77, {1, 2, 3}};
    uint8_t data[4096];
    uint64_t before = 0;
    memset(data, 0x77, sizeof data);
    for (uint64_t i = 0; i < 64; i++) {
        ep->ops->signal(ep, known.at + i * HY_LINE, 1, &i, sizeof i);
        ep->ops->put_flag(ep, known.at + i * HY_LINE, &flag);
    }
    if (ep->ops->atomic(ep, known.at, HY_ATOMIC_SWAP, 1, 0, &before) != HAYATE_ERR_PEER_FAILED)
        return fail("an atomic was carried out");
    if (before != 0) return fail("an atomic has learnt something");
    int rc = ep->ops->get(ep, known.at, data, sizeof data);
    for (size_t i = 0; i < sizeof data; i++)
        if (data[i] != 0x77) return fail("a get has learnt something");
    if (!rc) return fail("a get was answered");
    rc = ep->ops->put(ep, known.at, data, sizeof data);
    if (!rc && !ep->ops->flush(ep)) return fail("a put was carried out");
    printf("rank %d has learnt nothing\n", job->rank);
    return 0;
}

static int be_intruder(hy_job *job, const char *path)
{
    char done[300];
    int rank = job->rank, result = 0;
    snprintf(done, sizeof done, "%s.done", path);
    if (rank == 0) {
        if (await_notice(path)) return fail("no notice");
        look_up_honestly = net_of(job)->attr.lookup;
        net_of(job)->attr.lookup = look_up_elsewhere;
        result = intrude(job);
    } else await_file(done); /* of who leaves rank 0 tells rank 2: it would know the true address */
    hayate_finalize();       /* says to all that were used, the victim among them, that it leaves */
    if (rank == 0 && write_file(done, "", 0)) return 5;
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    bool intruder = strcmp(argv[1], "intruder") == 0;
    alarm(420);
    if (intruder) setenv("HAYATE_NET_SILENCE", "3", 1);
    setenv("HAYATE_NET", "ofi", 1);
    if (hayate_init()) {
        fprintf(stderr, "%s\n", hayate_error());
        return 3;
    }
    int result = intruder ? be_intruder(hy_process_job(), argv[2])
                          : be_victim(hy_process_job(), argv[2]);
    if (!intruder) hayate_finalize();
    return result;
}
