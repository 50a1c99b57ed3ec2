// SPDX-License-Identifier: GPL-2.0
/* What a copy does when all is right. */
#include "client.h"

#define BYTES (3UL << 20)

static unsigned char *theirs; /* the peer's: the same address in the test, but other memory */

/*
 * Fills "theirs", shares it, and sends back how many bytes are not what "hear" says they should be.
 */
static void owner(int channel)
{
	uint64_t cookie, seed;
	int fd = member(1);

	fill(theirs, BYTES);
	cookie = make(fd, theirs, BYTES, HAYATE_READ | HAYATE_WRITE, 0);
	tell(channel, cookie);
	while ((seed = hear(channel))) {
		uint64_t wrong = 0;

		for (size_t i = 0; i < BYTES; i++)
			wrong += theirs[i] != byte_at(i + seed);
		tell(channel, wrong);
	}
}

static struct peer peer;
static uint64_t cookie;
static int fd;

static void begin(void (*body)(int channel))
{
	theirs = pages(BYTES);
	peer = peer_start(body);
	cookie = hear(peer.channel);
	fd = member(1);
}

static void check_range(const unsigned char *got, uint64_t from, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		CHECK(got[i] == byte_at(from + i));
	CHECK(copied == bytes);
}

static void reads_every_part(void)
{
	static const uint64_t sizes[] = { 0, 1, 8, 63, 4095, 4096, 4097, 8192, 65537, 1 << 20 };
	static const uint64_t offsets[] = { 0, 1, 100, 4095, 4096, 5000, 131071 };
	unsigned char *mine = pages(BYTES);

	begin(owner);
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
		for (size_t o = 0; o < sizeof(offsets) / sizeof(*offsets); o++) {
			uint64_t bytes = sizes[s], at = offsets[o];

			mine[at + bytes] = 0xEE;
			CHECK(!read_from(fd, cookie, mine + at, bytes, at));
			check_range(mine + at, at, bytes);
			CHECK(mine[at + bytes] == 0xEE);
		}
	CHECK(!read_from(fd, cookie, mine, BYTES, 0));
	check_range(mine, 0, BYTES);
}

static void writes_every_byte(void)
{
	unsigned char *mine = pages(BYTES);

	begin(owner);
	for (size_t i = 0; i < BYTES; i++)
		mine[i] = byte_at(i + 77);
	CHECK(!write_into(fd, cookie, mine, 5000, 0));
	CHECK(!write_into(fd, cookie, mine + 5000, BYTES - 5000, 5000));
	tell(peer.channel, 77);
	CHECK(hear(peer.channel) == 0);
	mine[4321]++;
	CHECK(!write_into(fd, cookie, mine + 4321, 1, 4321));
	tell(peer.channel, 77);
	CHECK(hear(peer.channel) == 1);
}

static void owner_of_all(int channel)
{
	int fd = member(1);

	fill(theirs, BYTES);
	tell(channel, make_whole(fd, 0));
	hear(channel);
}

static void whole_address_space(void)
{
	unsigned char *mine = pages(BYTES);

	begin(owner_of_all);
	CHECK(!read_from(fd, cookie, mine, BYTES, (uintptr_t)theirs));
	check_range(mine, 0, BYTES);
	CHECK_FAILS(read_from(fd, cookie, mine, 1, 0), EFAULT);
}

/* Huge pages on one side, small ones behind them: no run of pages may be taken for too long. */
static void owner_of_huge_pages(int channel)
{
	unsigned char *start = pages(16UL << 20);
	unsigned char *huge = (void *)(((uintptr_t)start + (2UL << 20) - 1) & ~((2UL << 20) - 1));
	int fd = member(1);

	madvise(huge, 8UL << 20, MADV_HUGEPAGE);
	madvise(huge + (8UL << 20), 2UL << 20, MADV_NOHUGEPAGE);
	fill(huge, 10UL << 20);
	munmap(huge + (4UL << 20) + PAGE, PAGE); /* splits the mapping of one of them */
	tell(channel, make(fd, huge, 10UL << 20, HAYATE_READ | HAYATE_WRITE, 0));
	hear(channel);
}

static void huge_pages(void)
{
	unsigned char *mine = pages(10UL << 20);
	uint64_t hole = (4UL << 20) + PAGE;

	begin(owner_of_huge_pages);
	CHECK(!read_from(fd, cookie, mine, hole - 3, 3));
	check_range(mine, 3, hole - 3);
	CHECK(!read_from(fd, cookie, mine, (10UL << 20) - hole - PAGE, hole + PAGE));
	check_range(mine, hole + PAGE, (10UL << 20) - hole - PAGE);
	CHECK(!write_into(fd, cookie, mine, (4UL << 20) + 5, 0));
	CHECK_FAILS(read_from(fd, cookie, mine, 10UL << 20, 0), EFAULT);
	CHECK(copied == hole);
}

static void own_memory(void)
{
	unsigned char from[100], to[100] = { 0 };
	int fd = member(1);

	fill(from, sizeof(from));
	CHECK(!read_from(fd, make(fd, from, 100, HAYATE_READ, 0), to, 100, 0));
	check_range(to, 0, 100);
}

/* Of a file: what was written there, though nobody has touched this mapping. */
static unsigned char *untouched_file(void)
{
	unsigned char *at = pages(BYTES);
	int file = memfd_create("local", 0);

	for (size_t i = 0; i < BYTES; i++)
		at[i] = byte_at(i + 99);
	CHECK(write(file, at, BYTES) == (ssize_t)BYTES);
	CHECK(mmap(at, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file, 0) == at);
	close(file);
	return at;
}

static void memory_that_is_not_there_yet(void)
{
	unsigned char *mine = pages(BYTES), *of_file = untouched_file();
	uint64_t from = 123, bytes = BYTES - 1000;

	begin(owner);
	CHECK(!read_from(fd, cookie, mine + 7, bytes, from));
	check_range(mine + 7, from, bytes);
	CHECK(mine[6] == 0 && mine[7 + bytes] == 0);
	CHECK(!write_into(fd, cookie, of_file, BYTES, 0));
	CHECK(copied == BYTES);
	tell(peer.channel, 99);
	CHECK(hear(peer.channel) == 0);
	munmap(of_file, BYTES);
	of_file = untouched_file();
	CHECK(!read_from(fd, cookie, of_file + from, bytes, from));
	for (uint64_t i = 0; i < BYTES; i++)
		CHECK(of_file[i] == byte_at(i + 99));
}

static const struct test tests[] = {
	{ "a copy reads every part of a segment, and no byte beside it", reads_every_part },
	{ "a copy writes every byte into a segment", writes_every_byte },
	{ "one segment may be all of an address space", whole_address_space },
	{ "huge pages and holes behind them are copied right", huge_pages },
	{ "memory of the caller that is not there yet is fetched", memory_that_is_not_there_yet },
	{ "a process copies from its own segment", own_memory },
};

TEST_MAIN(tests)
