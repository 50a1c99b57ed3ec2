// SPDX-License-Identifier: GPL-2.0
/* Each error that the uapi header promises for segments and copies. */
#include <sched.h>

#include "shared.h"

static void unknown_commands(void)
{
	int fd = member(1);

	CHECK_FAILS(ioctl(fd, _IO(HAYATE_IOC_MAGIC, 0), mine), ENOTTY);
	CHECK_FAILS(ioctl(fd, _IO(HAYATE_IOC_MAGIC, 200), mine), ENOTTY);
	CHECK_FAILS(ioctl(fd, _IOWR(HAYATE_IOC_MAGIC, 4, struct hayate_vector), mine), ENOTTY);
	CHECK_FAILS(ioctl(fd, 0, mine), ENOTTY);
	CHECK_FAILS(ioctl(fd, ~0U, mine), ENOTTY);
}

static void info(void)
{
	struct hayate_info answer;

	CHECK(!ioctl(device_open(), HAYATE_IOC_INFO, &answer));
	CHECK(answer.abi == HAYATE_ABI && answer.page_bytes == PAGE);
	CHECK(answer.max_vectors == HAYATE_MAX_VECTORS && answer.max_batch == HAYATE_MAX_BATCH);
	CHECK(!answer.reserved[0] && !answer.reserved[1]);
	CHECK_FAILS(ioctl(device_open(), HAYATE_IOC_INFO, NULL), EFAULT);
}

static void not_joined(void)
{
	struct hayate_vector vector = piece(mine, 1);
	uint64_t arguments[8] = { 0 };
	int fd = device_open();

	CHECK_FAILS(try_make(fd, &vector, 1, HAYATE_READ, 0, &cookie), ENOTCONN);
	CHECK_FAILS(read_from(fd, 1, mine, 1, 0), ENOTCONN);
	CHECK_FAILS(get(fd, 1, HAYATE_READ, 0), ENOTCONN);
	CHECK_FAILS(remove_share(fd, 1), ENOTCONN);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BATCH, arguments), ENOTCONN);
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
	struct hayate_vector vector = piece(mine, 1);
	uint64_t arguments[8] = { hear(channel) }, none;

	CHECK_FAILS(read_from(inherited, arguments[0], mine, 1, 0), EBADFD);
	CHECK_FAILS(join(inherited, 1), EBADFD);
	CHECK_FAILS(try_make(inherited, &vector, 1, HAYATE_READ, 0, &none), EBADFD);
	CHECK_FAILS(remove_share(inherited, arguments[0]), EBADFD);
	CHECK_FAILS(get(inherited, arguments[0], HAYATE_READ, 0), EBADFD);
	CHECK_FAILS(ioctl(inherited, HAYATE_IOC_BATCH, arguments), EBADFD);
	CHECK(!ioctl(inherited, HAYATE_IOC_INFO, &answer));
	CHECK(!read_from(member(1), arguments[0], mine, 1, 0));
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
	struct hayate_vector good = piece(mine, 10), none = piece(mine, 0);
	struct hayate_vector wraps = { ~0ULL - 5, 10 }, kernel = { 1ULL << 63, 10 };
	struct hayate_vector sum[2] = { { 0, 1ULL << 46 }, { ~0ULL, 1 } };
	static struct hayate_vector many[HAYATE_MAX_VECTORS + 1];
	struct hayate_make reserved = {
		.vectors = (uintptr_t)&good, .count = 1, .rights = HAYATE_READ, .reserved = 1
	};
	struct hayate_vector whole_pages[2] = { { 16 * PAGE, PAGE }, { 18 * PAGE, PAGE } };
	struct hayate_vector odd_end = { 16 * PAGE, PAGE + 1 };
	int fd = member(1);

	CHECK_FAILS(ioctl(fd, HAYATE_IOC_MAKE, &reserved), EINVAL);
	CHECK_FAILS(try_make(fd, whole_pages, 2, HAYATE_READ, HAYATE_ATTACHABLE, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &odd_end, 1, HAYATE_READ, HAYATE_ATTACHABLE, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &good, 1, 0, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &good, 1, 4, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &good, 1, HAYATE_READ, 4, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &good, 0, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &none, 1, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &wraps, 1, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &kernel, 1, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, sum, 2, HAYATE_READ, 0, &cookie), EINVAL);
	many[0] = good;
	CHECK_FAILS(try_make(fd, many, HAYATE_MAX_VECTORS + 1, HAYATE_READ, 0, &cookie), EINVAL);
	CHECK(!try_make(fd, many, HAYATE_MAX_VECTORS, HAYATE_READ, 0, &cookie));
	CHECK_FAILS(try_make(fd, NULL, 1, HAYATE_READ, 0, &cookie), EFAULT);
	CHECK_FAILS(try_make(fd, &good, 1, HAYATE_READ, HAYATE_WHOLE, &cookie), EINVAL);
	CHECK_FAILS(try_make(fd, &good, 1, HAYATE_READ, HAYATE_ATTACHABLE, &cookie), EINVAL);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_MAKE, NULL), EFAULT);
}

static void owner_who_fills(int channel)
{
	memset(memory, 7, 2 * PAGE);
	owner(channel);
}

/* Every field that must be 0, and every pointer, of COPY and BATCH. */
static void bad_copies(void)
{
	struct hayate_vector local = piece(mine, 10), remote = { 0, 10 };
	struct hayate_copy good, bad;
	struct hayate_batch batch = { 0 };
	int fd = member(1);

	begin(owner);
	good = (struct hayate_copy){
		.cookie = cookie, .direction = HAYATE_READ, .local = (uintptr_t)&local,
		.local_count = 1, .remote = (uintptr_t)&remote, .remote_count = 1,
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
	CHECK_BAD(remote, ~0ULL, EFAULT);
	CHECK_BAD(local_count, 0, EINVAL);
	CHECK_BAD(local_count, ~0U, EINVAL);
	CHECK_BAD(remote_count, HAYATE_MAX_VECTORS + 1, EINVAL);
	remote.start = 2 * PAGE - 9;
	CHECK_BAD(direction, HAYATE_READ, EINVAL);
	remote.start = ~0ULL - 4;
	CHECK_BAD(direction, HAYATE_READ, EINVAL);
	remote.start = 0;
	local.length = 9;
	CHECK_BAD(direction, HAYATE_READ, EINVAL);
	local = (struct hayate_vector){ 0xffff888000000000ULL, 10 };
	CHECK_BAD(direction, HAYATE_READ, EINVAL);
	local = (struct hayate_vector){ 8, 10 };
	CHECK_BAD(direction, HAYATE_READ, EFAULT);
	CHECK_BAD(direction, HAYATE_WRITE, EFAULT);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_COPY, NULL), EFAULT);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BATCH, &batch), EINVAL);
	batch.count = HAYATE_MAX_BATCH + 1;
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BATCH, &batch), EINVAL);
	batch.count = 1;
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BATCH, &batch), EFAULT);
	CHECK(batch.done == 0);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BATCH, NULL), EFAULT);
}

/* A page whose content is right and that cannot be written: the bytes come, the answer does not. */
static void answers_that_cannot_be_written(void)
{
	struct hayate_vector local = piece(mine, 10), remote = { 0, 10 };
	struct hayate_copy *copy = pages(PAGE);
	struct hayate_batch *batch = pages(PAGE);
	int fd = member(1);

	begin(owner_who_fills);
	*copy = (struct hayate_copy){
		.cookie = cookie, .direction = HAYATE_READ, .local = (uintptr_t)&local,
		.local_count = 1, .remote = (uintptr_t)&remote, .remote_count = 1,
	};
	*batch = (struct hayate_batch){ .copies = (uintptr_t)copy, .count = 1 };
	CHECK(!mprotect(copy, PAGE, PROT_READ) && !mprotect(batch, PAGE, PROT_READ));
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_COPY, copy), EFAULT);
	CHECK(mine[9] == 7);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_BATCH, batch), EFAULT);
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_INFO, batch), EFAULT);
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

static void removed(void)
{
	int fd = member(1), other = member(1);

	memory = pages(PAGE);
	cookie = make(fd, memory, PAGE, HAYATE_READ, 0);
	CHECK_FAILS(remove_share(other, cookie), ESRCH);
	CHECK(!read_from(other, cookie, mine, 1, 0));
	CHECK(!remove_share(fd, cookie));
	CHECK_FAILS(remove_share(fd, cookie), ESRCH);
	CHECK_FAILS(read_from(other, cookie, mine, 1, 0), ESRCH);
	cookie = make(fd, memory, PAGE, HAYATE_READ, 0);
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
static int maker(void *vectors)
{
	CHECK(!try_make(inherited, vectors, 1, HAYATE_READ, 0, &cookie));
	return 0;
}

static void owner_with_maker(int channel)
{
	static unsigned char stack[64 * PAGE] __attribute__((aligned(16)));
	struct hayate_vector vector = piece(memory, PAGE);
	pid_t child;
	int status;

	inherited = member(1);
	child = clone(maker, stack + sizeof(stack), CLONE_VM | CLONE_FILES | SIGCHLD, &vector);
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
	{ "a segment that was removed or closed is ESRCH", removed },
	{ "a dead owner is ESRCH", dead_owner },
	{ "a dead owner whose child holds the descriptor is ESRCH", dead_owner_whose_child_lives },
	{ "a dead owner whose memory another process has is ESRCH", dead_maker_whose_memory_lives },
};

TEST_MAIN(tests)
