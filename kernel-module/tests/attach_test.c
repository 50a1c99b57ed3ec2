// SPDX-License-Identifier: GPL-2.0
/* Attachments: the owner's very pages, whatever happens to them, and never a stale one. */
#include <poll.h>
#include <setjmp.h>
#include <stdbool.h>
#include <sys/uio.h>

#include "client.h"

#define PAGES 16UL
#define BYTES (PAGES * PAGE)
#define BOTH (HAYATE_READ | HAYATE_WRITE)

/* What a test may ask of the owner, who answers with a word when it is done. */
enum order {
	END, PUT, TAKE, UNMAP, REMAP, MOVE_AWAY, DROP, FORK_AND_PUT, CHILD_TAKES, PROTECT, REMOVE,
	TRUNCATE
};

static unsigned char *memory; /* the same address in the test and the owner */
static struct peer peer;
static uint64_t cookie;
static int fd;                /* of the test */
static int owner_fd, file_of_owner = -1;
static int child_channel;

static uint64_t order(enum order what, uint64_t index, uint64_t value)
{
	tell(peer.channel, what);
	tell(peer.channel, index);
	tell(peer.channel, value);
	return hear(peer.channel);
}

/* A child that tells, when asked, what it sees at an index. */
static void child_of_owner(int channel)
{
	for (;;)
		tell(channel, memory[hear(channel)]);
}

static uint64_t do_fork(uint64_t index, uint64_t value)
{
	child_channel = peer_start(child_of_owner).channel;
	memory[index] = value;
	return 0;
}

static uint64_t ask_child(uint64_t index)
{
	tell(child_channel, index);
	return hear(child_channel);
}

static void put_new_page(unsigned char *at)
{
	CHECK(mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		   0) == at);
}

static uint64_t obey(enum order what, uint64_t index, uint64_t value)
{
	unsigned char *page = memory + index / PAGE * PAGE;

	switch (what) {
	case PUT: memory[index] = value; return 0;
	case TAKE: return memory[index];
	case UNMAP: return munmap(page, PAGE);
	case REMAP: put_new_page(page); memory[index] = value; return 0;
	case MOVE_AWAY:
		return mremap(page, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, pages(PAGE)) ==
		       MAP_FAILED;
	case DROP: return madvise(page, PAGE, MADV_DONTNEED);
	case FORK_AND_PUT: return do_fork(index, value);
	case CHILD_TAKES: return ask_child(index);
	case PROTECT: return mprotect(page, PAGE, value);
	case REMOVE: return remove_share(owner_fd, cookie);
	case TRUNCATE: return ftruncate(file_of_owner, value);
	default: return ~0UL;
	}
}

static void serve(int channel, uint32_t rights)
{
	enum order what;

	owner_fd = member(1);
	cookie = make(owner_fd, memory, BYTES, rights, HAYATE_ATTACHABLE);
	tell(channel, cookie);
	while ((what = hear(channel)) != END) {
		uint64_t index = hear(channel);

		tell(channel, obey(what, index, hear(channel)));
	}
}

static void owner(int channel)
{
	serve(channel, BOTH);
}

static void owner_who_gives_reading(int channel)
{
	serve(channel, HAYATE_READ);
}

static void begin(void (*body)(int channel))
{
	memory = pages(BYTES);
	peer = peer_start(body);
	cookie = hear(peer.channel);
	fd = member(1);
}

static volatile unsigned char *attach(int access, uint64_t offset, uint64_t bytes, int protection)
{
	void *at = mmap(NULL, bytes, protection, MAP_SHARED, access, offset);

	CHECK(at != MAP_FAILED);
	return at;
}

static volatile unsigned char *begin_attached(uint32_t flags)
{
	int access;

	begin(owner);
	access = get(fd, cookie, BOTH, flags);
	CHECK(access >= 0);
	return attach(access, 0, BYTES, PROT_READ | PROT_WRITE);
}

/* The signal that a touch raises, or 0. */
static sigjmp_buf back;

static void on_signal(int signal)
{
	siglongjmp(back, signal);
}

static int signal_of(volatile unsigned char *at, bool write)
{
	struct sigaction action = { .sa_handler = on_signal };
	int caught;

	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	caught = sigsetjmp(back, 1);
	if (caught)
		return caught;
	if (write)
		*at = 1;
	else
		(void)*at;
	return 0;
}

static void both_see_the_same(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, 5000, 11);
	CHECK(at[5000] == 11);
	at[5001] = 22;
	CHECK(order(TAKE, 5001, 0) == 22);
	order(PUT, 5000, 33);
	CHECK(at[5000] == 33);
	at[9 * PAGE] = 44; /* nobody touched this page before */
	CHECK(order(TAKE, 9 * PAGE, 0) == 44);
	CHECK(at[10 * PAGE] == 0);
	order(PUT, 10 * PAGE, 55);
	CHECK(at[10 * PAGE] == 55);
}

static void parts(void)
{
	volatile unsigned char *at;
	int access;

	begin(owner);
	access = get(fd, cookie, BOTH, 0);
	at = attach(access, 3 * PAGE, PAGE, PROT_READ | PROT_WRITE);
	close(access);
	order(PUT, 3 * PAGE + 7, 11);
	CHECK(at[7] == 11);
	CHECK(!munmap((void *)at, PAGE));
}

static void unmapped(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11);
	order(UNMAP, PAGE, 0);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
	CHECK(signal_of(at + PAGE, true) == SIGBUS);
	order(REMAP, PAGE, 22);
	CHECK(at[PAGE] == 22);
	order(REMAP, PAGE, 33);
	CHECK(at[PAGE] == 33);
}

static void moved_away(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11);
	CHECK(order(MOVE_AWAY, PAGE, 0) == 0);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
}

static void dropped(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11);
	CHECK(order(DROP, PAGE, 0) == 0);
	CHECK(at[PAGE] == 0);
	order(PUT, PAGE, 22);
	CHECK(at[PAGE] == 22);
}

static void owner_forks(void)
{
	volatile unsigned char *at = begin_attached(0);

	order(PUT, PAGE, 11);
	at[PAGE] = 12;
	order(FORK_AND_PUT, PAGE, 33);
	CHECK(at[PAGE] == 33);
	at[PAGE] = 44;
	at[2 * PAGE] = 55;
	CHECK(order(TAKE, PAGE, 0) == 44);
	CHECK(order(TAKE, 2 * PAGE, 0) == 55);
	CHECK(order(CHILD_TAKES, PAGE, 0) == 12);
	CHECK(order(CHILD_TAKES, 2 * PAGE, 0) == 0);
}

static void protection_of_owner_counts(void)
{
	volatile unsigned char *at = begin_attached(0), *reader;

	reader = attach(get(fd, cookie, HAYATE_READ, 0), 0, BYTES, PROT_READ);
	at[PAGE] = 1;
	CHECK(reader[PAGE] == 1);
	CHECK(order(PROTECT, PAGE, PROT_READ) == 0);
	CHECK(signal_of(at + PAGE, true) == SIGBUS);
	CHECK(signal_of(reader + PAGE, false) == 0);
	CHECK(order(PROTECT, PAGE, PROT_NONE) == 0);
	CHECK(signal_of(reader + PAGE, false) == SIGBUS);
	CHECK(order(PROTECT, PAGE, PROT_READ | PROT_WRITE) == 0);
	CHECK(signal_of(at + PAGE, true) == 0);
}

static void owner_of_file(int channel)
{
	file_of_owner = memfd_create("owner", 0);
	CHECK(!ftruncate(file_of_owner, BYTES));
	CHECK(mmap(memory, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_of_owner,
		   0) == memory);
	owner(channel);
}

static void truncated(void)
{
	volatile unsigned char *at;

	begin(owner_of_file);
	at = attach(get(fd, cookie, BOTH, 0), 0, BYTES, PROT_READ | PROT_WRITE);
	order(PUT, 3 * PAGE, 11);
	CHECK(at[3 * PAGE] == 11);
	CHECK(order(TRUNCATE, 0, PAGE) == 0);
	CHECK(signal_of(at + 3 * PAGE, false) == SIGBUS);
	CHECK(order(TRUNCATE, 0, BYTES) == 0);
	CHECK(at[3 * PAGE] == 0);
}

static void owner_of_huge_pages(int channel)
{
	unsigned char *start = pages(6UL << 20);

	memory = (void *)(((uintptr_t)start + (2UL << 20) - 1) & ~((2UL << 20) - 1));
	madvise(memory, 2UL << 20, MADV_HUGEPAGE);
	owner(channel);
}

static void huge_page_is_split(void)
{
	volatile unsigned char *at;

	begin(owner_of_huge_pages);
	at = attach(get(fd, cookie, BOTH, 0), 0, BYTES, PROT_READ | PROT_WRITE);
	for (uint64_t i = 0; i < PAGES; i++)
		at[i * PAGE] = i + 1;
	order(UNMAP, 3 * PAGE, 0);
	CHECK(signal_of(at + 3 * PAGE, false) == SIGBUS);
	for (uint64_t i = 4; i < PAGES; i++) {
		CHECK(at[i * PAGE] == i + 1);
		CHECK(order(TAKE, i * PAGE, 0) == i + 1);
	}
}

static void owner_dies(void)
{
	volatile unsigned char *at = begin_attached(0), *survivor;
	int access = get(fd, cookie, BOTH, HAYATE_SURVIVE);

	survivor = attach(access, 0, BYTES, PROT_READ | PROT_WRITE);
	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11 && survivor[PAGE] == 11);
	peer_kill(&peer);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
	CHECK(signal_of(at + 2 * PAGE, true) == SIGBUS);
	CHECK(survivor[PAGE] == 0 && survivor[2 * PAGE] == 0);
	survivor[PAGE + 5] = 9;
	CHECK(survivor[4 * PAGE + 5] == 9);
	CHECK(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, 0) == MAP_FAILED && errno == ESRCH);
}

static void removed(void)
{
	volatile unsigned char *at = begin_attached(0);
	int access = get(fd, cookie, BOTH, 0);
	struct pollfd poller = { .fd = access, .events = POLLIN };

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11 && poll(&poller, 1, 0) == 0);
	CHECK(order(REMOVE, 0, 0) == 0);
	CHECK(poll(&poller, 1, 60000) == 1 && poller.revents == POLLHUP);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
	CHECK_FAILS(get(fd, cookie, BOTH, 0), ESRCH);
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

static void own_segment(void)
{
	volatile unsigned char *at;
	int access;

	memory = pages(BYTES);
	fd = member(1);
	access = get(fd, make(fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE), BOTH, 0);
	at = attach(access, 0, BYTES, PROT_READ | PROT_WRITE);
	memory[PAGE] = 11;
	CHECK(at[PAGE] == 11);
	at[PAGE] = 22;
	CHECK(memory[PAGE] == 22);
	munmap(memory, BYTES);
	CHECK(signal_of(at + PAGE, false) == SIGBUS);
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

static void whole_address_space(void)
{
	volatile unsigned char *at;
	int access, other = member(1);
	struct hayate_get argument = { .rights = BOTH };

	argument.cookie = make_whole(other, HAYATE_ATTACHABLE);
	memory = pages(BYTES);
	fill(memory, BYTES);
	CHECK(!ioctl(other, HAYATE_IOC_GET, &argument));
	access = argument.fd;
	CHECK(argument.length > (uintptr_t)memory);
	at = attach(access, (uintptr_t)memory, BYTES, PROT_READ | PROT_WRITE);
	for (uint64_t i = 0; i < BYTES; i++)
		CHECK(at[i] == byte_at(i));
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, argument.length), EINVAL);
}

static void migrated(void)
{
	volatile unsigned char *at = begin_attached(0);
	int compact = open("/proc/sys/vm/compact_memory", O_WRONLY | O_CLOEXEC);

	if (compact < 0)
		skip("needs root, to have the kernel move pages");
	for (uint64_t round = 0; round < 20; round++) {
		for (uint64_t i = 0; i < PAGES; i++)
			at[i * PAGE] = round + i;
		CHECK(write(compact, "1", 1) == 1);
		for (uint64_t i = 0; i < PAGES; i++) {
			CHECK(at[i * PAGE] == round + i);
			CHECK(order(TAKE, i * PAGE, 0) == round + i);
		}
	}
}

static const struct test tests[] = {
	{ "attacher and owner see what the other writes", both_see_the_same },
	{ "a part is attached and detached; the access may be closed before", parts },
	{ "what the owner unmaps is SIGBUS, and what he maps there then is seen", unmapped },
	{ "what the owner moves away is SIGBUS", moved_away },
	{ "what the owner drops is seen empty", dropped },
	{ "an owner's child has its own copy, the attacher the owner's", owner_forks },
	{ "the owner's protection counts", protection_of_owner_counts },
	{ "a truncated file is SIGBUS, and empty when it grows again", truncated },
	{ "a huge page may be attached and split", huge_page_is_split },
	{ "after the owner's death there is SIGBUS, or a page of one's own", owner_dies },
	{ "removing takes the pages away and hangs up", removed },
	{ "a segment for reading is never writable", reading_only },
	{ "an attachment for reading never becomes writable", reading_does_not_become_writing },
	{ "bad calls are refused with the promised error", bad_calls },
	{ "children do not inherit attachments", not_inherited },
	{ "calls that pin pages refuse attachments", not_pinned_by_others },
	{ "an access that was passed to another user is EPERM", passed_to_another_user },
	{ "a process attaches its own segment", own_segment },
	{ "an attachment cannot be attached or copied", no_chains },
	{ "a whole address space may be attached in parts", whole_address_space },
	{ "pages that the kernel moves stay right", migrated },
};

TEST_MAIN(tests)
