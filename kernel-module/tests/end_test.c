// SPDX-License-Identifier: GPL-2.0
/* Calls that wait for memory which does not answer, and are killed. */
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/syscall.h>

#include "shared.h"

/* Memory that answers no touch before it is told to: whoever wants it waits, and can be killed. */
static int mute_memory(unsigned char *at)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register all = {
		.range = { (uintptr_t)at, PAGE }, .mode = UFFDIO_REGISTER_MODE_MISSING
	};
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (fd < 0 || ioctl(fd, UFFDIO_API, &api) || ioctl(fd, UFFDIO_REGISTER, &all))
		return -1;
	return fd;
}

static int to_test, mute;
static unsigned char answer[PAGE] __attribute__((aligned(PAGE)));

/* Tells of the first touch, and answers it when it is told to. */
static void *keep_waiting(void *at)
{
	struct uffdio_copy page = { .dst = (uintptr_t)at, .src = (uintptr_t)answer, .len = PAGE };
	struct uffd_msg message;

	CHECK(read(mute, &message, sizeof(message)) == sizeof(message));
	tell(to_test, 2);
	hear(to_test);
	CHECK(!ioctl(mute, UFFDIO_COPY, &page));
	return NULL;
}

static void start_keeping_waiting(int channel, unsigned char *at)
{
	pthread_t thread;

	to_test = channel;
	mute = mute_memory(at);
	tell(channel, mute >= 0);
	if (mute >= 0)
		CHECK(!pthread_create(&thread, NULL, keep_waiting, at));
}

/* What of a copy's own memory does not answer. */
enum side { DESTINATION, SOURCE };
static enum side side;

static int copy_ten_bytes(uint64_t segment, unsigned char *here)
{
	memset(answer, 0x77, PAGE);
	return copy(member(1), side == SOURCE ? HAYATE_WRITE : HAYATE_READ, segment, here, 10, 0);
}

static void hanging_copier(int channel)
{
	unsigned char *here = pages(PAGE);
	uint64_t segment = hear(channel);

	start_keeping_waiting(channel, here);
	CHECK_FAILS(copy_ten_bytes(segment, here), ESRCH);
	CHECK(copied == 0 && !memcmp(here, answer, PAGE));
}

static void begin_hanging(struct peer *copier, uint64_t segment)
{
	tell(copier->channel, segment);
	if (!hear(copier->channel))
		skip("no userfaultfd");
	CHECK(hear(copier->channel) == 2);
}

static void killed_copier(void)
{
	begin(owner);
	for (side = DESTINATION; side <= SOURCE; side++) {
		struct peer copier = peer_start(hanging_copier);

		begin_hanging(&copier, cookie);
		kill(copier.pid, SIGKILL);
		CHECK(peer_end(&copier) == 128 + SIGKILL);
	}
}

/* Of all processes: what was pinned, as direct I/O and hayate do, and not unpinned. */
static long pinned_pages(void)
{
	FILE *file = fopen("/proc/vmstat", "re");
	long value, acquired = -1, released = -1;
	char name[64];
	int refresh = open("/proc/sys/vm/stat_refresh", O_WRONLY | O_CLOEXEC);

	if (refresh < 0 || write(refresh, "1", 1) != 1)
		skip("needs root, to count pinned pages");
	close(refresh);
	while (file && fscanf(file, "%63s %ld", name, &value) == 2) {
		if (!strcmp(name, "nr_foll_pin_acquired"))
			acquired = value;
		else if (!strcmp(name, "nr_foll_pin_released"))
			released = value;
	}
	CHECK(acquired >= 0 && released >= 0);
	fclose(file);
	return acquired - released;
}

/*
 * The owner closes its descriptor while the copier waits, who then is told so, and has neither got
 * nor put a byte.
 */
static void closed_despite_copier(void)
{
	memory = pages(2 * PAGE);
	memset(memory, 7, PAGE); /* the kernel's page of zeros is not pinned */
	for (side = DESTINATION; side <= SOURCE; side++) {
		struct peer copier = peer_start(hanging_copier); /* it must not inherit fd */
		int fd = member(1);
		long pinned = pinned_pages();

		begin_hanging(&copier, make(fd, memory, 2 * PAGE, HAYATE_READ | HAYATE_WRITE, 0));
		CHECK(pinned_pages() == pinned);
		close(fd);
		tell(copier.channel, 1);
		CHECK(!peer_end(&copier));
		CHECK(memory[0] == 7);
	}
}

static const struct test tests[] = {
	{ "a copier whose memory does not answer can be killed", killed_copier },
	{ "a copier whose memory does not answer holds no page, and ends with the owner",
	  closed_despite_copier },
};

TEST_MAIN(tests)
