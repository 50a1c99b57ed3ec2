// SPDX-License-Identifier: GPL-2.0
/*
 * Calls that a signal ends: BATCH by any, COPY and REMOVE by one that kills. And calls that wait
 * for memory which does not answer.
 */
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/time.h>

#include "shared.h"

#define COUNT 1024
#define BYTES (64 * PAGE)

static struct hayate_copy copies[COUNT];
static volatile sig_atomic_t signals;

static void on_alarm(int signal)
{
	(void)signal;
	signals++;
}

static void alarm_every(long microseconds)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval every = { { 0, microseconds }, { 0, microseconds } };

	sigaction(SIGALRM, &action, NULL);
	CHECK(!setitimer(ITIMER_REAL, &every, NULL));
}

/* It goes on behind "done", until all is copied; what is behind was not begun. */
static void batch_and_signals(void)
{
	struct hayate_batch batch;
	struct hayate_vector local = piece(pages(BYTES), BYTES), remote = { 0, BYTES };
	unsigned char *from = pages(BYTES);
	int fd = member(1), interrupted = 0;
	uint64_t segment = make(fd, from, BYTES, HAYATE_READ, 0);

	for (int i = 0; i < COUNT; i++)
		copies[i] = (struct hayate_copy){
			.cookie = segment, .direction = HAYATE_READ,
			.local = (uintptr_t)&local, .local_count = 1,
			.remote = (uintptr_t)&remote, .remote_count = 1, .copied = 55,
		};
	alarm_every(2000);
	for (uint32_t at = 0; at < COUNT; at += batch.done) {
		batch = (struct hayate_batch){ (uintptr_t)(copies + at), COUNT - at, 0 };
		if (!ioctl(fd, HAYATE_IOC_BATCH, &batch))
			continue;
		CHECK(errno == EINTR && batch.done < COUNT - at);
		CHECK(copies[at + batch.done].copied == 55);
		interrupted++;
	}
	alarm_every(0);
	CHECK(interrupted && signals);
	for (int i = 0; i < COUNT; i++)
		CHECK(copies[i].copied == BYTES);
}

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
enum side { DESTINATION, SOURCE, LIST };
static enum side side;

static int copy_ten_bytes(uint64_t segment, unsigned char *here)
{
	struct hayate_vector ten = piece(side == LIST ? mine : here, 10), remote = { 0, 10 };
	struct hayate_copy one = {
		.cookie = segment, .direction = side == SOURCE ? HAYATE_WRITE : HAYATE_READ,
		.local = (uintptr_t)(side == LIST ? (void *)here : &ten), .local_count = 1,
		.remote = (uintptr_t)&remote, .remote_count = 1,
	};
	int rc;

	memset(answer, 0x77, PAGE);
	if (side == LIST)
		memcpy(answer, &ten, sizeof(ten));
	rc = ioctl(member(1), HAYATE_IOC_COPY, &one);
	copied = one.copied;
	return rc;
}

static void hanging_copier(int channel)
{
	unsigned char *here = pages(PAGE);
	uint64_t segment = hear(channel);

	start_keeping_waiting(channel, here);
	CHECK_FAILS(copy_ten_bytes(segment, here), ESRCH);
	CHECK(copied == 0 && !memcmp(here, answer, PAGE));
}

static struct peer begin_hanging(uint64_t segment)
{
	struct peer copier = peer_start(hanging_copier);

	tell(copier.channel, segment);
	if (!hear(copier.channel))
		skip("no userfaultfd");
	CHECK(hear(copier.channel) == 2);
	return copier;
}

static void killed_copier(void)
{
	begin(owner);
	for (side = DESTINATION; side <= LIST; side++) {
		struct peer copier = begin_hanging(cookie);

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

/* REMOVE ends while the copier waits, who then is told so, and has neither got nor put a byte. */
static void removal_despite_copier(void)
{
	int fd = member(1);

	memory = pages(2 * PAGE);
	memset(memory, 7, PAGE); /* the kernel's page of zeros is not pinned */
	for (side = DESTINATION; side <= LIST; side++) {
		uint64_t segment = make(fd, memory, 2 * PAGE, HAYATE_READ | HAYATE_WRITE, 0);
		long pinned = pinned_pages();
		struct peer copier = begin_hanging(segment);

		CHECK(pinned_pages() == pinned);
		CHECK(!remove_share(fd, segment));
		tell(copier.channel, 1);
		CHECK(!peer_end(&copier));
		CHECK(memory[0] == 7);
	}
}

static void copier(int channel)
{
	read_from(member(1), hear(channel), mine, 10, 0);
	hear(channel);
}

/* Its first page does not answer. */
static void owner_who_removes(int channel)
{
	int fd = member(1), signal;
	sigset_t usr1;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	CHECK(!sigprocmask(SIG_BLOCK, &usr1, NULL)); /* the channel is for the other thread */
	start_keeping_waiting(channel, memory);
	cookie = make(fd, memory, 2 * PAGE, HAYATE_READ, 0);
	tell(channel, cookie);
	sigwait(&usr1, &signal);
	remove_share(fd, cookie);
	_exit(1);
}

/*
 * What REMOVE waits for is the owner's own memory: he does not return, but is not kept from dying.
 */
static void killed_owner(void)
{
	struct peer copying;
	int fd, status;

	memory = pages(2 * PAGE);
	copying = peer_start(copier);
	peer = peer_start(owner_who_removes);
	if (!hear(peer.channel))
		skip("no userfaultfd");
	cookie = hear(peer.channel);
	fd = member(1);
	tell(copying.channel, cookie);
	CHECK(hear(peer.channel) == 2);
	kill(peer.pid, SIGUSR1);
	while (!read_from(fd, cookie, mine, 1, PAGE))
		;
	CHECK(errno == ESRCH);
	usleep(50000);
	CHECK(waitpid(peer.pid, &status, WNOHANG) == 0);
	kill(peer.pid, SIGKILL);
	CHECK(peer_end(&peer) == 128 + SIGKILL);
	CHECK(!peer_end(&copying));
}

static const struct test tests[] = {
	{ "a batch ends at a signal, and goes on behind what was done", batch_and_signals },
	{ "a copier whose memory does not answer can be killed", killed_copier },
	{ "a copier whose memory does not answer holds no page and no removal",
	  removal_despite_copier },
	{ "removal that waits for the owner's own memory can be killed", killed_owner },
};

TEST_MAIN(tests)
