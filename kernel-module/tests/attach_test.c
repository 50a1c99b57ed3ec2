// SPDX-License-Identifier: GPL-2.0
/* Attachments: the owner's very pages, whatever happens to them, and never a stale one. */
#include <poll.h>

#include "attached.h"

static void both_see_the_same(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, 5000, 11);
	CHECK(at[5000] == 11);
	at[5001] = 22;
	CHECK(order(TAKE, 5001, 0) == 22);
	order(PUT, 5000, 33);
	CHECK(at[5000] == 33);
	at[9 * PAGE] = 44; /* nobody touched this page before */
	CHECK(order(TAKE, 9 * PAGE, 0) == 44);
	CHECK(at[10 * PAGE] == 0);
	order(PUT, 10 * PAGE, 55);
	CHECK(at[10 * PAGE] == 55);
}

static void parts(void)
{
	volatile unsigned char *at;
	int access;

	begin(owner);
	access = get(fd, cookie, BOTH, 0);
	at = attach(access, 3 * PAGE, PAGE, PROT_READ | PROT_WRITE);
	close(access);
	order(PUT, 3 * PAGE + 7, 11);
	CHECK(at[7] == 11);
	CHECK(!munmap((void *)at, PAGE));
}

static void unmapped(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11);
	order(UNMAP, PAGE, 0);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
	CHECK(signal_of(at + PAGE, true) == SIGBUS);
	order(REMAP, PAGE, 22);
	CHECK(at[PAGE] == 22);
	order(REMAP, PAGE, 33);
	CHECK(at[PAGE] == 33);
}

static void moved_away(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11);
	CHECK(order(MOVE_AWAY, PAGE, 0) == 0);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
}

static void dropped(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11);
	CHECK(order(DROP, PAGE, 0) == 0);
	CHECK(at[PAGE] == 0);
	order(PUT, PAGE, 22);
	CHECK(at[PAGE] == 22);
}

static void owner_forks(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, PAGE, 11);
	at[PAGE] = 12;
	order(FORK_AND_PUT, PAGE, 33);
	CHECK(at[PAGE] == 33);
	at[PAGE] = 44;
	at[2 * PAGE] = 55;
	CHECK(order(TAKE, PAGE, 0) == 44);
	CHECK(order(TAKE, 2 * PAGE, 0) == 55);
	CHECK(order(CHILD_TAKES, PAGE, 0) == 12);
	CHECK(order(CHILD_TAKES, 2 * PAGE, 0) == 0);
}

static void protection_of_owner_counts(void)
{
	volatile unsigned char *at = begin_attached(0), *reader;

	reader = attach(get(fd, cookie, HAYATE_READ, 0), 0, BYTES, PROT_READ);
	at[PAGE] = 1;
	CHECK(reader[PAGE] == 1);
	CHECK(order(PROTECT, PAGE, PROT_READ) == 0);
	CHECK(signal_of(at + PAGE, true) == SIGBUS);
	CHECK(signal_of(reader + PAGE, false) == 0);
	CHECK(order(PROTECT, PAGE, PROT_NONE) == 0);
	CHECK(signal_of(reader + PAGE, false) == SIGBUS);
	CHECK(order(PROTECT, PAGE, PROT_READ | PROT_WRITE) == 0);
	CHECK(signal_of(at + PAGE, true) == 0);
}

static void truncated(void)
{
	volatile unsigned char *at;

	begin(owner_of_file);
	at = attach(get(fd, cookie, BOTH, 0), 0, BYTES, PROT_READ | PROT_WRITE);
	order(PUT, 3 * PAGE, 11);
	CHECK(at[3 * PAGE] == 11);
	CHECK(order(TRUNCATE, 0, PAGE) == 0);
	CHECK(signal_of(at + 3 * PAGE, false) == SIGBUS);
	CHECK(order(TRUNCATE, 0, BYTES) == 0);
	CHECK(at[3 * PAGE] == 0);
}

static void owner_of_huge_pages(int channel)
{
	unsigned char *start = pages(6UL << 20);

	memory = (void *)(((uintptr_t)start + (2UL << 20) - 1) & ~((2UL << 20) - 1));
	madvise(memory, 2UL << 20, MADV_HUGEPAGE);
	owner(channel);
}

static void huge_page_is_split(void)
{
	volatile unsigned char *at;

	begin(owner_of_huge_pages);
	at = attach(get(fd, cookie, BOTH, 0), 0, BYTES, PROT_READ | PROT_WRITE);
	for (uint64_t i = 0; i < PAGES; i++)
		at[i * PAGE] = i + 1;
	order(UNMAP, 3 * PAGE, 0);
	CHECK(signal_of(at + 3 * PAGE, false) == SIGBUS);
	for (uint64_t i = 4; i < PAGES; i++) {
		CHECK(at[i * PAGE] == i + 1);
		CHECK(order(TAKE, i * PAGE, 0) == i + 1);
	}
}

static void owner_dies(void)
{
	volatile unsigned char *at = begin_attached(0), *survivor;
	int access = get(fd, cookie, BOTH, HAYATE_SURVIVE);

	survivor = attach(access, 0, BYTES, PROT_READ | PROT_WRITE);
	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11 && survivor[PAGE] == 11);
	peer_kill(&peer);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
	CHECK(signal_of(at + 2 * PAGE, true) == SIGBUS);
	CHECK(survivor[PAGE] == 0 && survivor[2 * PAGE] == 0);
	survivor[PAGE + 5] = 9;
	CHECK(survivor[4 * PAGE + 5] == 9);
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, 0) == MAP_FAILED && errno == ESRCH);
}

static void closed(void)
{
	volatile unsigned char *at = begin_attached(0);
	int access = get(fd, cookie, BOTH, 0);
	struct pollfd poller = { .fd = access, .events = POLLIN };

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11 && poll(&poller, 1, 0) == 0);
	CHECK(order(CLOSE, 0, 0) == 0);
	CHECK(poll(&poller, 1, 60000) == 1 && poller.revents == POLLHUP);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
	CHECK_FAILS(get(fd, cookie, BOTH, 0), ESRCH);
}

static void hangs_up_at_death(void)
{
	struct pollfd poller;

	begin(owner);
	poller = (struct pollfd){ .fd = get(fd, cookie, BOTH, 0), .events = POLLIN };
	CHECK(poll(&poller, 1, 0) == 0);
	kill(peer.pid, SIGKILL);
	CHECK(poll(&poller, 1, 60000) == 1 && poller.revents == POLLHUP);
}

static void own_segment(void)
{
	volatile unsigned char *at;
	int access;

	memory = pages(BYTES);
	fd = member(1);
	access = get(fd, make(fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE), BOTH, 0);
	at = attach(access, 0, BYTES, PROT_READ | PROT_WRITE);
	memory[PAGE] = 11;
	CHECK(at[PAGE] == 11);
	at[PAGE] = 22;
	CHECK(memory[PAGE] == 22);
	munmap(memory, BYTES);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
}

static void whole_address_space(void)
{
	volatile unsigned char *at;
	int access, other = member(1);
	struct hayate_get argument = { .rights = BOTH };

	argument.cookie = make_whole(other, HAYATE_ATTACHABLE);
	memory = pages(BYTES);
	fill(memory, BYTES);
	CHECK(!ioctl(other, HAYATE_IOC_GET, &argument));
	access = argument.fd;
	CHECK(argument.length > (uintptr_t)memory);
	at = attach(access, (uintptr_t)memory, BYTES, PROT_READ | PROT_WRITE);
	for (uint64_t i = 0; i < BYTES; i++)
		CHECK(at[i] == byte_at(i));
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, argument.length), EINVAL);
}

static void migrated(void)
{
	volatile unsigned char *at = begin_attached(0);
	int compact = open("/proc/sys/vm/compact_memory", O_WRONLY | O_CLOEXEC);

	if (compact < 0)
		skip("needs root, to have the kernel move pages");
	for (uint64_t round = 0; round < 20; round++) {
		for (uint64_t i = 0; i < PAGES; i++)
			at[i * PAGE] = round + i;
		CHECK(write(compact, "1", 1) == 1);
		for (uint64_t i = 0; i < PAGES; i++) {
			CHECK(at[i * PAGE] == round + i);
			CHECK(order(TAKE, i * PAGE, 0) == round + i);
		}
	}
}

static const struct test tests[] = {
	{ "attacher and owner see what the other writes", both_see_the_same },
	{ "a part is attached and detached; the access may be closed before", parts },
	{ "what the owner unmaps is SIGBUS, and what he maps there then is seen", unmapped },
	{ "what the owner moves away is SIGBUS", moved_away },
	{ "what the owner drops is seen empty", dropped },
	{ "an owner's child has its own copy, the attacher the owner's", owner_forks },
	{ "the owner's protection counts", protection_of_owner_counts },
	{ "a truncated file is SIGBUS, and empty when it grows again", truncated },
	{ "a huge page may be attached and split", huge_page_is_split },
	{ "after the owner's death there is SIGBUS, or a page of one's own", owner_dies },
	{ "closing takes the pages away and hangs up", closed },
	{ "the owner's death hangs up", hangs_up_at_death },
	{ "a process attaches its own segment", own_segment },
	{ "a whole address space may be attached in parts", whole_address_space },
	{ "pages that the kernel moves stay right", migrated },
};

TEST_MAIN(tests)
