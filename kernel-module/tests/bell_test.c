// SPDX-License-Identifier: GPL-2.0
/* Bells: counting, edge, level, and their ends. */
#include <poll.h>
#include <sys/time.h>

#include "client.h"

static uint64_t cookie; /* of the last bell */
static void *volatile nowhere;

static int bell(int fd, uint32_t mode, uint32_t flags)
{
	struct hayate_bell argument = { .mode = mode, .flags = flags };
	int rc = ioctl(fd, HAYATE_IOC_BELL_MAKE, &argument);

	cookie = argument.cookie;
	return rc ? -1 : argument.fd;
}

static int ringer_of(int fd, uint64_t which)
{
	struct hayate_bell argument = { .cookie = which };

	return ioctl(fd, HAYATE_IOC_BELL_OPEN, &argument) ? -1 : argument.fd;
}

static int ring(int fd, uint64_t rings)
{
	return write(fd, &rings, sizeof(rings)) == sizeof(rings) ? 0 : -1;
}

static int64_t heard(int fd)
{
	uint64_t value;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? (int64_t)value : -1;
}

static int events(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN | POLLOUT };

	CHECK(poll(&poller, 1, 0) >= 0);
	return poller.revents;
}

static void counting(void)
{
	int fd = member(1), here = bell(fd, HAYATE_BELL_COUNT, HAYATE_BELL_NONBLOCK);
	int there = ringer_of(member(1), cookie);

	CHECK_FAILS(heard(here), EAGAIN);
	CHECK(events(here) == POLLOUT && events(there) == POLLOUT);
	CHECK(!ring(there, 3) && !ring(there, 0) && !ring(here, 4));
	CHECK(events(here) == (POLLIN | POLLOUT));
	CHECK(heard(here) == 7);
	CHECK_FAILS(heard(here), EAGAIN);
	CHECK(!ring(there, UINT64_MAX - 1));
	CHECK_FAILS(ring(there, 1), EAGAIN);
	CHECK(heard(here) == (int64_t)(UINT64_MAX - 1));
}

static void edge(void)
{
	int fd = member(1), here = bell(fd, HAYATE_BELL_EDGE, HAYATE_BELL_NONBLOCK);
	int there = ringer_of(member(1), cookie);

	CHECK(!ring(there, 3) && !ring(there, 5) && !ring(there, 0));
	CHECK(heard(here) == 1);
	CHECK_FAILS(heard(here), EAGAIN);
	CHECK(events(here) == POLLOUT);
}

static void level(void)
{
	int fd = member(1), here = bell(fd, HAYATE_BELL_LEVEL, HAYATE_BELL_NONBLOCK);
	int there = ringer_of(member(1), cookie);

	CHECK(!ring(there, 3));
	CHECK(heard(here) == 1 && heard(here) == 1 && events(here) == (POLLIN | POLLOUT));
	CHECK(!ring(there, 0));
	CHECK(events(here) == POLLOUT);
	CHECK_FAILS(heard(here), EAGAIN);
}

static void bad_calls(void)
{
	struct hayate_bell argument = { .mode = 3 };
	int fd = member(1), here = bell(fd, HAYATE_BELL_COUNT, 0);
	int there = ringer_of(fd, cookie);
	char bytes[16] = { 0 };

	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BELL_MAKE, &argument), EINVAL);
	CHECK_FAILS(bell(fd, 0, 2), EINVAL);
	argument = (struct hayate_bell){ .reserved = 1 };
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BELL_MAKE, &argument), EINVAL);
	argument = (struct hayate_bell){ .flags = 2, .cookie = cookie };
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BELL_OPEN, &argument), EINVAL);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BELL_OPEN, NULL), EFAULT);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BELL_MAKE, NULL), EFAULT);
	argument = (struct hayate_bell){ .reserved = 1, .cookie = cookie };
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BELL_OPEN, &argument), EINVAL);
	CHECK_FAILS(ringer_of(fd, ~cookie), ESRCH);
	CHECK_FAILS(ringer_of(member(2), cookie), ESRCH);
	CHECK_FAILS(ringer_of(device_open(), cookie), ENOTCONN);
	CHECK_FAILS(read_from(fd, cookie, bytes, 1, 0), ESRCH); /* a bell is no segment */
	CHECK_FAILS(write(there, bytes, 7), EINVAL);
	CHECK_FAILS(write(there, bytes, 16), EINVAL);
	CHECK_FAILS(write(there, nowhere, 8), EFAULT);
	CHECK_FAILS(ring(there, UINT64_MAX), EINVAL);
	CHECK_FAILS(read(here, bytes, 7), EINVAL);
	CHECK_FAILS(read(there, bytes, 8), EBADF);
	CHECK(!ring(there, 1));
	CHECK_FAILS(read(here, nowhere, 8), EFAULT);
	CHECK(fcntl(here, F_GETFD) == FD_CLOEXEC && fcntl(there, F_GETFD) == FD_CLOEXEC);
}

/* Rings as often as it is told, each time it is asked. */
static void ringing_peer(int channel)
{
	int there = ringer_of(member(1), hear(channel));
	uint64_t times;

	CHECK(there >= 0);
	while ((times = hear(channel)))
		for (uint64_t i = 0; i < times; i++)
			CHECK(!ring(there, 1));
}

static void wakes_a_reader(void)
{
	int here = bell(member(1), HAYATE_BELL_COUNT, 0);
	struct peer peer = peer_start(ringing_peer);

	tell(peer.channel, cookie);
	for (int round = 0; round < 200; round++) {
		int64_t sum = 0;

		tell(peer.channel, 5);
		while (sum < 5)
			sum += heard(here);
		CHECK(sum == 5);
	}
	tell(peer.channel, 0);
	CHECK(!peer_end(&peer));
}

static void wakes_a_poller(void)
{
	int here = bell(member(1), HAYATE_BELL_EDGE, 0);
	struct peer peer = peer_start(ringing_peer);
	struct pollfd poller = { .fd = here, .events = POLLIN };

	tell(peer.channel, cookie);
	for (int round = 0; round < 200; round++) {
		tell(peer.channel, 1);
		CHECK(poll(&poller, 1, 60000) == 1 && poller.revents == POLLIN);
		CHECK(heard(here) == 1);
	}
}

static void on_signal(int signal)
{
	(void)signal;
}

static void signals_end_waiting(void)
{
	struct sigaction action = { .sa_handler = on_signal };
	struct itimerval every = { { 0, 20000 }, { 0, 20000 } };
	int here = bell(member(1), HAYATE_BELL_COUNT, 0);

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &every, NULL);
	CHECK_FAILS(heard(here), EINTR);
}

static void ended_by_removal(void)
{
	int fd = member(1), here = bell(fd, HAYATE_BELL_COUNT, 0);
	int there = ringer_of(member(1), cookie);

	CHECK(!ring(there, 2));
	CHECK(!remove_share(fd, cookie));
	CHECK_FAILS(ring(there, 1), EPIPE);
	CHECK(events(there) == (POLLOUT | POLLHUP | POLLERR));
	CHECK(heard(here) == 2);
	CHECK_FAILS(heard(here), EPIPE);
	CHECK_FAILS(ringer_of(member(1), cookie), ESRCH);
}

static void maker(int channel)
{
	CHECK(bell(member(1), HAYATE_BELL_COUNT, 0) >= 0);
	tell(channel, cookie);
	hear(channel);
}

static void ended_by_death(void)
{
	struct peer peer = peer_start(maker);
	int there = ringer_of(member(1), cookie = hear(peer.channel));
	struct pollfd poller = { .fd = there, .events = 0 };

	CHECK(!ring(there, 1) && events(there) == POLLOUT);
	kill(peer.pid, SIGKILL);
	CHECK(poll(&poller, 1, 60000) == 1 && poller.revents == (POLLHUP | POLLERR));
	CHECK_FAILS(ring(there, 1), EPIPE);
	CHECK_FAILS(ringer_of(member(1), cookie), ESRCH);
}

static void ended_by_closing(void)
{
	int fd = member(1), here = bell(fd, HAYATE_BELL_COUNT, 0);
	int there = ringer_of(member(1), cookie);

	close(here);
	CHECK_FAILS(ring(there, 1), EPIPE);
	CHECK_FAILS(remove_share(fd, cookie), ESRCH);
	here = bell(fd, HAYATE_BELL_COUNT, 0);
	there = ringer_of(member(1), cookie);
	close(fd);
	CHECK_FAILS(ring(there, 1), EPIPE);
	CHECK_FAILS(heard(here), EPIPE);
}

/* The heir of a bell's descriptor may use it: it is a file like others. */
static int inherited;

static void heir(int channel)
{
	hear(channel);
	CHECK(!ring(inherited, 9));
}

static void passes_fork(void)
{
	int here = bell(member(1), HAYATE_BELL_COUNT, 0);
	struct peer peer;

	inherited = ringer_of(member(1), cookie);
	peer = peer_start(heir);
	tell(peer.channel, 1);
	CHECK(heard(here) == 9);
}

static const struct test tests[] = {
	{ "a counting bell adds up", counting },
	{ "an edge bell tells of many rings once", edge },
	{ "a level bell stays as it was set", level },
	{ "bad calls are refused with the promised error", bad_calls },
	{ "a ring wakes a reader in another process, and none is lost", wakes_a_reader },
	{ "a ring wakes a poller in another process", wakes_a_poller },
	{ "a signal ends waiting", signals_end_waiting },
	{ "a bell that was removed is EPIPE, after what was rung before", ended_by_removal },
	{ "a bell whose maker died is EPIPE, and pollers learn of it", ended_by_death },
	{ "a bell ends with its descriptor, and with its member", ended_by_closing },
	{ "a bell's descriptor works in a child", passes_fork },
};

TEST_MAIN(tests)
