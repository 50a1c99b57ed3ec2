// SPDX-License-Identifier: GPL-2.0
/*
 * Copy against process_vm_readv(2) and process_vm_writev(2), attach against memcpy, as ratios: less
 * than 1 is faster. Each call is timed by itself, all ways in turn.
 * Usage: bench [--turns N] [--least BYTES] [--most BYTES] [--check 1]
 *     --check  fails when copying is slower by the median, or later uses of an attachment by more
 *              than 5 percent: where time is exact, as in vm.sh run --count
 */
#include <sys/uio.h>

#include "client.h"
#include "dice.h"

#define MOST (8UL << 20)
#define BOTH (HAYATE_READ | HAYATE_WRITE)

static unsigned char *theirs, *mine, *others;
static unsigned char *attached;
static struct peer peer;
static uint64_t cookie;
static int fd, access_fd;

static void owner(int channel)
{
	int fd = member(1);

	memset(theirs, 1, MOST);
	tell(channel, make(fd, theirs, MOST, BOTH, HAYATE_ATTACHABLE));
	hear(channel);
}

static void by_readv(size_t bytes)
{
	struct iovec local = { mine, bytes }, remote = { theirs, bytes };

	CHECK(process_vm_readv(peer.pid, &local, 1, &remote, 1, 0) == (ssize_t)bytes);
}

static void by_writev(size_t bytes)
{
	struct iovec local = { mine, bytes }, remote = { theirs, bytes };

	CHECK(process_vm_writev(peer.pid, &local, 1, &remote, 1, 0) == (ssize_t)bytes);
}

static void copy_from(size_t bytes)
{
	CHECK(!read_from(fd, cookie, mine, bytes, 0));
}

static void copy_into(size_t bytes)
{
	CHECK(!write_into(fd, cookie, mine, bytes, 0));
}

static void by_memcpy(size_t bytes)
{
	memcpy(mine, others, bytes);
}

static void by_attachment(size_t bytes)
{
	memcpy(mine, attached, bytes);
}

static void by_new_attachment(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, access_fd, 0);

	CHECK(at != MAP_FAILED);
	memcpy(mine, at, bytes);
	munmap(at, bytes);
}

enum way { READV, WRITEV, COPY_FROM, COPY_INTO, MEMCPY, ATTACHED, NEWLY_ATTACHED, WAYS };

static void (*const ways[WAYS])(size_t) = {
	by_readv, by_writev, copy_from, copy_into, by_memcpy, by_attachment, by_new_attachment,
};

static double *times[WAYS]; /* in microseconds, one for each turn */
static int turns;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000.0 + t.tv_nsec / 1000.0;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void measure(size_t bytes)
{
	for (int turn = -1; turn < turns; turn++) {
		for (int way = 0; way < WAYS; way++) {
			double start = now();

			ways[way](bytes);
			if (turn >= 0) /* the first one warms up */
				times[way][turn] = now() - start;
		}
	}
	for (int way = 0; way < WAYS; way++)
		qsort(times[way], turns, sizeof(double), compare);
}

static int missed; /* ratios that are above their goal */

static void tell_ratio(size_t bytes, const char *what, enum way way, enum way against, double goal)
{
	int median = turns / 2, p99 = turns * 99 / 100;

	missed += times[way][median] > times[against][median] * goal;
	printf("%8zu  %-34s %9.2f %9.3f %7.3f %7.3f\n", bytes, what, times[against][median],
	       times[way][median] / times[against][median], times[way][0] / times[against][0],
	       times[way][p99] / times[against][p99]);
}

static long page_tables(void)
{
	char line[128];
	FILE *file = fopen("/proc/self/status", "re");
	long kilobytes = 0;

	CHECK(file);
	while (fgets(line, sizeof(line), file))
		sscanf(line, "VmPTE: %ld", &kilobytes);
	fclose(file);
	return kilobytes;
}

static void touch_all(const unsigned char *at)
{
	for (size_t i = 0; i < MOST; i += PAGE)
		(void)*(volatile const unsigned char *)(at + i);
}

static void tell_page_tables(void)
{
	long before = page_tables(), own;

	attached = mmap(NULL, MOST, PROT_READ, MAP_SHARED, access_fd, 0);
	CHECK(attached != MAP_FAILED);
	touch_all(attached);
	own = page_tables();
	printf("page tables of an attachment of %lu MB: %ld KB, of the process before: %ld KB\n",
	       MOST >> 20, own - before, before);
}

int main(int argc, char **argv)
{
	size_t least, most;

	check_options(argc, argv, "--turns --least --most --check --seed");
	turns = option(argc, argv, "--turns", 201);
	least = option(argc, argv, "--least", 4096);
	most = option(argc, argv, "--most", MOST);
	CHECK(turns > 0 && least > 0 && most <= MOST);
	for (int way = 0; way < WAYS; way++)
		times[way] = calloc(turns, sizeof(double));
	theirs = pages(MOST);
	mine = pages(MOST);
	others = pages(MOST);
	memset(mine, 2, MOST);
	memset(others, 2, MOST);
	peer = peer_start(owner);
	cookie = hear(peer.channel);
	fd = member(1);
	access_fd = get(fd, cookie, HAYATE_READ, 0);
	tell_page_tables();
	printf("%8s  %-34s %9s %9s %7s %7s\n", "bytes", "ratio of", "its us", "median", "min",
	       "p99");
	for (size_t bytes = least; bytes <= most; bytes *= 2) {
		measure(bytes);
		tell_ratio(bytes, "copy from / process_vm_readv", COPY_FROM, READV, 1);
		tell_ratio(bytes, "copy into / process_vm_writev", COPY_INTO, WRITEV, 1);
		tell_ratio(bytes, "attachment, later uses / memcpy", ATTACHED, MEMCPY, 1.05);
		tell_ratio(bytes, "attachment, first use / memcpy", NEWLY_ATTACHED, MEMCPY, 1e9);
	}
	if (!option(argc, argv, "--check", 0))
		return 0;
	printf("%d ratios above their goals\n", missed);
	return !!missed;
}
