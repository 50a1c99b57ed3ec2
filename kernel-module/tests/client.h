/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of the device in short, and a peer: a child that does what it is told over a pipe. */
#ifndef HY_CLIENT_H
#define HY_CLIENT_H

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "test.h"
#include "uapi/hayate.h"

#define PAGE 4096UL

static inline int device_open(void)
{
	int fd = open(HAYATE_DEVICE, O_RDWR | O_CLOEXEC);

	CHECK(fd >= 0);
	return fd;
}

static inline int join(int fd, unsigned char job)
{
	struct hayate_join argument;

	memset(argument.token, job, sizeof(argument.token));
	return ioctl(fd, HAYATE_IOC_JOIN, &argument);
}

/* A new member of job "job". */
static inline int member(unsigned char job)
{
	int fd = device_open();

	CHECK(!join(fd, job));
	return fd;
}

static inline int try_make(int fd, const void *start, uint64_t length, uint32_t rights,
			   uint32_t flags, uint64_t *cookie)
{
	struct hayate_make argument = {
		.start = (uintptr_t)start, .length = length, .rights = rights, .flags = flags
	};
	int rc = ioctl(fd, HAYATE_IOC_MAKE, &argument);

	*cookie = argument.cookie;
	return rc;
}

static inline uint64_t make(int fd, void *start, uint64_t length, uint32_t rights, uint32_t flags)
{
	uint64_t cookie;

	CHECK(!try_make(fd, start, length, rights, flags, &cookie));
	CHECK(cookie);
	return cookie;
}

static inline uint64_t make_whole(int fd, uint32_t flags)
{
	return make(fd, NULL, 0, HAYATE_READ | HAYATE_WRITE, flags);
}

static uint64_t copied; /* by the last copy */

static inline int copy(int fd, uint32_t direction, uint64_t cookie, const void *local,
		       uint64_t bytes, uint64_t offset)
{
	struct hayate_copy argument = {
		.cookie = cookie, .local = (uintptr_t)local, .offset = offset, .length = bytes,
		.direction = direction,
	};
	int rc = ioctl(fd, HAYATE_IOC_COPY, &argument);

	copied = argument.copied;
	return rc;
}

static inline int read_from(int fd, uint64_t cookie, void *to, uint64_t bytes, uint64_t offset)
{
	return copy(fd, HAYATE_READ, cookie, to, bytes, offset);
}

static inline int write_into(int fd, uint64_t cookie, void *from, uint64_t bytes, uint64_t offset)
{
	return copy(fd, HAYATE_WRITE, cookie, from, bytes, offset);
}

static inline int get(int fd, uint64_t cookie, uint32_t rights, uint32_t flags)
{
	struct hayate_get argument = { .cookie = cookie, .rights = rights, .flags = flags };

	return ioctl(fd, HAYATE_IOC_GET, &argument) ? -1 : argument.fd;
}

static inline void *pages(size_t bytes)
{
	void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(start != MAP_FAILED);
	return start;
}

/* A byte that depends on where it is. */
static inline unsigned char byte_at(uint64_t i)
{
	return (i * 131 + (i >> 8) * 7 + (i >> 16)) & 0xFF;
}

static inline void fill(unsigned char *at, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		at[i] = byte_at(i);
}

/* Words between a test and its peer. */
static inline void tell(int channel, uint64_t word)
{
	CHECK(send(channel, &word, sizeof(word), MSG_NOSIGNAL) == (ssize_t)sizeof(word));
}

static int in_peer; /* it ends when the test does */

static inline uint64_t hear(int channel)
{
	uint64_t word = 0;
	ssize_t got = recv(channel, &word, sizeof(word), MSG_WAITALL);

	if (in_peer && got <= 0)
		_exit(0);
	CHECK(got == (ssize_t)sizeof(word));
	return word;
}

struct peer {
	pid_t pid;
	int channel;
};

/* Starts a child that runs "body" with its end of the channel, and dies with the test. */
static inline struct peer peer_start(void (*body)(int channel))
{
	struct peer peer;
	int ends[2];

	CHECK(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	peer.pid = fork();
	CHECK(peer.pid >= 0);
	if (!peer.pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(ends[0]);
		in_peer = 1;
		body(ends[1]);
		_exit(0);
	}
	close(ends[1]);
	peer.channel = ends[0];
	return peer;
}

/* The peer ends by itself: its exit status, or 128 + signal. */
static inline int peer_end(struct peer *peer)
{
	int status;

	close(peer->channel);
	CHECK(waitpid(peer->pid, &status, 0) == peer->pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline void peer_kill(struct peer *peer)
{
	kill(peer->pid, SIGKILL);
	peer_end(peer);
}

/* A parameter of the module, as root; the old value, or -1 when that may not be done. */
static inline long parameter(const char *name, long value)
{
	char path[128], text[32] = "";
	long old;
	int fd;

	snprintf(path, sizeof(path), "/sys/module/hayate/parameters/%s", name);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -1;
	CHECK(read(fd, text, sizeof(text) - 1) > 0);
	old = atol(text);
	snprintf(text, sizeof(text), "%ld", value);
	CHECK(pwrite(fd, text, strlen(text), 0) > 0);
	close(fd);
	return old;
}

static inline void become(uid_t uid)
{
	if (getuid() || setgroups(0, NULL) || setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		skip("needs root, to become somebody else");
	prctl(PR_SET_DUMPABLE, 1);
}

#endif
