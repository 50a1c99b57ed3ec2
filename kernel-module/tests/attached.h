/* SPDX-License-Identifier: GPL-2.0 */
/* For tests of attachments: an owner who does to his memory what he is told. */
#ifndef HY_ATTACHED_H
#define HY_ATTACHED_H

#include "client.h"
#include "touch.h"

#define PAGES 16UL
#define BYTES (PAGES * PAGE)
#define BOTH (HAYATE_READ | HAYATE_WRITE)

/* What a test may ask of the owner, who answers with a word when it is done. */
enum order {
	END, PUT, TAKE, UNMAP, REMAP, MOVE_AWAY, DROP, FORK_AND_PUT, CHILD_TAKES, PROTECT, CLOSE,
	TRUNCATE
};

static unsigned char *memory; /* the same address in the test and the owner */
static struct peer peer;
static uint64_t cookie;
static int fd;                /* of the test */
static int owner_fd, file_of_owner = -1;
static int child_channel;

static inline uint64_t order(enum order what, uint64_t index, uint64_t value)
{
	tell(peer.channel, what);
	tell(peer.channel, index);
	tell(peer.channel, value);
	return hear(peer.channel);
}

/* A child that tells, when asked, what it sees at an index. */
static inline void child_of_owner(int channel)
{
	for (;;)
		tell(channel, memory[hear(channel)]);
}

static inline uint64_t do_fork(uint64_t index, uint64_t value)
{
	child_channel = peer_start(child_of_owner).channel;
	memory[index] = value;
	return 0;
}

static inline uint64_t ask_child(uint64_t index)
{
	tell(child_channel, index);
	return hear(child_channel);
}

static inline void put_new_page(unsigned char *at)
{
	CHECK(mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		   0) == at);
}

static inline uint64_t obey(enum order what, uint64_t index, uint64_t value)
{
	unsigned char *page = memory + index / PAGE * PAGE;

	switch (what) {
	case PUT: memory[index] = value; return 0;
	case TAKE: return memory[index];
	case UNMAP: return munmap(page, PAGE);
	case REMAP: put_new_page(page); memory[index] = value; return 0;
	case MOVE_AWAY:
		return mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, pages(PAGE)) ==
		       MAP_FAILED;
	case DROP: return madvise(page, PAGE, MADV_DONTNEED);
	case FORK_AND_PUT: return do_fork(index, value);
	case CHILD_TAKES: return ask_child(index);
	case PROTECT: return mprotect(page, PAGE, value);
	case CLOSE: return close(owner_fd);
	case TRUNCATE: return ftruncate(file_of_owner, value);
	default: return ~0UL;
	}
}

static inline void serve(int channel, uint32_t rights)
{
	enum order what;

	owner_fd = member(1);
	cookie = make(owner_fd, memory, BYTES, rights, HAYATE_ATTACHABLE);
	tell(channel, cookie);
	while ((what = hear(channel)) != END) {
		uint64_t index = hear(channel);

		tell(channel, obey(what, index, hear(channel)));
	}
}

static inline void owner(int channel)
{
	serve(channel, BOTH);
}

static inline void owner_of_file(int channel)
{
	file_of_owner = memfd_create("owner", 0);
	CHECK(!ftruncate(file_of_owner, BYTES));
	CHECK(mmap(memory, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_of_owner,
		   0) == memory);
	owner(channel);
}

static inline void begin(void (*body)(int channel))
{
	memory = pages(BYTES);
	peer = peer_start(body);
	cookie = hear(peer.channel);
	fd = member(1);
}

static inline volatile unsigned char *attach(int access, uint64_t offset, uint64_t bytes,
					     int protection)
{
	void *at = mmap(NULL, bytes, protection, MAP_SHARED, access, offset);

	CHECK(at != MAP_FAILED);
	return at;
}

static inline volatile unsigned char *begin_attached(uint32_t flags)
{
	int access;

	begin(owner);
	access = get(fd, cookie, BOTH, flags);
	CHECK(access >= 0);
	return attach(access, 0, BYTES, PROT_READ | PROT_WRITE);
}

#endif
