// SPDX-License-Identifier: GPL-2.0
/* Each error that the uapi header promises for segments and copies. */
#include <sched.h>

#include "shared.h"

static void unknown_commands(void)
{
	int fd = member(1);

	CHECK_FAILS(ioctl(fd, _IO(HAYATE_IOC_MAGIC, 0), mine), ENOTTY);
	CHECK_FAILS(ioctl(fd, _IO(HAYATE_IOC_MAGIC, 200), mine), ENOTTY);
	CHECK_FAILS(ioctl(fd, _IOWR(HAYATE_IOC_MAGIC, 4, struct hayate_copy), mine), ENOTTY);
	CHECK_FAILS(ioctl(fd, 0, mine), ENOTTY);
	CHECK_FAILS(ioctl(fd, ~0U, mine), ENOTTY);
}

static void info(void)
{
	struct hayate_info answer;

	CHECK(!ioctl(device_open(), HAYATE_IOC_INFO, &answer));
	CHECK(answer.abi == HAYATE_ABI && answer.page_bytes == PAGE);
	CHECK(!answer.reserved[0] && !answer.reserved[1] && !answer.reserved[2]);
	CHECK_FAILS(ioctl(device_open(), HAYATE_IOC_INFO, NULL), EFAULT);
}

static void not_joined(void)
{
	int fd = device_open();

	CHECK_FAILS(try_make(fd, mine, 1, HAYATE_READ, 0, &cookie), ENOTCONN);
	CHECK_FAILS(read_from(fd, 1, mine, 1, 0), ENOTCONN);
	CHECK_FAILS(get(fd, 1, HAYATE_READ, 0), ENOTCONN);
}

static void joins_once(void)
{
	int fd = device_open();

	CHECK_FAILS(join(fd, 0), EINVAL);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_JOIN, NULL), EFAULT);
	CHECK(!join(fd, 1));
	CHECK_FAILS(join(fd, 1), EISCONN);
	CHECK_FAILS(join(fd, 2), EISCONN);
}

static int inherited;

static void heir(int channel)
{
	struct hayate_info answer;
	uint64_t told = hear(channel), none;

	CHECK_FAILS(read_from(inherited, told, mine, 1, 0), EBADFD);
	CHECK_FAILS(join(inherited, 1), EBADFD);
	CHECK_FAILS(try_make(inherited, mine, 1, HAYATE_READ, 0, &none), EBADFD);
	CHECK_FAILS(get(inherited, told, HAYATE_READ, 0), EBADFD);
	CHECK(!ioctl(inherited, HAYATE_IOC_INFO, &answer));
	CHECK(!read_from(member(1), told, mine, 1, 0));
}

static void descriptors_do_not_pass_fork(void)
{
	inherited = member(1);
	memory = pages(PAGE);
	cookie = make(inherited, memory, PAGE, HAYATE_READ, 0);
	peer = peer_start(heir);
	tell(peer.channel, cookie);
	CHECK(!peer_end(&peer));
}

static void bad_segments(void)
{
	const void *far = (void *)(~0UL - 5), *kernel = (void *)(1UL << 63);
	const void *here = (void *)(16 * PAGE);
	int fd = member(1);

	CHECK_FAILS(try_make(fd, mine, 10, 0, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, mine, 10, 4, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, mine, 10, HAYATE_READ, 2, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, far, 10, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, far, 0, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, kernel, 10, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, mine, ~0UL, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, mine, 1UL << 47, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, here, PAGE + 1, HAYATE_READ, HAYATE_ATTACHABLE, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, here + 1, PAGE, HAYATE_READ, HAYATE_ATTACHABLE, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, here + 1, 0, HAYATE_READ, HAYATE_ATTACHABLE, &cookie), EINVAL);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_MAKE, NULL), EFAULT);
}

static void owner_who_fills(int channel)
{
	memset(memory, 7, 2 * PAGE);
	owner(channel);
}

/* Every field that must be 0, every address and every range of COPY. */
static void bad_copies(void)
{
	struct hayate_copy good, bad;
	int fd = member(1);

	begin(owner);
	good = (struct hayate_copy){
		.cookie = cookie, .local = (uintptr_t)mine, .length = 10, .direction = HAYATE_READ,
	};
	bad = good;
	CHECK(!ioctl(fd, HAYATE_IOC_COPY, &bad) && bad.copied == 10);
#define CHECK_BAD(field, value, error)                                   \
	do {                                                             \
		bad = good;                                              \
		bad.field = (value);                                     \
		CHECK_FAILS(ioctl(fd, HAYATE_IOC_COPY, &bad), error);    \
		CHECK(bad.copied == 0);                                  \
	} while (0)
	CHECK_BAD(reserved, 1, EINVAL);
	CHECK_BAD(direction, 0, EINVAL);
	CHECK_BAD(direction, HAYATE_READ | HAYATE_WRITE, EINVAL);
	CHECK_BAD(cookie, cookie ^ 1, ESRCH);
	CHECK_BAD(cookie, 0, ESRCH);
	CHECK_BAD(local, 8, EFAULT);
	CHECK_BAD(local, 0xffff888000000000ULL, EINVAL);
	CHECK_BAD(local, ~0ULL - 4, EINVAL);
	CHECK_BAD(offset, 2 * PAGE - 9, EINVAL);
	CHECK_BAD(offset, ~0ULL - 4, EINVAL);
	CHECK_BAD(length, 2 * PAGE + 1, EINVAL);
	CHECK_BAD(length, ~0ULL, EINVAL);
	good.local = 8;
	CHECK_BAD(direction, HAYATE_WRITE, EFAULT);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_COPY, NULL), EFAULT);
}

/* A page whose content is right and that cannot be written: the bytes come, the answer does not. */
static void answers_that_cannot_be_written(void)
{
	struct hayate_copy *copy = pages(PAGE);
	int fd = member(1);

	begin(owner_who_fills);
	*copy = (struct hayate_copy){
		.cookie = cookie, .local = (uintptr_t)mine, .length = 10, .direction = HAYATE_READ,
	};
	CHECK(!mprotect(copy, PAGE, PROT_READ));
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_COPY, copy), EFAULT);
	CHECK(mine[9] == 7);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_INFO, copy), EFAULT);
}

static void owner_with_hole(int channel)
{
	munmap(memory + PAGE, PAGE);
	owner(channel);
}

static void unmapped_memory(void)
{
	unsigned char *here = pages(2 * PAGE);
	int fd = member(1);

	begin(owner_with_hole);
	CHECK_FAILS(read_from(fd, cookie, here, 2 * PAGE - 5, 5), EFAULT);
	CHECK(copied == PAGE - 5);
	CHECK_FAILS(read_from(fd, cookie, here, 10, PAGE), EFAULT);
	CHECK(copied == 0);
	munmap(here + PAGE, PAGE);
	CHECK_FAILS(read_from(fd, cookie, here + PAGE - 100, 200, 0), EFAULT);
	CHECK(copied == 100);
	CHECK_FAILS(write_into(fd, cookie, here + PAGE - 100, 200, 0), EFAULT);
	CHECK(copied == 100);
	CHECK_FAILS(write_into(fd, cookie, here + PAGE, 10, 0), EFAULT);
	CHECK(copied == 0);
	CHECK(!mprotect(here, PAGE, PROT_READ));
	CHECK_FAILS(read_from(fd, cookie, here, 10, 0), EFAULT);
	CHECK(copied == 0 && !write_into(fd, cookie, here, 10, 0));
}

static void owner_of_constants(int channel)
{
	mprotect(memory, PAGE, PROT_READ);
	mprotect(memory + PAGE, PAGE, PROT_NONE);
	owner(channel);
}

static void protected_memory(void)
{
	int fd = member(1);

	begin(owner_of_constants);
	CHECK(!read_from(fd, cookie, mine, 10, 0));
	CHECK_FAILS(write_into(fd, cookie, mine, 10, 0), EFAULT);
	CHECK_FAILS(read_from(fd, cookie, mine, 10, PAGE), EFAULT);
}

static void owner_who_gives_reading(int channel)
{
	share(channel, member(1), HAYATE_READ);
}

static void owner_who_gives_writing(int channel)
{
	share(channel, member(1), HAYATE_WRITE);
}

static void rights(void)
{
	int fd = member(1);

	begin(owner_who_gives_reading);
	CHECK(!read_from(fd, cookie, mine, 1, 0));
	CHECK_FAILS(write_into(fd, cookie, mine, 1, 0), EACCES);
	begin(owner_who_gives_writing);
	CHECK(!write_into(fd, cookie, mine, 1, 0));
	CHECK_FAILS(read_from(fd, cookie, mine, 1, 0), EACCES);
}

static void closed(void)
{
	int fd = member(1), other = member(1);

	memory = pages(PAGE);
	cookie = make(fd, memory, PAGE, HAYATE_READ, 0);
	CHECK(!read_from(other, cookie, mine, 1, 0));
	close(fd);
	CHECK_FAILS(read_from(other, cookie, mine, 1, 0), ESRCH);
}

static void dead_owner(void)
{
	int fd = member(1);

	begin(owner);
	CHECK(!read_from(fd, cookie, mine, 1, 0));
	peer_kill(&peer);
	CHECK_FAILS(read_from(fd, cookie, mine, 1, 0), ESRCH);
	CHECK_FAILS(get(fd, cookie, HAYATE_READ, 0), ESRCH);
}

/* The child keeps the descriptor open and tells its process id; then the owner dies. */
static void owner_with_child(int channel)
{
	int fd = member(1);
	pid_t child;

	tell(channel, make(fd, memory, PAGE, HAYATE_READ, 0));
	child = fork();
	if (!child) {
		hear(channel);
		_exit(0);
	}
	tell(channel, child);
	_exit(0);
}

static void dead_owner_whose_child_lives(void)
{
	int status, fd = member(1);

	begin(owner_with_child);
	hear(peer.channel);
	CHECK(waitpid(peer.pid, &status, 0) == peer.pid);
	CHECK_FAILS(read_from(fd, cookie, mine, 1, 0), ESRCH);
	tell(peer.channel, 1);
}

/* Has the memory and the descriptors of the process that started it, but is another process. */
static int maker(void *unused)
{
	(void)unused;
	cookie = make(inherited, memory, PAGE, HAYATE_READ, 0);
	return 0;
}

static void owner_with_maker(int channel)
{
	static unsigned char stack[64 * PAGE] __attribute__((aligned(16)));
	pid_t child;
	int status;

	inherited = member(1);
	child = clone(maker, stack + sizeof(stack), CLONE_VM | CLONE_FILES | SIGCHLD, NULL);
	CHECK(child > 0 && waitpid(child, &status, 0) == child && !status);
	tell(channel, cookie);
	share(channel, inherited, HAYATE_READ);
}

static void dead_maker_whose_memory_lives(void)
{
	int fd = member(1);
	uint64_t dead;

	memory = pages(2 * PAGE);
	peer = peer_start(owner_with_maker);
	dead = hear(peer.channel);
	cookie = hear(peer.channel);
	CHECK_FAILS(read_from(fd, dead, mine, 1, 0), ESRCH);
	CHECK(!read_from(fd, cookie, mine, 1, 0));
}

static const struct test tests[] = {
	{ "an unknown command is ENOTTY", unknown_commands },
	{ "info says what the module is", info },
	{ "a descriptor that has not joined is ENOTCONN", not_joined },
	{ "a descriptor joins one job, once", joins_once },
	{ "a descriptor that came over fork is EBADFD", descriptors_do_not_pass_fork },
	{ "a segment with a bad range, count, right or flag is refused", bad_segments },
	{ "a copy with a bad range, count, pointer or flag is refused", bad_copies },
	{ "an answer that cannot be written is EFAULT", answers_that_cannot_be_written },
	{ "memory that is not mapped is EFAULT, and what came before was copied", unmapped_memory },
	{ "what the owner may not write is EFAULT, also for root", protected_memory },
	{ "a direction that the owner did not allow is EACCES", rights },
	{ "a segment whose owner has closed its descriptor is ESRCH", closed },
	{ "a dead owner is ESRCH", dead_owner },
	{ "a dead owner whose child holds the descriptor is ESRCH", dead_owner_whose_child_lives },
	{ "a dead owner whose memory another process has is ESRCH", dead_maker_whose_memory_lives },
};

TEST_MAIN(tests)
