// SPDX-License-Identifier: GPL-2.0
/*
 * Each allocation and each copy from or to the caller fails once, in every command: it must end
 * with ENOMEM or EFAULT, or do without, and leave nothing behind.
 */
#include <stdbool.h>

#include "client.h"
#include "faults.h"
#include "touch.h"

#define BYTES (3UL << 20)
#define BOTH (HAYATE_READ | HAYATE_WRITE)
#define MOST 1000 /* faults in one command; there are a dozen */

static unsigned char *memory, *mine;
static int fd, access_fd;
static uint64_t cookie, attachable;

/* Descriptors that are open below 64: a command that fails leaves none. */
static int open_files(void)
{
	int open = 0;

	for (int i = 0; i < 64; i++)
		open += fcntl(i, F_GETFD) >= 0;
	return open;
}

/* What a command gave is taken back by "undo", so that it can be given again. */
static void with_every_fault(int (*command)(void), void (*undo)(void))
{
	int made = 0;

	for (int n = 1; n < MOST; n++) {
		int open = open_files(), rc, error;
		bool hit;

		fault_after(n);
		errno = 0;
		rc = command();
		error = errno;
		hit = fault_end();
		errno = error;
		CHECK(!rc || (hit && (errno == ENOMEM || errno == EFAULT)));
		if (!rc && undo)
			undo();
		CHECK(open_files() == open);
		if (!hit) {
			fprintf(stderr, "# %d faults\n", made);
			CHECK(made);
			return;
		}
		made++;
	}
	CHECK(!"an end of the faults");
}

static void begin(void)
{
	fd = member(1);
	memory = pages(BYTES);
	mine = pages(BYTES);
	memset(memory, 7, BYTES);
	memset(mine, 0, BYTES);
	cookie = make(fd, memory, BYTES, BOTH, 0);
	attachable = make(fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE);
	if (!faults_begin())
		skip("the kernel has no fault injection");
	faults_everywhere();
}

static int made_fd;
static uint64_t made_cookie;

static void close_made(void)
{
	close(made_fd);
}

static int open_and_join(void)
{
	struct hayate_join token = { .token = { 1 } };
	int rc;

	made_fd = open(HAYATE_DEVICE, O_RDWR | O_CLOEXEC);
	if (made_fd < 0)
		return -1;
	rc = ioctl(made_fd, HAYATE_IOC_JOIN, &token);
	if (rc)
		close(made_fd);
	return rc;
}

static void joining(void)
{
	begin();
	with_every_fault(open_and_join, close_made);
}

/* What is made ends with the test. */
static int make_plain(void)
{
	return try_make(fd, memory, BYTES, BOTH, 0, &made_cookie);
}

static int make_attachable(void)
{
	return try_make(fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE, &made_cookie);
}

static void making(void)
{
	begin();
	with_every_fault(make_plain, NULL);
	with_every_fault(make_attachable, NULL);
}

static int copy_all(void)
{
	int rc = read_from(fd, cookie, mine, BYTES, 0);

	CHECK(rc || copied == BYTES);
	for (uint64_t i = 0; i < copied; i += PAGE)
		CHECK(mine[i] == 7);
	return rc;
}

static int copy_back(void)
{
	return write_into(fd, cookie, mine, 20 * 100, 0);
}

static void clean_mine(void)
{
	memset(mine, 0, BYTES);
}

static void copying(void)
{
	begin();
	with_every_fault(copy_all, clean_mine);
	with_every_fault(copy_back, NULL);
}

static int get_survivor(void)
{
	made_fd = get(fd, attachable, BOTH, HAYATE_SURVIVE);
	return made_fd < 0 ? -1 : 0;
}

/* Touches never fail for want of memory: the kernel tries again. */
static int attach_and_touch(void)
{
	unsigned char *at = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, access_fd, 0);

	if (at == MAP_FAILED)
		return -1;
	for (int i = 0; i < 16; i++)
		at[i * PAGE] = 7;
	munmap(at, 16 * PAGE);
	return 0;
}

static void drop_pages(void)
{
	madvise(memory, BYTES, MADV_DONTNEED);
	memset(memory, 7, BYTES);
}

static void attaching(void)
{
	begin();
	with_every_fault(get_survivor, close_made);
	access_fd = get(fd, attachable, BOTH, 0);
	with_every_fault(attach_and_touch, drop_pages);
}

static const struct test tests[] = {
	{ "joining survives every fault", joining },
	{ "making a segment survives every fault", making },
	{ "copying survives every fault, and says what was copied", copying },
	{ "attaching survives every fault", attaching },
};

TEST_MAIN(tests)
