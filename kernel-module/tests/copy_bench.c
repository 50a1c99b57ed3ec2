// SPDX-License-Identifier: GPL-2.0
/*
 * Copy and attach against process_vm_readv(2) and memcpy, as ratios: less than 1 is faster. Each
 * figure is the lower quartile of turns that alternate. Usage: copy_bench [rounds [largest]]
 */
#include <sys/uio.h>
#include <time.h>

#include "client.h"

#define MOST (8UL << 20)
#ifndef TURNS
#define TURNS 51
#endif

static unsigned char *theirs, *mine;
static volatile unsigned char *attached;
static struct peer peer;
static uint64_t cookie;
static int fd;

static void owner(int channel)
{
	int fd = member(1);

	memset(theirs, 1, MOST);
	tell(channel, make(fd, theirs, MOST, HAYATE_READ | HAYATE_WRITE, HAYATE_ATTACHABLE));
	hear(channel);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static void by_linux(size_t bytes)
{
	struct iovec local = { mine, bytes }, remote = { theirs, bytes };

	CHECK(process_vm_readv(peer.pid, &local, 1, &remote, 1, 0) == (ssize_t)bytes);
}

static void by_copy(size_t bytes)
{
	CHECK(!read_from(fd, cookie, mine, bytes, 0));
}

static void by_attach(size_t bytes)
{
	memcpy(mine, (void *)attached, bytes);
}

static void by_memcpy(size_t bytes)
{
	memcpy(mine, mine + MOST, bytes);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double quartile(double *times)
{
	qsort(times, TURNS, sizeof(*times), compare);
	return times[TURNS / 4];
}

static double time_of(void (*way)(size_t), size_t bytes, int rounds)
{
	double start = now();

	for (int i = 0; i < rounds; i++)
		way(bytes);
	return (now() - start) / rounds;
}

static void measure(size_t bytes, int rounds)
{
	static void (*const ways[4])(size_t) = { by_linux, by_copy, by_memcpy, by_attach };
	double times[4][TURNS], typical[4];

	for (int turn = 0; turn < TURNS; turn++)
		for (int way = 0; way < 4; way++)
			times[way][turn] = time_of(ways[way], bytes, rounds);
	for (int way = 0; way < 4; way++)
		typical[way] = quartile(times[way]);
	printf("%8zu %12.2f %22.3f %22.3f\n", bytes, typical[0] * 1e6, typical[1] / typical[0],
	       typical[3] / typical[2]);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 20, access;
	size_t largest = argc > 2 ? strtoul(argv[2], NULL, 0) : MOST;

	theirs = pages(MOST);
	mine = pages(2 * MOST);
	memset(mine, 2, 2 * MOST);
	peer = peer_start(owner);
	cookie = hear(peer.channel);
	fd = member(1);
	access = get(fd, cookie, HAYATE_READ, 0);
	attached = mmap(NULL, MOST, PROT_READ, MAP_SHARED, access, 0);
	CHECK(attached != MAP_FAILED);
	by_attach(MOST);
	printf("   bytes readv (us)  copy/process_vm_readv          attach/memcpy\n");
	for (size_t bytes = 64; bytes <= largest && bytes <= MOST; bytes *= bytes < 4096 ? 8 : 2)
		measure(bytes, bytes > 65536 ? (rounds + 9) / 10 : rounds);
	return 0;
}
