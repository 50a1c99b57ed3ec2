/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of a bootstrap: their records, and the row of boot.h. What it has in common with a
 * cluster's launcher is in boot_cluster.c, for which this is a launcher that has told everything
 * before. */
#include "boot/bootstrap.h"

#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/boot_cluster.h"
#include "boot/node.h"

struct hy_bootstrap {
    int rank, size;
    bool owned;         /* by a boot */
    hy_node_host host;  /* its listener, until another rank of its machine turns out to be first */
    hy_offer mine;      /* as told */
    hy_offer *offers;   /* [size], by rank; NULL: not known */
    int32_t *node_of;   /* [size]: the first rank of each rank's machine */
    uint64_t digest;    /* of the offers */
    hy_failure failure; /* of this rank, since it has told its offer */
    char address[HY_OFFER_TEXT];
    pthread_mutex_t lock; /* of the rest */
    pthread_cond_t changed;
    bool over;   /* nobody waits for addresses any more */
    char *texts; /* the addresses of all ranks, one after the other, and where each begins */
    uint32_t *text_at;
};

/* ---- making ---- */

int hy_bootstrap_create(hy_bootstrap **result, int rank, int size,
                        const uint8_t machine[HY_MACHINE_BYTES])
{
    hy_bootstrap *b = calloc(1, sizeof *b);
    if (!b) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job of %d ranks", size);
    b->rank = rank;
    b->size = size;
    b->mine.rank = (uint32_t)rank;
    b->mine.size = (uint32_t)size;
    b->mine.pid = (uint32_t)getpid();
    memcpy(b->mine.machine, machine, sizeof b->mine.machine);
    b->host = (hy_node_host){.listener = -1, .rank = rank, .size = size};
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
    int rc = hy_node_listen(&b->host);
    if (!rc && getrandom(b->mine.attempt, sizeof b->mine.attempt, 0) != sizeof b->mine.attempt)
        rc = hy_fail_errno("getrandom");
    b->mine.node = b->host.address;
    if (rc) hy_bootstrap_abandon(b);
    else *result = b;
    return rc;
}

static void stop_listening(hy_bootstrap *b)
{
    if (b->host.listener >= 0) close(b->host.listener);
    b->host.listener = -1;
}

static void bootstrap_free(hy_bootstrap *b)
{
    stop_listening(b);
    pthread_cond_destroy(&b->changed);
    pthread_mutex_destroy(&b->lock);
    free(b->offers);
    free(b->node_of);
    free(b->texts);
    free(b->text_at);
    free(b);
}

static void announce(hy_bootstrap *b)
{
    pthread_mutex_lock(&b->lock);
    b->over = true;
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}

void hy_bootstrap_abandon(hy_bootstrap *b)
{
    if (!b) return;
    announce(b);
    if (!b->owned) bootstrap_free(b);
}

/* ---- offers ---- */

size_t hy_bootstrap_offer(hy_bootstrap *b, int code, const char *networks,
                          uint8_t record[HY_OFFER_BYTES])
{
    size_t bytes = hy_offer_finish(&b->mine, code, networks);
    memcpy(record, &b->mine, bytes);
    return bytes;
}

static int check_count(const hy_bootstrap *b, const hy_records *records)
{
    if (records->count == b->size) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_LAUNCH,
                   "the exchange returned %d records, expected one of each of %d"
                   " ranks",
                   records->count, b->size);
}

/* Whose record it is, once: `known` tells which ranks have one already. */
static int check_owner(const hy_bootstrap *b, uint32_t rank, uint32_t size, bool known, int number)
{
    if (rank >= (uint32_t)b->size || size != (uint32_t)b->size)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "record %d of the exchange is of rank %u of %u, but rank %d has been told "
                       "that there are %d ranks: give all ranks the same size",
                       number, rank, size, b->rank, b->size);
    if (!known) return HAYATE_OK;
    return hy_fail_peer(HAYATE_ERR_LAUNCH, (int)rank,
                        "two records of the exchange are of rank %u: give each rank a number of "
                        "its own, from 0 to %d",
                        rank, b->size - 1);
}

static int take_offer(hy_bootstrap *b, const uint8_t *record, size_t bytes, int number)
{
    hy_offer offer = {0};
    int rc = hy_offer_read(record, bytes, number, &offer);
    if (!rc)
        rc = check_owner(b, offer.rank, offer.size,
                         offer.rank < (uint32_t)b->size && b->offers[offer.rank].magic, number);
    if (rc) return rc;
    b->offers[offer.rank] = offer;
    bool altered = (int)offer.rank == b->rank &&
                   memcmp(offer.attempt, b->mine.attempt, sizeof offer.attempt) != 0;
    if (altered)
        return hy_fail(HAYATE_ERR_LAUNCH,
                       "the exchange returned a record of rank %d that this rank has not given: is "
                       "another process the same rank, or one of an earlier attempt?",
                       b->rank);
    return HAYATE_OK;
}

/* In the order of the ranks, which is the same everywhere. */
static int find_unable(hy_bootstrap *b)
{
    b->digest = 0;
    for (int rank = 0; rank < b->size; rank++)
        b->digest = hy_offer_digest(b->digest, &b->offers[rank],
                                    offsetof(hy_offer, text) + b->offers[rank].text_bytes);
    for (int rank = 0; rank < b->size; rank++)
        if (b->offers[rank].code && rank != b->rank)
            return hy_fail_peer(HAYATE_ERR_LAUNCH, rank, "rank %d cannot join: %s", rank,
                                b->offers[rank].text);
    return HAYATE_OK;
}

static int by_machine(const void *left, const void *right, void *context)
{
    const hy_offer *offers = context;
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    int order = memcmp(offers[a].machine, offers[b].machine, HY_MACHINE_BYTES);
    return order ? order : (a > b) - (a < b);
}

/* Sorts the ranks by machine; the first of each machine is its lowest rank. */
static int find_nodes(hy_bootstrap *b)
{
    int32_t *order = malloc((size_t)b->size * sizeof *order), first = 0;
    b->node_of = malloc((size_t)b->size * sizeof *b->node_of);
    if (!order || !b->node_of) {
        free(order);
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d ranks", b->size);
    }
    for (int rank = 0; rank < b->size; rank++) order[rank] = rank;
    qsort_r(order, (size_t)b->size, sizeof *order, by_machine, b->offers);
    for (int i = 0; i < b->size; i++) {
        bool begins = i == 0 || memcmp(b->offers[order[i]].machine, b->offers[first].machine,
                                       HY_MACHINE_BYTES) != 0;
        if (begins) first = order[i];
        b->node_of[order[i]] = first;
    }
    free(order);
    if (b->node_of[b->rank] != b->rank) stop_listening(b);
    return HAYATE_OK;
}

static int take_offers(hy_bootstrap *b, const hy_records *records)
{
    int rc = check_count(b, records);
    if (rc) return rc;
    b->offers = calloc((size_t)b->size, sizeof *b->offers);
    if (!b->offers) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d ranks", b->size);
    const uint8_t *at = records->bytes;
    for (int i = 0; !rc && i < records->count; at += records->lengths[i++])
        rc = take_offer(b, at, (size_t)records->lengths[i], i);
    if (!rc) rc = find_unable(b);
    return rc ? rc : find_nodes(b);
}

int hy_bootstrap_offers(hy_bootstrap *b, const hy_records *records)
{
    if (b->mine.code) return hy_fail(b->mine.code, "%s", b->mine.text);
    return take_offers(b, records);
}

/* ---- addresses ---- */

/* A rank that fails alone keeps nobody of its machine waiting: it hangs up on the first rank, if it
 * knows that, and on those that would come to it. */
static void leave_machine(hy_bootstrap *b)
{
    int rank = 0, fd = -1;
    uint64_t bytes;
    stop_listening(b);
    while (rank < b->rank &&
           !(b->offers && b->offers[rank].magic &&
             memcmp(b->offers[rank].machine, b->mine.machine, HY_MACHINE_BYTES) == 0))
        rank++;
    if (rank < b->rank) hy_node_visit(&b->offers[rank].node, rank, b->rank, 1, &fd, &bytes);
    if (fd >= 0) close(fd);
}

size_t hy_bootstrap_address(hy_bootstrap *b, int code, uint8_t record[HY_OFFER_BYTES])
{
    hy_offer_address address = {
        .rank = (uint32_t)b->rank, .size = (uint32_t)b->size, .digest = b->digest};
    b->failure = hy_failure_of(code);
    size_t bytes = hy_offer_address_finish(&address, code, b->address);
    memcpy(record, &address, bytes);
    if (code && !b->owned) leave_machine(b);
    return bytes;
}

/* Which failure explains the others: not that of a rank that another one has failed. */
static bool explains(const hy_offer_address *failed, const hy_offer_address *sofar)
{
    if (!failed->code) return false;
    return !sofar->code ||
           (sofar->code == HAYATE_ERR_PEER_FAILED && failed->code != HAYATE_ERR_PEER_FAILED);
}

typedef struct reading {
    hy_offer_address failed; /* code 0: none */
    int mixed;               /* the first rank with another digest; -1: none */
    char *end;               /* of the texts */
} reading;

static int take_address(hy_bootstrap *b, const uint8_t *record, size_t bytes, int number,
                        reading *r)
{
    hy_offer_address address = {0};
    int rc = hy_offer_address_read(record, bytes, number, &address);
    if (!rc)
        rc = check_owner(b, address.rank, address.size,
                         address.rank < (uint32_t)b->size && b->text_at[address.rank], number);
    if (rc) return rc;
    if (explains(&address, &r->failed)) r->failed = address;
    if (address.digest != b->digest && r->mixed < 0) r->mixed = (int)address.rank;
    b->text_at[address.rank] = (uint32_t)(r->end - b->texts);
    memcpy(r->end, address.text, address.text_bytes + 1);
    r->end += address.text_bytes + 1;
    return HAYATE_OK;
}

/* text_at[] of a known rank is not 0: the first text is preceded by one byte. */
static int take_addresses(hy_bootstrap *b, const hy_records *records, reading *r)
{
    int rc = check_count(b, records);
    size_t room = 1;
    for (int i = 0; i < records->count; i++) room += (size_t)records->lengths[i];
    if (rc) return rc;
    b->texts = malloc(room);
    b->text_at = calloc((size_t)b->size, sizeof *b->text_at);
    if (!b->texts || !b->text_at)
        return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the addresses of %d ranks", b->size);
    r->end = b->texts + 1;
    const uint8_t *at = records->bytes;
    for (int i = 0; !rc && i < records->count; at += records->lengths[i++])
        rc = take_address(b, at, (size_t)records->lengths[i], i, r);
    return rc;
}

static int judge(const hy_bootstrap *b, const reading *r)
{
    if (r->failed.code)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, (int)r->failed.rank, "rank %u could not join: %s",
                            r->failed.rank, r->failed.text);
    if (r->mixed < 0) return HAYATE_OK;
    return hy_fail_peer(HAYATE_ERR_LAUNCH, r->mixed,
                        "rank %d has got other records than rank %d in the first call of the "
                        "exchange: calls of two jobs, or of two attempts, were mixed up",
                        r->mixed, b->rank);
}

int hy_bootstrap_failure(const hy_bootstrap *b)
{
    return hy_fail_again(&b->failure);
}

/* A failure of this rank comes first, unless that of another rank explains it. */
int hy_bootstrap_addresses(hy_bootstrap *b, const hy_records *records)
{
    reading r = {.mixed = -1};
    pthread_mutex_lock(&b->lock);
    int rc = take_addresses(b, records, &r);
    if (!rc) rc = judge(b, &r);
    if (rc) { /* nobody finds an address */
        free(b->text_at);
        b->text_at = NULL;
    }
    pthread_mutex_unlock(&b->lock);
    announce(b);
    free(b->offers);
    b->offers = NULL;
    bool explained = b->failure.code == HAYATE_ERR_PEER_FAILED && r.failed.code;
    return b->failure.code && !explained ? hy_fail_again(&b->failure) : rc;
}

/* ---- the launcher that boot_cluster.c sees ---- */

static int32_t pid_of(const hy_pmi *pmi, int rank)
{
    const hy_bootstrap *b = pmi->state;
    return (int32_t)b->offers[rank].pid;
}

static int tell_place(hy_pmi *pmi)
{
    hy_bootstrap *b = pmi->state;
    pmi->rank = b->rank;
    pmi->size = b->size;
    pmi->host = &b->host;
    pmi->pid_of = pid_of;
    pmi->place.first = b->node_of[b->rank];
    for (int rank = 0; rank < b->size; rank++)
        pmi->place.count += b->node_of[rank] == pmi->place.first;
    return HAYATE_OK;
}

static int tell_nothing(hy_pmi *pmi, const char *name, const char *text)
{
    (void)pmi, (void)name, (void)text; /* the node's address was in the offer */
    return HAYATE_OK;
}

static int pass(hy_pmi *pmi)
{
    (void)pmi;
    return HAYATE_OK;
}

static int look_up_node(hy_pmi *pmi, int rank, const char *name, char text[HY_PMI_TEXT])
{
    const hy_bootstrap *b = pmi->state;
    (void)name;
    hy_node_address_print(&b->offers[rank].node, text);
    return HAYATE_OK;
}

static int map_nodes(hy_pmi *pmi, int32_t *node_of)
{
    const hy_bootstrap *b = pmi->state;
    memcpy(node_of, b->node_of, (size_t)b->size * sizeof *node_of);
    return HAYATE_OK;
}

static void leave(hy_pmi *pmi)
{
    (void)pmi;
}

static int open_bootstrap(hy_boot *boot)
{
    static const hy_pmi_ops ops = {.open = tell_place,
                                   .publish = tell_nothing,
                                   .fence = pass,
                                   .lookup = look_up_node,
                                   .map = map_nodes,
                                   .close = leave};
    return hy_cluster_open(boot, &ops);
}

/* ---- the row ---- */

static bool bootstrap_present(void)
{
    return false; /* never chosen by the environment */
}

static int publish_address(hy_boot *boot, const char *name, const char *text)
{
    (void)name;
    snprintf(boot->bootstrap->address, sizeof boot->bootstrap->address, "%s", text);
    return HAYATE_OK;
}

/* A rank that has all addresses may use a network before its peer has them. */
static int look_up_address(hy_boot *boot, int rank, const char *name, char *text, size_t room)
{
    hy_bootstrap *b = boot->bootstrap;
    (void)name;
    pthread_mutex_lock(&b->lock);
    while (!b->over) pthread_cond_wait(&b->changed, &b->lock);
    bool known = b->text_at != NULL;
    if (known) snprintf(text, room, "%s", b->texts + b->text_at[rank]);
    pthread_mutex_unlock(&b->lock);
    return known
               ? HAYATE_OK
               : hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                              "the address of rank %d is not known: the job was not joined", rank);
}

static const char *bootstrap_offered(const hy_boot *boot, int rank)
{
    return boot->bootstrap->offers[rank].text;
}

/* The process belongs to somebody else, and goes on. */
static void fail_rank(hy_boot *boot, int code)
{
    hy_control_end(boot->control, boot->rank, HY_RANK_DEAD, (uint32_t)code);
}

static void bootstrap_release(hy_boot *boot)
{
    hy_cluster_release(boot);
    if (boot->bootstrap->owned) bootstrap_free(boot->bootstrap);
}

static const hy_boot_ops bootstrap = {.name = "bootstrap",
                                      .present = bootstrap_present,
                                      .open = open_bootstrap,
                                      .check = hy_cluster_check,
                                      .publish = publish_address,
                                      .lookup = look_up_address,
                                      .offered = bootstrap_offered,
                                      .abort = fail_rank,
                                      .close = hy_cluster_close,
                                      .release = bootstrap_release};

int hy_boot_open_as(hy_boot *boot, hy_bootstrap *b)
{
    int rc = hy_boot_open_with(boot, &(hy_boot){.ops = &bootstrap, .bootstrap = b});
    b->owned = rc == HAYATE_OK;
    return rc;
}
