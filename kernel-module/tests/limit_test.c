// SPDX-License-Identifier: GPL-2.0
/* What each user may have, and answers that do not reach him. */
#include <sys/resource.h>

#include "shared.h"

/* How many were made before ENOSPC; "cookie" is that of the last one. */
static int makes_until_refused(int fd)
{
	uint64_t next;

	for (int made = 0; made < 1000; made++) {
		if (try_make(fd, mine, 1, HAYATE_READ, 0, &next)) {
			CHECK(errno == ENOSPC);
			return made;
		}
		cookie = next;
	}
	return -1;
}

/* As a user of its own, so that nobody else's segments count. */
static void limits(void)
{
	long segments = parameter("max_segments", 10);
	pid_t child;
	int status;

	if (segments < 0)
		skip("needs root, to set limits");
	child = fork();
	if (!child) {
		int fd;

		become(1002);
		fd = member(1);
		CHECK(makes_until_refused(fd) == 10);
		close(fd);
		CHECK(makes_until_refused(member(1)) == 10);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	parameter("max_segments", segments);
	CHECK(!status);
}

static void limits_of_descriptors(void)
{
	long accesses = parameter("max_accesses", 2);
	pid_t child;
	int status;

	if (accesses < 0)
		skip("needs root, to set limits");
	memory = pages(PAGE);
	child = fork();
	if (!child) {
		int fd, access;

		become(1004);
		fd = member(1);
		cookie = make(fd, memory, PAGE, HAYATE_READ, HAYATE_ATTACHABLE);
		access = get(fd, cookie, HAYATE_READ, 0);
		CHECK(access >= 0 && get(fd, cookie, HAYATE_READ, 0) >= 0);
		CHECK_FAILS(get(fd, cookie, HAYATE_READ, 0), ENOSPC);
		close(access);
		CHECK(get(fd, cookie, HAYATE_READ, 0) >= 0);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	parameter("max_accesses", accesses);
	CHECK(!status);
}

/* The answer cannot be written: a private page whose content is right, made read-only. */
static void answers_nobody_can_get(void)
{
	long segments = parameter("max_segments", 1);
	struct hayate_make *argument = pages(PAGE);
	pid_t child;
	int status;

	if (segments < 0)
		skip("needs root, to set limits");
	*argument = (struct hayate_make){
		.start = (uintptr_t)mine, .length = 10, .rights = HAYATE_READ
	};
	mprotect(argument, PAGE, PROT_READ);
	child = fork();
	if (!child) {
		int fd;

		become(1003);
		fd = member(1);
		CHECK_FAILS(ioctl(fd, HAYATE_IOC_MAKE, argument), EFAULT);
		CHECK(makes_until_refused(fd) == 1);
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	parameter("max_segments", segments);
	CHECK(!status);
}

/* In a child that is nobody's: one access is all he may have. */
static void as_user_of_one(uid_t uid, void (*body)(int fd))
{
	long accesses = parameter("max_accesses", 1);
	pid_t child;
	int status;

	if (accesses < 0)
		skip("needs root, to set limits");
	memory = pages(PAGE);
	child = fork();
	if (!child) {
		become(uid);
		body(member(1));
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child);
	parameter("max_accesses", accesses);
	CHECK(!status);
}

/* What failed must not count: after it there is still one. */
static void check_one_is_left(int fd, uint64_t cookie)
{
	CHECK(get(fd, cookie, HAYATE_READ, 0) >= 0);
	CHECK_FAILS(get(fd, cookie, HAYATE_READ, 0), ENOSPC);
}

static void unwritable_answers(int fd)
{
	uint64_t segment = make(fd, memory, PAGE, HAYATE_READ, HAYATE_ATTACHABLE);
	struct hayate_get *access = pages(PAGE);
	int next = dup(0);

	close(next);
	*access = (struct hayate_get){ .cookie = segment, .rights = HAYATE_READ };
	CHECK(!mprotect(access, PAGE, PROT_READ));
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_GET, access), EFAULT);
	CHECK(dup(0) == next);
	close(next);
	check_one_is_left(fd, segment);
}

static void answers_with_descriptors(void)
{
	as_user_of_one(1007, unwritable_answers);
}

static void no_more_descriptors(int fd)
{
	uint64_t segment = make(fd, memory, PAGE, HAYATE_READ, HAYATE_ATTACHABLE);
	struct rlimit limit, few;
	int next = dup(0);

	close(next);
	CHECK(!getrlimit(RLIMIT_NOFILE, &limit));
	few = limit;
	few.rlim_cur = next;
	CHECK(!setrlimit(RLIMIT_NOFILE, &few));
	CHECK_FAILS(get(fd, segment, HAYATE_READ, 0), EMFILE);
	CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
	check_one_is_left(fd, segment);
}

static void descriptors(void)
{
	as_user_of_one(1008, no_more_descriptors);
}

static long file_max(long value)
{
	FILE *file = fopen("/proc/sys/fs/file-max", "r+e");
	long old = -1;

	if (!file || fscanf(file, "%ld", &old) != 1)
		skip("needs root, to set the limit of open files");
	rewind(file);
	CHECK(fprintf(file, "%ld", value) > 0 && !fclose(file));
	return old;
}

static void no_more_files(int fd)
{
	uint64_t segment = make(fd, memory, PAGE, HAYATE_READ, HAYATE_ATTACHABLE);

	tell(peer.channel, segment);
	CHECK(hear(peer.channel) == 1);
	CHECK_FAILS(get(fd, segment, HAYATE_READ, 0), ENFILE);
	tell(peer.channel, segment);
	CHECK(hear(peer.channel) == 2);
	check_one_is_left(fd, segment);
}

/*
 * Root, who may open files beyond the limit, sets it for a while: until it is told, or the test has
 * died. The kernel counts roughly; only 0 is below every count.
 */
static void keeper_of_limit(int channel)
{
	uint64_t word;
	ssize_t got;
	long usual;

	prctl(PR_SET_PDEATHSIG, 0);
	hear(channel);
	usual = file_max(0);
	tell(channel, 1);
	got = recv(channel, &word, sizeof(word), MSG_WAITALL);
	file_max(usual);
	if (got > 0)
		tell(channel, 2);
}

static void files(void)
{
	if (getuid())
		skip("needs root, to set the limit of open files");
	peer = peer_start(keeper_of_limit);
	as_user_of_one(1009, no_more_files);
}

static const struct test tests[] = {
	{ "limits per user are ENOSPC and are given back", limits },
	{ "accesses have a limit, too", limits_of_descriptors },
	{ "a segment whose cookie cannot be told is not made", answers_nobody_can_get },
	{ "a descriptor that cannot be told is not given or counted", answers_with_descriptors },
	{ "without a free descriptor there is EMFILE, and nothing is counted", descriptors },
	{ "when the system has too many files there is ENFILE", files },
};

TEST_MAIN(tests)
