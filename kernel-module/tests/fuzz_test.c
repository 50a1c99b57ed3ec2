// SPDX-License-Identifier: GPL-2.0
/*
 * Every command with wild arguments, as nobody: nothing but an error number may come of it. Where
 * the kernel can, it makes some of them fail inside as well.
 * Usage: fuzz_test [--ioctls N] [--seed N]; see dice.h.
 */
#define TEST_SECONDS 7200

#include "client.h"
#include "dice.h"
#include "faults.h"

#define BYTES (8 * PAGE)

static unsigned char *arena; /* what is copied, and what segments are made of */
static uint64_t cookies[16];
static int members[4], held[16];
static long successes[16]; /* by number of the command */
static long ioctls;        /* to be made */

/* A number that somebody could have forgotten: of the ends of ranges, a cookie, an address, any. */
static uint64_t wild(void)
{
	static const uint64_t ends[] = {
		0, 1, 2, 3, 4, 8, 4095, 4096, 4097, 0x7fffffff, 0x80000000, 0xffffffff,
		1ULL << 32, (1ULL << 47) - 4096, 1ULL << 47, 1ULL << 63, ~0ULL, ~0ULL - 4095,
		0xffff888000000000ULL, 0xffffffff81000000ULL,
	};

	switch (dice(6)) {
	case 0: return ends[dice(sizeof(ends) / sizeof(*ends))];
	case 1: return cookies[dice(16)];
	case 2: return (uintptr_t)arena + dice(BYTES);
	case 3: return (uintptr_t)arena + dice(8) * PAGE;
	case 4: return dice(20);
	default: dice(2); return state;
	}
}

/* An argument that is right but for a word or two, if any. */
static void wild_argument(uint64_t *words, unsigned int command)
{
	memset(words, 0, 64);
	words[0] = cookies[dice(16)];
	if (command == _IOC_NR(HAYATE_IOC_MAKE))
		*(struct hayate_make *)words = (struct hayate_make){
			(uintptr_t)arena + 5 * PAGE + dice(PAGE), 1 + dice(2 * PAGE),
			1 + dice(3), 0, 0 };
	if (command == _IOC_NR(HAYATE_IOC_MAKE) && dice(2))
		*(struct hayate_make *)words = (struct hayate_make){
			(uintptr_t)arena + 5 * PAGE, 2 * PAGE, 3, HAYATE_ATTACHABLE, 0 };
	if (command == _IOC_NR(HAYATE_IOC_COPY))
		*(struct hayate_copy *)words = (struct hayate_copy){
			cookies[dice(16)], (uintptr_t)arena + 4 * PAGE + dice(PAGE), dice(100),
			dice(100), 1 + dice(2), 0, 0 };
	if (command == _IOC_NR(HAYATE_IOC_GET))
		((struct hayate_get *)words)->rights = 1 + dice(3);
	for (uint64_t i = dice(3); i; i--)
		words[dice(8)] = wild();
}

/* What was given is used a little, and closed some time later. */
static void use_descriptor(int fd)
{
	uint64_t word = wild(), length = (1 + dice(9)) * PAGE;
	char *at;
	int *slot;

	if (fd < 3)
		return;
	fcntl(fd, F_SETFL, O_NONBLOCK);
	if (write(fd, &word, sizeof(word)) < 0 && read(fd, &word, sizeof(word)) < 0)
		errno = 0;
	at = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, dice(9) * PAGE);
	if (at != MAP_FAILED)
		munmap(at, length);
	slot = &held[dice(16)];
	if (*slot)
		close(*slot);
	*slot = fd;
}

static void note_answer(const uint64_t *words, unsigned int command)
{
	if (command == _IOC_NR(HAYATE_IOC_MAKE))
		cookies[dice(16)] = ((const struct hayate_make *)words)->cookie;
	if (command == _IOC_NR(HAYATE_IOC_GET))
		use_descriptor(((const struct hayate_get *)words)->fd);
}

static void one_round(void)
{
	static const unsigned int commands[] = {
		HAYATE_IOC_INFO, HAYATE_IOC_JOIN, HAYATE_IOC_MAKE, HAYATE_IOC_COPY, HAYATE_IOC_GET,
	};
	unsigned int command = dice(sizeof(commands) / sizeof(*commands));
	int *fd = &members[dice(4)];
	uint64_t words[8];

	wild_argument(words, command);
	if (fail_nth >= 0)
		fault_after(dice(4) ? 0 : 1 + dice(12));
	if (!dice(50))
		ioctl(*fd, (unsigned int)wild(), words);
	else if (!dice(20))
		ioctl(*fd, commands[command], (void *)(uintptr_t)wild());
	else if (!ioctl(*fd, commands[command], words) && ++successes[command])
		note_answer(words, command);
	if (fail_nth >= 0)
		fault_after(0);
	if (!dice(300)) {
		close(*fd);
		*fd = member(1);
	}
}

/* Arguments that are all refused at once would show nothing. */
static void check_successes(void)
{
	for (unsigned int i = 0; i <= _IOC_NR(HAYATE_IOC_GET); i++)
		fprintf(stderr, "# command %u succeeded %ld times\n", i, successes[i]);
	for (unsigned int i = 0; i <= _IOC_NR(HAYATE_IOC_GET); i++)
		CHECK(successes[i] || i == _IOC_NR(HAYATE_IOC_JOIN));
}

/*
 * A process may hit itself: wild copies write into the arena. All that is its own.
 */
static void wild_arguments(void)
{
	seed();
	if (!getuid())
		become(1005);
	arena = pages(BYTES);
	mprotect(arena + 7 * PAGE, PAGE, PROT_READ);
	for (int i = 0; i < 4; i++)
		members[i] = member(1);
	faults_begin();
	for (long i = 0; i < ioctls; i++)
		one_round();
	fprintf(stderr, "# %ld ioctls\n", ioctls);
	check_successes();
}

static const struct test tests[] = {
	{ "wild arguments of every command are survived", wild_arguments },
};

int main(int argc, char **argv)
{
	check_options(argc, argv, "--ioctls --seed");
	ioctls = option(argc, argv, "--ioctls", rounds(50000));
	return test_all(tests, 1, HAYATE_DEVICE);
}
