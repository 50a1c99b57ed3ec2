// SPDX-License-Identifier: GPL-2.0
/*
 * HAYATE_SURVIVE: what is not there is a page of one's own instead of a signal, and is counted. No
 * test here catches SIGBUS, so that one which comes is a failure.
 */
#include <pthread.h>
#include <sys/sysinfo.h>

#include "attached.h"
#include "dice.h"

#define SLOTS 8UL /* of the owner's pages, where the race is */

static int survivor;                  /* an access */
static const volatile uint64_t *word; /* its count */

static const volatile uint64_t *count_of(int access)
{
	void *at = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, access, HAYATE_LOSSES_AT);

	CHECK(at != MAP_FAILED);
	return at;
}

static volatile unsigned char *map_anew(int protection)
{
	return attach(survivor, 0, BYTES, protection);
}

static volatile unsigned char *begin_surviving(void (*body)(int channel))
{
	begin(body);
	survivor = get(fd, cookie, BOTH, HAYATE_SURVIVE);
	CHECK(survivor >= 0);
	word = count_of(survivor);
	return map_anew(PROT_READ | PROT_WRITE);
}

/* One loss at the first touch of this page, none at the next. */
static void expect_loss(volatile unsigned char *at)
{
	uint64_t before = *word;

	CHECK(*at == 0);
	CHECK(*word == before + 1);
	CHECK(*at == 0);
	CHECK(*word == before + 1);
}

static void unmapped(void)
{
	volatile unsigned char *at = begin_surviving(owner);

	order(PUT, PAGE, 11);
	at[2 * PAGE] = 22;
	CHECK(at[PAGE] == 11 && order(TAKE, 2 * PAGE, 0) == 22 && *word == 0);
	order(UNMAP, PAGE, 0);
	expect_loss(at + PAGE);
	order(REMAP, PAGE, 33);
	at = map_anew(PROT_READ | PROT_WRITE);
	CHECK(at[PAGE] == 33 && at[2 * PAGE] == 22 && *word == 1);
}

/* The owner sees nothing of them. */
static void lost_stores(void)
{
	volatile unsigned char *at = begin_surviving(owner);

	CHECK(order(MOVE_AWAY, PAGE, 0) == 0);
	at[PAGE + 5] = 9;
	CHECK(*word == 1);
	order(UNMAP, 3 * PAGE, 0);
	CHECK(at[3 * PAGE + 5] == 9 && *word == 2);
	order(REMAP, PAGE, 1);
	CHECK(order(TAKE, PAGE + 5, 0) == 0);
}

static void protected_by_owner(void)
{
	volatile unsigned char *at = begin_surviving(owner), *reader = map_anew(PROT_READ);

	at[PAGE] = 1;
	CHECK(reader[PAGE] == 1);
	CHECK(order(PROTECT, PAGE, PROT_READ) == 0);
	CHECK(reader[PAGE] == 1 && *word == 0);
	at[PAGE] = 2;
	CHECK(*word == 1 && reader[PAGE] == 1);
	CHECK(order(PROTECT, PAGE, PROT_NONE) == 0);
	reader = map_anew(PROT_READ);
	(void)reader[PAGE];
	CHECK(*word == 2);
	CHECK(order(PROTECT, PAGE, PROT_READ | PROT_WRITE) == 0);
	reader = map_anew(PROT_READ);
	CHECK(reader[PAGE] == 1 && *word == 2);
}

static void truncated(void)
{
	volatile unsigned char *at = begin_surviving(owner_of_file);

	order(PUT, 3 * PAGE, 11);
	CHECK(at[3 * PAGE] == 11);
	CHECK(order(TRUNCATE, 0, PAGE) == 0);
	expect_loss(at + 3 * PAGE);
}

static void closed(void)
{
	volatile unsigned char *at = begin_surviving(owner);

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11 && *word == 0);
	CHECK(order(CLOSE, 0, 0) == 0);
	expect_loss(at + PAGE);
	expect_loss(at + 2 * PAGE);
}

static void dead(void)
{
	volatile unsigned char *at = begin_surviving(owner);

	order(PUT, PAGE, 11);
	CHECK(at[PAGE] == 11 && *word == 0);
	peer_kill(&peer);
	expect_loss(at + PAGE);
	expect_loss(at + 2 * PAGE);
	CHECK(*count_of(survivor) == 2);
}

static void each_access_counts_alone(void)
{
	volatile unsigned char *at = begin_surviving(owner), *other;
	int access = get(fd, cookie, BOTH, HAYATE_SURVIVE);
	const volatile uint64_t *count = count_of(access);

	other = attach(access, 0, BYTES, PROT_READ | PROT_WRITE);
	close(access);
	order(UNMAP, PAGE, 0);
	at[PAGE] = 5;
	CHECK(*word == 1 && *count == 0);
	CHECK(other[PAGE] == 0 && *count == 1 && *word == 1);
}

static void *map_losses(int access, size_t bytes, int protection, int flags)
{
	return mmap(NULL, bytes, protection, flags, access, HAYATE_LOSSES_AT);
}

static void page_of_the_count(void)
{
	const int writable = PROT_READ | PROT_WRITE;
	int plain;

	begin_surviving(owner);
	plain = get(fd, cookie, BOTH, 0);
	CHECK_FAILS(map_losses(plain, PAGE, PROT_READ, MAP_SHARED), EINVAL);
	CHECK_FAILS(map_losses(survivor, PAGE, writable, MAP_SHARED), EACCES);
	CHECK_FAILS(map_losses(survivor, PAGE, PROT_READ | PROT_EXEC, MAP_SHARED), EACCES);
	CHECK_FAILS(map_losses(survivor, PAGE, PROT_READ, MAP_PRIVATE), EINVAL);
	CHECK_FAILS(map_losses(survivor, PAGE, writable, MAP_PRIVATE), EINVAL);
	CHECK_FAILS(map_losses(survivor, PAGE + 1, PROT_READ, MAP_SHARED), EINVAL);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, survivor, HAYATE_LOSSES_AT + PAGE),
		    EINVAL);
	CHECK_FAILS(mmap(NULL, PAGE, PROT_READ, MAP_SHARED, survivor, HAYATE_LOSSES_AT - PAGE),
		    EINVAL);
	CHECK_FAILS(mprotect((void *)word, PAGE, writable), EACCES);
	CHECK_FAILS(mprotect((void *)word, PAGE, PROT_READ | PROT_EXEC), EACCES);
	CHECK_FAILS(mremap((void *)word, PAGE, 2 * PAGE, MREMAP_MAYMOVE), EFAULT);
	CHECK(signal_of((unsigned char *)word, true) == SIGSEGV && *word == 0);
}

/* Nothing but the count is in it, whatever the access may do and whoever still has it open. */
static void count_outlives_all(void)
{
	const volatile uint64_t *count;
	int access, status;
	pid_t child;

	begin(owner);
	access = get(fd, cookie, HAYATE_WRITE, HAYATE_SURVIVE);
	count = count_of(access);
	close(access);
	peer_kill(&peer);
	close(fd);
	for (uint64_t i = 0; i < PAGE / sizeof(*count); i++)
		CHECK(count[i] == 0);
	child = fork();
	if (!child)
		_exit(*count != 0);
	CHECK(waitpid(child, &status, 0) == child && !status);
}

#define NOISE (32UL << 20) /* usually more than twice that is lost when one page stays */

static uint64_t free_bytes(void)
{
	struct sysinfo info;

	CHECK(!sysinfo(&info));
	return info.freeram * info.mem_unit;
}

/* The last to go is the descriptor, or one of the mappings. */
static void get_lose_and_end(uint64_t turn)
{
	int access = get(fd, cookie, BOTH, HAYATE_SURVIVE);
	volatile unsigned char *at = attach(access, 0, BYTES, PROT_READ);
	const volatile uint64_t *count = count_of(access);

	if (turn % 2)
		close(access);
	CHECK(at[PAGE] == 0 && *count == 1);
	munmap((void *)at, BYTES);
	CHECK(*count == 1);
	munmap((void *)count, PAGE);
	if (turn % 2 == 0)
		close(access);
}

static void pages_come_back(void)
{
	uint64_t before, turns = rounds(20000);

	begin(owner);
	order(UNMAP, PAGE, 0);
	for (uint64_t turn = 0; turn < 100; turn++)
		get_lose_and_end(turn);
	before = free_bytes();
	for (uint64_t turn = 0; turn < turns; turn++)
		get_lose_and_end(turn);
	CHECK(free_bytes() + NOISE > before);
}

/*
 * The race. Owner and test have mapped the same file, so that what the owner has is known whenever
 * he has anything: he always misses one page of the first few, another one each time.
 */
static volatile unsigned char *file_itself;

static void map_slot(uint64_t slot)
{
	void *at = memory + slot * PAGE;

	CHECK(mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_of_owner,
		   slot * PAGE) == at);
}

static void owner_who_unmaps(int channel)
{
	uint64_t missing = 0;

	CHECK(mmap(memory, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file_of_owner,
		   0) == memory);
	owner_fd = member(1);
	tell(channel, make(owner_fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE));
	for (;;) {
		uint64_t next = dice(SLOTS);

		munmap(memory + next * PAGE, PAGE);
		if (next != missing)
			map_slot(missing);
		missing = next;
		if (!dice(4))
			usleep(dice(300));
	}
}

struct guest {
	volatile unsigned char *at; /* of all guests of a turn */
	uint64_t then;              /* the count before it was mapped */
	uint64_t number;            /* 0 reads; the others write, each a word of its own */
	uint64_t chance;
	long right;
};

static bool is_lost(const struct guest *guest)
{
	return *word != guest->then;
}

static uint64_t chance_of(struct guest *guest, uint64_t sides)
{
	guest->chance = guest->chance * 6364136223846793005ULL + 1442695040888963407ULL;
	return (guest->chance >> 33) % sides;
}

/* The first half of a page is never written. False when there was a loss. */
static bool reads(struct guest *guest, uint64_t offset)
{
	unsigned char copy[PAGE / 2];
	uint64_t bytes = 1 + chance_of(guest, sizeof(copy));

	memcpy(copy, (void *)(guest->at + offset), bytes);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (is_lost(guest))
		return false;
	for (uint64_t i = 0; i < bytes; i++)
		CHECK(copy[i] == 0x5A);
	return true;
}

static bool writes(struct guest *guest, uint64_t offset)
{
	uint64_t place = offset + PAGE / 2 + guest->number * 64;
	volatile uint64_t *to = (volatile uint64_t *)(guest->at + place);

	*to = guest->chance;
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	if (is_lost(guest))
		return false;
	CHECK(*(volatile uint64_t *)(file_itself + place) == guest->chance);
	return true;
}

/* Until a page is lost, to any of them. */
static void *use(void *argument)
{
	struct guest *guest = argument;
	uint64_t offset;

	do {
		offset = chance_of(guest, SLOTS) * PAGE;
		guest->right++;
	} while (guest->number ? writes(guest, offset) : reads(guest, offset));
	guest->right--;
	return NULL;
}

static void one_turn(struct guest *guests, int count)
{
	uint64_t then = *word;
	volatile unsigned char *at = map_anew(PROT_READ | PROT_WRITE);
	pthread_t threads[4];

	for (int i = 0; i < count; i++) {
		guests[i].at = at;
		guests[i].then = then;
		CHECK(!pthread_create(&threads[i], NULL, use, &guests[i]));
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	munmap((void *)at, BYTES);
}

static void race(void)
{
	struct guest guests[4] = { { .chance = 0 } };
	long right = 0, turns = rounds(500);

	seed();
	file_of_owner = memfd_create("owner", 0);
	CHECK(!ftruncate(file_of_owner, BYTES));
	file_itself = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file_of_owner, 0);
	CHECK(file_itself != MAP_FAILED);
	memset((void *)file_itself, 0x5A, BYTES);
	munmap((void *)begin_surviving(owner_who_unmaps), BYTES);
	for (uint64_t i = 0; i < 4; i++) {
		guests[i].number = i < 2 ? 0 : i;
		guests[i].chance = dice(1UL << 60);
	}
	for (long turn = 0; turn < turns; turn++)
		one_turn(guests, 4);
	for (int i = 0; i < 4; i++)
		right += guests[i].right;
	CHECK(right);
	fprintf(stderr, "# %ld right uses, %ld losses in %ld turns\n", right, (long)*word, turns);
}

static const struct test tests[] = {
	{ "what the owner unmaps is zeros and a loss, until the mapping is made anew", unmapped },
	{ "what is stored where the owner has nothing does not reach him", lost_stores },
	{ "what the owner's protection forbids is a loss", protected_by_owner },
	{ "the end of a file is a loss", truncated },
	{ "after the owner has closed there are losses", closed },
	{ "after the owner's death there are losses", dead },
	{ "each access has its own count and its own page", each_access_counts_alone },
	{ "the count is mapped as one page, only to be read, only for survivors",
	  page_of_the_count },
	{ "the count outlives the access and its owner, and children have it", count_outlives_all },
	{ "an access that ends gives its pages back", pages_come_back },
	{ "uses without a loss were of the owner's memory, whatever he unmaps", race },
};

TEST_MAIN(tests)
