/* SPDX-License-Identifier: Apache-2.0 */
/* A provider made by hand, which keeps no order, and a rank that talks to one other over it: what
 * is under way ends when the test says so. */
#ifndef HY_TEST_OFI_PROVIDER_FIXTURE_H
#define HY_TEST_OFI_PROVIDER_FIXTURE_H

#include "base/test.h"

#include <string.h>

#include "base/status.h"
#include "net/ofi/ofi_net.h"

#define OPS 8
#define LOOKS 5 /* until a write has ended */
#define ROOM 4096

/* ---- the provider ---- */

static struct {
    ofi_op *written[OPS]; /* under way, the oldest first */
    int count;
    int looks;     /* at its queue since the oldest was the oldest */
    int writes;    /* ever */
    int messages;  /* ever */
    int overtaken; /* by messages: writes under way when these went */
    bool floods;   /* something has come in at every look */
} provider;

static ssize_t begin_write(struct fid_ep *ep, const void *data, size_t len, void *desc,
                           fi_addr_t to, uint64_t at, uint64_t key, void *context)
{
    (void)ep, (void)data, (void)len, (void)desc, (void)to, (void)at, (void)key;
    assert_true(provider.count < OPS);
    provider.written[provider.count++] = context;
    provider.writes++;
    return 0;
}

static void message_goes(void)
{
    provider.messages++;
    provider.overtaken += provider.count;
}

static ssize_t inject(struct fid_ep *ep, const void *data, size_t len, fi_addr_t to)
{
    (void)ep, (void)data, (void)len, (void)to;
    message_goes();
    return 0;
}

static ssize_t send_message(struct fid_ep *ep, const void *data, size_t len, void *desc,
                            fi_addr_t to, void *context)
{
    (void)ep, (void)data, (void)len, (void)desc, (void)to, (void)context;
    message_goes();
    return 0;
}

/* The oldest write ends at every so many looks. */
static ssize_t read_queue(struct fid_cq *cq, void *entries, size_t count)
{
    (void)cq, (void)count;
    if (provider.floods) {
        *(struct fi_cq_msg_entry *)entries = (struct fi_cq_msg_entry){0}; /* of nobody */
        return 1;
    }
    if (provider.count == 0 || ++provider.looks < LOOKS) return -FI_EAGAIN;
    *(struct fi_cq_msg_entry *)entries = (struct fi_cq_msg_entry){
        .op_context = provider.written[0]};
    provider.count--;
    provider.looks = 0;
    memmove(provider.written, provider.written + 1, sizeof(ofi_op *) * (size_t)provider.count);
    return 1;
}

static struct fi_ops_msg messages = {.inject = inject, .send = send_message};
static struct fi_ops_rma moves = {.write = begin_write};
static struct fi_ops_cq queue = {.read = read_queue};
static struct fid_ep fid = {.msg = &messages, .rma = &moves};
static struct fid_cq completions = {.ops = &queue};

/* ---- a rank that talks to one other ---- */

static ofi_net net;
static ofi_endpoint endpoint;
static ofi_peer peer;
static hy_bell bell;
static ofi_op ops[OPS];
static uint8_t buffers[OPS][OFI_COPIED];

/* inject: bytes of a message of whose end nothing tells. */
static inline void begin(uint64_t inject_bytes)
{
    memset(&provider, 0, sizeof provider);
    memset(&peer, 0, sizeof peer);
    net = (ofi_net){.base = {.provider = &ofi_provider,
                             .attr = {.bell = &bell},
                             .silence = UINT64_C(60000000000)},
                    .inject = inject_bytes};
    endpoint = (ofi_endpoint){
        .base.net = &net.base, .ep = &fid, .cq = &completions, .ops = ops, .ops_count = OPS};
    endpoint.unsent_end = &endpoint.unsent;
    pthread_mutex_init(&endpoint.base.lock, NULL);
    pthread_mutex_lock(&endpoint.base.lock);
    net.base.endpoints[0] = &endpoint.base;
    peer.base.part_bytes = ROOM;
    peer.conn = (hy_net_conn){.peer = &peer.base, .ready = true};
    for (int i = 0; i < OPS; i++) { /* the numbers are those of another peer, who had them before */
        ops[i] = (ofi_op){.data = buffers[i], .number = 1000};
        ofi_op_give(&endpoint, &ops[i]);
    }
}

static inline void end(void)
{
    pthread_mutex_unlock(&endpoint.base.lock);
    pthread_mutex_destroy(&endpoint.base.lock);
}

#endif
