/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as all that a launcher says over PMI_FD before it hangs up. A rank believes it or has a
 * reason not to, never waits for more, and what it believes is in bounds. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define hy_boot_pmi1 fuzzed_pmi1
#include "boot/boot_pmi1.c"

#define RANK 2
#define SIZE 5

static void require(bool truth)
{
    if (!truth) abort();
}

static bool went_well(int rc)
{
    require(rc == HAYATE_OK || (rc == HAYATE_ERR_LAUNCH && *hayate_error()));
    return rc == HAYATE_OK;
}

static void converse(hy_pmi *pmi)
{
    char text[HY_PMI_TEXT];
    int32_t node_of[SIZE];
    require(pmi->rank == RANK && pmi->size == SIZE);
    require(pmi->place.first >= 0 && pmi->place.first <= RANK);
    require(pmi->place.count >= 1 && pmi->place.count <= SIZE);
    if (went_well(pmi1_map(pmi, node_of)))
        for (int i = 0; i < SIZE; i++) require(node_of[i] >= 0 && node_of[i] < HY_PLACE_RANKS);
    went_well(pmi1_publish(pmi, "node", "failed"));
    went_well(pmi1_fence(pmi));
    for (int rank = 0; rank < SIZE; rank++)
        if (went_well(pmi1_lookup(pmi, rank, "net", text))) require(memchr(text, 0, sizeof text));
    pmi1_close(pmi);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hy_pmi pmi = {.socket = -1};
    char number[16];
    int ends[2];
    require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    snprintf(number, sizeof number, "%d", ends[0]);
    setenv("PMI_FD", number, 1);
    setenv("PMI_RANK", "2", 1);
    setenv("PMI_SIZE", "5", 1);
    (void)!send(ends[1], data, size, MSG_DONTWAIT);
    shutdown(ends[1], SHUT_WR);
    if (went_well(pmi1_open(&pmi))) converse(&pmi);
    close(ends[1]);
    require(fcntl(ends[0], F_GETFD) < 0); /* given up or closed */
    return 0;
}
