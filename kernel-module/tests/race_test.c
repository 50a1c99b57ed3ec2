// SPDX-License-Identifier: GPL-2.0
/*
 * What happens at the same time: copies against munmap, close and death; attachments that
 * touch while the owner changes everything. See dice.h for seed and number of rounds.
 */
#include <pthread.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "client.h"
#include "dice.h"
#include "touch.h"

#define PAGES 64UL
#define BYTES (PAGES * PAGE)
#define BOTH (HAYATE_READ | HAYATE_WRITE)

static unsigned char *memory;

/* Copies until it is told to end, or the segment is; says how often. */
static bool stop;
static uint64_t target;

static bool is_end_of_segment(int rc)
{
	return rc && errno == ESRCH;
}

static void *copy_on(void *direction)
{
	unsigned char *mine = pages(BYTES);
	int fd = member(1);
	long count = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		int rc = copy(fd, (uintptr_t)direction, target, mine, BYTES, 0);

		count++;
		if (is_end_of_segment(rc))
			break;
		CHECK(!rc || errno == EFAULT);
	}
	close(fd);
	munmap(mine, BYTES);
	return (void *)count;
}

/* A process of its own that copies with two threads. */
static void copier(int channel)
{
	pthread_t threads[2];

	target = hear(channel);
	for (uintptr_t i = 0; i < 2; i++)
		CHECK(!pthread_create(&threads[i], NULL, copy_on, (void *)(i + 1)));
	tell(channel, 1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
}

static void owner_unmaps(void)
{
	struct peer peer = peer_start(copier);
	int fd = member(1);

	seed();
	memory = pages(BYTES);
	tell(peer.channel, make(fd, memory, BYTES, BOTH, 0));
	hear(peer.channel);
	for (long round = rounds(2000); round; round--) {
		unsigned char *at = memory + dice(PAGES) * PAGE;

		if (dice(2))
			munmap(at, PAGE);
		else
			CHECK(mmap(at, PAGE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at);
	}
	close(fd);
	CHECK(!peer_end(&peer));
}

static void owner_for_a_while(int channel)
{
	int fd = member(1);

	memory = pages(BYTES);
	tell(channel, make(fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE));
	for (;;)
		memset(memory + dice(PAGES) * PAGE, 1, PAGE);
}

static void owner_is_killed(void)
{
	seed();
	for (long round = rounds(60); round; round--) {
		struct peer owner = peer_start(owner_for_a_while), peer = peer_start(copier);

		tell(peer.channel, hear(owner.channel));
		hear(peer.channel);
		usleep(dice(3000));
		peer_kill(&owner);
		CHECK(!peer_end(&peer));
	}
}

static void copier_is_killed(void)
{
	int fd = member(1);
	uint64_t cookie;

	seed();
	memory = pages(BYTES);
	cookie = make(fd, memory, BYTES, BOTH, 0);
	for (long round = rounds(60); round; round--) {
		struct peer peer = peer_start(copier);

		tell(peer.channel, cookie);
		hear(peer.channel);
		usleep(dice(2000));
		peer_kill(&peer);
	}
}

/* Touches all pages of an attachment for ever; what is not there is skipped. */
static void attacher(int channel)
{
	int access = get(member(1), hear(channel), BOTH, 0);
	unsigned char *at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, access, 0);

	state ^= (uint64_t)getpid() << 20;
	CHECK(at != MAP_FAILED);
	catch_faults();
	tell(channel, 1);
	for (;;) {
		touch(at + dice(PAGES) * PAGE + dice(PAGE), 0x55);
		if (dice(1000))
			continue;
		munmap(at, BYTES);
		at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, access, 0);
		if (at == MAP_FAILED && errno == ESRCH)
			_exit(0);
		CHECK(at != MAP_FAILED);
	}
}

/*
 * Of a page that was just mapped anew, an attacher sees the new one: it has only 0x55 or 0 in it.
 */
static void check_page(const unsigned char *page)
{
	for (size_t i = 0; i < PAGE; i++)
		CHECK(page[i] == 0 || page[i] == 0x55);
}

static void fork_once(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	CHECK(waitpid(child, NULL, 0) == child);
}

static void change_a_page(unsigned char *at)
{
	switch (dice(8)) {
	case 0: munmap(at, PAGE); return;
	case 1: madvise(at, PAGE, MADV_DONTNEED); return;
	case 2: mprotect(at, PAGE, PROT_READ); return;
	case 3: mprotect(at, PAGE, PROT_READ | PROT_WRITE); return;
	case 4: mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, memory + dice(PAGES) * PAGE);
		return;
	case 5:
		if (!dice(50))
			fork_once();
		return;
	default: CHECK(mmap(at, PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == at);
	}
}

static void owner_changes_all(void)
{
	struct peer peers[2];
	uint64_t cookie;
	int fd;

	seed();
	memory = pages(BYTES);
	for (int i = 0; i < 2; i++)
		peers[i] = peer_start(attacher);
	fd = member(1); /* nobody inherits it, so that closing it ends the segment */
	cookie = make(fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE);
	for (int i = 0; i < 2; i++) {
		tell(peers[i].channel, cookie);
		hear(peers[i].channel);
	}
	for (long round = rounds(5000); round; round--)
		change_a_page(memory + dice(PAGES) * PAGE);
	close(fd);
	CHECK(mmap(memory, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
		   -1, 0) == memory);
	for (size_t i = 0; i < PAGES; i++)
		check_page(memory + i * PAGE);
	for (int i = 0; i < 2; i++)
		peer_kill(&peers[i]);
}

/*
 * A stale page would be one that the kernel gave to somebody else: pages that the owner gives up
 * are taken by the test at once, filled, and must stay as they are.
 */
static void no_page_of_others(void)
{
	struct peer peer = peer_start(attacher);
	int fd = member(1);

	seed();
	memory = pages(BYTES);
	tell(peer.channel, make(fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE));
	hear(peer.channel);
	for (long round = rounds(300); round; round--) {
		unsigned char *other;

		memset(memory, 0x55, BYTES);
		madvise(memory, BYTES, MADV_DONTNEED);
		other = pages(BYTES);
		memset(other, 0xC3, BYTES);
		usleep(dice(200));
		for (size_t i = 0; i < BYTES; i++)
			CHECK(other[i] == 0xC3);
		munmap(other, BYTES);
	}
	peer_kill(&peer);
}

/* Two that attach all of each other and change their mappings must not wait for each other. */
static void twin(int channel)
{
	unsigned char *mine = pages(BYTES), *theirs;
	int fd = member(1), access;

	tell(channel, make_whole(fd, HAYATE_ATTACHABLE));
	tell(channel, (uintptr_t)mine);
	access = get(fd, hear(channel), BOTH, 0);
	theirs = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, access, hear(channel));
	CHECK(theirs != MAP_FAILED);
	catch_faults();
	state ^= (uint64_t)getpid() << 20;
	for (long round = rounds(20000); round; round--) {
		touch(theirs + dice(PAGES) * PAGE + dice(PAGE), 0x55);
		if (!dice(4))
			CHECK(mmap(mine + dice(PAGES) * PAGE, PAGE, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED);
		if (!dice(50))
			munmap(pages(BYTES), BYTES);
	}
	tell(channel, 0);
	hear(channel);
}

static void twins(void)
{
	struct peer peers[2];
	uint64_t cookies[2], places[2];

	seed();
	for (int i = 0; i < 2; i++) {
		peers[i] = peer_start(twin);
		cookies[i] = hear(peers[i].channel);
		places[i] = hear(peers[i].channel);
	}
	for (int i = 0; i < 2; i++) {
		tell(peers[i].channel, cookies[!i]);
		tell(peers[i].channel, places[!i]);
	}
	for (int i = 0; i < 2; i++)
		CHECK(hear(peers[i].channel) == 0);
}

static void attached_owner_is_killed(void)
{
	seed();
	for (long round = rounds(60); round; round--) {
		struct peer owner = peer_start(owner_for_a_while), peer = peer_start(attacher);

		tell(peer.channel, hear(owner.channel));
		hear(peer.channel);
		usleep(dice(3000));
		peer_kill(&owner);
		CHECK(!peer_end(&peer));
	}
}

/*
 * The owner replaces a page over and over. "now" is the number of the page, which is also its first
 * word, and odd while it is replaced: if it has not changed meanwhile, that page was the owner's
 * all the time, and nothing that was read or stored may have been in another one.
 */
static uint64_t *now;

static void replace_page(uint64_t number)
{
	uint64_t kind = dice(8);

	if (kind < 4)
		CHECK(!madvise(memory, PAGE, MADV_DONTNEED));
	else if (kind < 7)
		CHECK(mmap(memory, PAGE, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == memory);
	else
		fork_once(); /* the next store copies the page */
	*(volatile uint64_t *)memory = number;
}

static void owner_who_replaces(int channel)
{
	int fd = member(1);

	memory = pages(PAGE);
	tell(channel, make(fd, memory, PAGE, BOTH, HAYATE_ATTACHABLE));
	for (uint64_t number = 2;; number += 2) {
		__atomic_store_n(now, number - 1, __ATOMIC_SEQ_CST);
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		replace_page(number);
		__atomic_store_n(now, number, __ATOMIC_SEQ_CST);
		usleep(dice(3000));
	}
}

static volatile uint64_t *shown; /* the page, attached */
static int fd_of_guests;

static bool is_still(uint64_t number)
{
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	return __atomic_load_n(now, __ATOMIC_SEQ_CST) == number;
}

/* How many pages it has used and found right. */
static void *use_page(void *argument)
{
	uint64_t me = (uintptr_t)argument, count = 0, last = 0;

	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) {
		uint64_t number = __atomic_load_n(now, __ATOMIC_SEQ_CST), seen, owned;

		if (number & 1)
			continue;
		seen = *shown;
		if (!is_still(number))
			continue;
		CHECK(seen == number);
		shown[8 * me] = number + me;
		__atomic_thread_fence(__ATOMIC_SEQ_CST);
		CHECK(!read_from(fd_of_guests, target, &owned, sizeof(owned), 64 * me));
		if (!is_still(number))
			continue;
		CHECK(owned == number + me);
		count += number != last;
		last = number;
	}
	return (void *)count;
}

static void guests(int channel)
{
	uint64_t counts[3], last = 2 * rounds(400);
	pthread_t threads[3];
	int access;

	target = hear(channel);
	fd_of_guests = member(1);
	access = get(fd_of_guests, target, BOTH, 0);
	shown = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, access, 0);
	CHECK(shown != MAP_FAILED);
	for (uintptr_t i = 0; i < 3; i++)
		CHECK(!pthread_create(&threads[i], NULL, use_page, (void *)(i + 1)));
	while (__atomic_load_n(now, __ATOMIC_SEQ_CST) < last)
		usleep(1000);
	__atomic_store_n(&stop, true, __ATOMIC_RELEASE);
	for (int i = 0; i < 3; i++)
		CHECK(!pthread_join(threads[i], (void **)&counts[i]));
	fprintf(stderr, "# of %lu pages %lu, %lu and %lu were used and right\n", last / 2,
		counts[0], counts[1], counts[2]);
	CHECK(counts[0] && counts[1] && counts[2]);
}

/* Where it can be had, slow.ko makes the moment long in which a page is put into a page table. */
static bool slow_down(void)
{
	int fd = open("slow/slow.ko", O_RDONLY | O_CLOEXEC);
	bool slow = !syscall(SYS_finit_module, fd, "function=vmf_insert_pfn us=300", 0);

	fprintf(stderr, slow ? "# with slow.ko\n" : "# without slow.ko\n");
	close(fd);
	return slow;
}

static void no_page_but_the_owners(void)
{
	struct peer owner, peer;
	bool slow = slow_down();
	int rc;

	seed();
	now = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(now != MAP_FAILED);
	owner = peer_start(owner_who_replaces);
	peer = peer_start(guests);
	tell(peer.channel, hear(owner.channel));
	rc = peer_end(&peer);
	peer_kill(&owner);
	if (slow)
		CHECK(!syscall(SYS_delete_module, "slow", 0));
	CHECK(!rc);
}

static const struct test tests[] = {
	{ "an owner may unmap and map while others copy", owner_unmaps },
	{ "an owner may be killed while others copy", owner_is_killed },
	{ "a copier may be killed while it copies", copier_is_killed },
	{ "an owner may change all his memory while others touch it", owner_changes_all },
	{ "a page that the owner gave up is not written by attachers", no_page_of_others },
	{ "no attacher reads or stores but in the page that the owner has", no_page_but_the_owners },
	{ "two that attach each other do not wait for each other", twins },
	{ "an owner may be killed while others touch his memory", attached_owner_is_killed },
};

TEST_MAIN(tests)
