// SPDX-License-Identifier: GPL-2.0
/* Calls that a signal ends: BATCH by any, COPY and REMOVE by one that kills. */
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

/* Memory that answers no touch: whoever copies into it waits, and can only be killed. */
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

static int to_test;

/* The touch has been noted: the copy hangs. */
static void *tell_of_touch(void *of)
{
	struct uffd_msg message;
	int fd = *(int *)of;

	CHECK(read(fd, &message, sizeof(message)) == sizeof(message));
	tell(to_test, 2);
	return NULL;
}

static void hanging_copier(int channel)
{
	unsigned char *here = pages(PAGE);
	int mute = mute_memory(here);
	pthread_t thread;

	to_test = channel;
	tell(channel, mute >= 0);
	CHECK(!pthread_create(&thread, NULL, tell_of_touch, &mute));
	read_from(member(1), hear(channel), here, 10, 0);
	_exit(1);
}

static struct peer begin_hanging(uint64_t segment)
{
	struct peer copier = peer_start(hanging_copier);

	if (!hear(copier.channel))
		skip("no userfaultfd");
	tell(copier.channel, segment);
	CHECK(hear(copier.channel) == 2);
	return copier;
}

static void killed_copier(void)
{
	struct peer copier;

	begin(owner);
	copier = begin_hanging(cookie);
	kill(copier.pid, SIGKILL);
	CHECK(peer_end(&copier) == 128 + SIGKILL);
}

static void owner_who_removes(int channel)
{
	int fd = member(1);

	memset(memory, 7, PAGE);
	cookie = make(fd, memory, PAGE, HAYATE_READ, 0);
	tell(channel, cookie);
	hear(channel);
	remove_share(fd, cookie);
	_exit(1);
}

/* REMOVE waits for the copy that hangs: the owner neither returns, nor is he kept from dying. */
static void killed_owner(void)
{
	int fd = member(1), status;
	struct peer copier;

	begin(owner_who_removes);
	copier = begin_hanging(cookie);
	tell(peer.channel, 1);
	while (!read_from(fd, cookie, mine, 1, 0))
		;
	CHECK(errno == ESRCH);
	usleep(50000);
	CHECK(waitpid(peer.pid, &status, WNOHANG) == 0);
	kill(peer.pid, SIGKILL);
	CHECK(peer_end(&peer) == 128 + SIGKILL);
	peer_kill(&copier);
}

static const struct test tests[] = {
	{ "a batch ends at a signal, and goes on behind what was done", batch_and_signals },
	{ "a copier whose memory does not answer can be killed", killed_copier },
	{ "removal waits for a copy that hangs, and can be killed", killed_owner },
};

TEST_MAIN(tests)
