// SPDX-License-Identifier: GPL-2.0
/* What attachments refuse: each error that the uapi header promises for GET and mmap. */
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "attached.h"

static void owner_who_gives_reading(int channel)
{
	serve(channel, HAYATE_READ);
}

static void reading_only(void)
{
	volatile unsigned char *at;
	int access;

	begin(owner_who_gives_reading);
	CHECK_FAILS(get(fd, cookie, BOTH, 0), EACCES);
	access = get(fd, cookie, HAYATE_READ, 0);
	at = attach(access, 0, BYTES, PROT_READ);
	CHECK(signal_of(at, false) == 0 && signal_of(at, true) == SIGSEGV);
	CHECK_FAILS(mprotect((void *)at, PAGE, PROT_READ | PROT_WRITE), EACCES);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, access, 0), EACCES);
}

/* The owner's page is shared with his child: a mapping made for reading must not open it. */
static void reading_does_not_become_writing(void)
{
	volatile unsigned char *at = begin_attached(0), *reader;

	reader = attach(get(fd, cookie, BOTH, 0), 0, BYTES, PROT_READ);
	CHECK(reader[PAGE] == 0);
	CHECK_FAILS(mprotect((void *)reader, BYTES, PROT_READ | PROT_WRITE), EACCES);
	CHECK(!mprotect((void *)at, BYTES, PROT_READ));
	order(FORK_AND_PUT, 5 * PAGE, 1);
	CHECK(at[2 * PAGE] == 0);
	CHECK(!mprotect((void *)at, BYTES, PROT_READ | PROT_WRITE));
	at[2 * PAGE] = 77;
	CHECK(order(CHILD_TAKES, 2 * PAGE, 0) == 0 && order(TAKE, 2 * PAGE, 0) == 77);
}

static void bad_calls(void)
{
	struct hayate_get argument = { .rights = HAYATE_READ };
	int access;

	begin(owner);
	argument.cookie = cookie;
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_GET, NULL), EFAULT);
	argument.reserved = 1;
	CHECK_FAILS(ioctl(fd, HAYATE_IOC_GET, &argument), EINVAL);
	CHECK_FAILS(get(fd, cookie, 0, 0), EINVAL);
	CHECK_FAILS(get(fd, cookie, 4, 0), EINVAL);
	CHECK_FAILS(get(fd, cookie, BOTH, 2), EINVAL);
	CHECK_FAILS(get(fd, ~cookie, BOTH, 0), ESRCH);
	CHECK_FAILS(get(fd, make(fd, memory, PAGE, BOTH, 0), BOTH, 0), EINVAL);
	access = get(fd, cookie, HAYATE_READ | HAYATE_WRITE, 0);
	CHECK(fcntl(access, F_GETFD) == FD_CLOEXEC);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, access, 0), EINVAL);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED, access, 0), EACCES);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, BYTES), EINVAL);
	CHECK_FAILS(mmap(NULL, BYTES, PROT_READ, MAP_SHARED, access, PAGE), EINVAL);
	CHECK_FAILS(mmap(NULL, BYTES + 1, PROT_READ, MAP_SHARED, access, 0), EINVAL);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, 1UL << 62), EINVAL);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, get(fd, cookie, HAYATE_WRITE, 0), 0),
		    EACCES);
}

static void not_inherited(void)
{
	volatile unsigned char *at = begin_attached(0);
	int status;
	pid_t child;

	at[0] = 1;
	CHECK_FAILS(madvise((void *)at, BYTES, MADV_DOFORK), EINVAL);
	child = fork();
	if (!child)
		_exit(signal_of(at, false));
	CHECK(waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) == SIGSEGV);
	CHECK(at[0] == 1);
}

static void not_pinned_by_others(void)
{
	volatile unsigned char *at = begin_attached(0);
	char byte;
	struct iovec local = { &byte, 1 }, remote = { (void *)at, 1 };

	at[0] = 1;
	CHECK_FAILS(process_vm_readv(getpid(), &local, 1, &remote, 1, 0), EFAULT);
}

static void owner_1000(int channel)
{
	become(1000);
	owner(channel);
}

static void not_for_futexes(void)
{
	volatile unsigned char *at = begin_attached(0);

	at[0] = 0;
	CHECK_FAILS(syscall(SYS_futex, at, FUTEX_WAKE, 1, NULL, NULL, 0), EFAULT);
}

static uint64_t address_of(const char *name)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	unsigned long start = 0;
	char line[256];

	CHECK(maps);
	while (!start && fgets(line, sizeof(line), maps))
		if (strstr(line, name))
			start = strtoul(line, NULL, 16);
	fclose(maps);
	return start;
}

/* Pages of the kernel that programs see, which it maps by itself. */
static void special_memory(void)
{
	uint64_t special = address_of("[vvar]");
	volatile unsigned char *at;
	char byte;

	if (!special)
		skip("no [vvar] in this kernel");
	fd = member(1);
	cookie = make_whole(fd, HAYATE_ATTACHABLE);
	at = attach(get(fd, cookie, HAYATE_READ, 0), special, PAGE, PROT_READ);
	CHECK(signal_of(at, false) == SIGBUS);
	CHECK_FAILS(read_from(fd, cookie, &byte, 1, special), EFAULT);
}

static void passed_to_another_user(void)
{
	int access;

	if (getuid())
		skip("needs root, to become somebody else");
	begin(owner_1000);
	access = get(fd, cookie, HAYATE_READ, 0);
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, 0) != MAP_FAILED);
	become(1001);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, 0), EPERM);
}

/*
 * What is attached cannot be attached in turn, also when two share all they have with each other.
 */
static void no_chains(void)
{
	volatile unsigned char *at = begin_attached(0), *again;
	uint64_t mine = make(fd, (void *)at, BYTES, BOTH, HAYATE_ATTACHABLE);
	char byte;

	at[PAGE] = 1;
	again = attach(get(fd, mine, BOTH, 0), 0, BYTES, PROT_READ | PROT_WRITE);
	CHECK(signal_of(again + PAGE, false) == SIGBUS);
	CHECK_FAILS(read_from(fd, mine, &byte, 1, PAGE), EFAULT);
	order(UNMAP, PAGE, 0);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
}

static const struct test tests[] = {
	{ "a segment for reading is never writable", reading_only },
	{ "an attachment for reading never becomes writable", reading_does_not_become_writing },
	{ "bad calls are refused with the promised error", bad_calls },
	{ "children do not inherit attachments", not_inherited },
	{ "calls that pin pages refuse attachments", not_pinned_by_others },
	{ "futexes refuse attachments", not_for_futexes },
	{ "special memory of the kernel is SIGBUS", special_memory },
	{ "an access that was passed to another user is EPERM", passed_to_another_user },
	{ "an attachment cannot be attached or copied", no_chains },
};

TEST_MAIN(tests)
