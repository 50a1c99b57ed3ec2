/* SPDX-License-Identifier: GPL-2.0 */
/* For tests of segments: a peer that shares two pages, and waits for a word. */
#ifndef HY_SHARED_H
#define HY_SHARED_H

#include "client.h"

static unsigned char *memory; /* two pages: at the same address in the test and its peers */
static unsigned char mine[100] __attribute__((unused));
static struct peer peer;
static uint64_t cookie;

static inline void begin(void (*body)(int channel))
{
	memory = pages(2 * PAGE);
	peer = peer_start(body);
	cookie = hear(peer.channel);
}

static inline void share(int channel, int fd, uint32_t rights)
{
	tell(channel, make(fd, memory, 2 * PAGE, rights, 0));
	hear(channel);
}

static inline void owner(int channel)
{
	share(channel, member(1), HAYATE_READ | HAYATE_WRITE);
}

static inline void owner_1000(int channel)
{
	become(1000);
	owner(channel);
}

#endif
