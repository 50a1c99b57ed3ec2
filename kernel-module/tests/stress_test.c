// SPDX-License-Identifier: GPL-2.0
/*
 * Owners that change all their memory and die at any moment, and guests that copy, attach and ring
 * meanwhile and die, too. All memory that is shared consists of one byte, or 0: nobody may ever see
 * another one, nor find a page of his own changed.
 * Usage: stress_test [--deaths N] [--seconds N] [--seed N]; it ends when as many owners have died
 * and as many seconds have passed. Each process draws its own sequence from the seed.
 */
#define TEST_SECONDS 14400

#include <sched.h>
#include <stdatomic.h>

#include "client.h"
#include "dice.h"
#include "touch.h"

#define PLACES 4 /* of owners */
#define GUESTS 3
#define ALL (PLACES + GUESTS)
#define PAGES 16UL
#define BYTES (PAGES * PAGE)
#define BOTH (HAYATE_READ | HAYATE_WRITE)
#define HELD 8 /* attachments of a guest */
#define TAG 0x5A
#define CANARY 0xC3

/* What all of them see. */
struct board {
	atomic_ullong segments[PLACES]; /* cookies of who is there, 0 at first */
	atomic_long copies, attachments, touches, faults, ended;
};

static struct board *board;
static unsigned char *memory; /* of an owner */
static int fd;
static long deaths, least_deaths, least_seconds;
static pid_t processes[ALL];
static const char *program;

static void count(atomic_long *what)
{
	atomic_fetch_add_explicit(what, 1, memory_order_relaxed);
}

/* The owner's side. */

static void share_all(int place)
{
	atomic_store(&board->segments[place], make(fd, memory, BYTES, BOTH, HAYATE_ATTACHABLE));
}

static void end_and_share_again(int place)
{
	close(fd);
	fd = member(1);
	share_all(place);
}

/* The child holds the descriptor, and maybe outlives its parent. */
static void fork_a_child(void)
{
	pid_t child = fork();

	CHECK(child >= 0);
	if (child)
		return;
	for (uint64_t i = dice(PAGES); i; i--)
		touch(memory + i * PAGE, TAG);
	usleep(dice(2000));
	_exit(0);
}

static void map_anew(unsigned char *at)
{
	CHECK(mmap(at, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
		   0) == at);
}

static void change_a_page(void)
{
	unsigned char *at = memory + dice(PAGES) * PAGE, *other = memory + dice(PAGES) * PAGE;

	switch (dice(7)) {
	case 0: munmap(at, PAGE); return;
	case 1: madvise(at, PAGE, MADV_DONTNEED); return;
	case 2: mprotect(at, PAGE, PROT_READ); return;
	case 3: mprotect(at, PAGE, PROT_READ | PROT_WRITE); return;
	case 4: mremap(at, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, other); return;
	default: map_anew(at);
	}
	for (uint64_t i = 0; i < PAGE; i += 1 + dice(64))
		touch(at + i, TAG);
}

static void end_oneself(void)
{
	if (dice(2))
		_exit(0);
	execl("/proc/self/exe", program, "--nothing", "1", NULL);
	CHECK(!"exec");
}

static void owner(int place)
{
	fd = member(1);
	memory = pages(BYTES);
	share_all(place);
	for (;;) {
		uint64_t what = dice(300);

		if (what == 0)
			end_oneself();
		else if (what < 3)
			fork_a_child();
		else if (what < 10)
			end_and_share_again(place);
		else if (what < 20)
			usleep(dice(1500));
		else
			change_a_page();
	}
}

/* The guest's side. */

static unsigned char *mine;
static volatile unsigned char *held[HELD];

static void check_bytes(const unsigned char *at, uint64_t bytes)
{
	for (uint64_t i = 0; i < bytes; i++)
		CHECK(at[i] == 0 || at[i] == TAG);
}

static void copy_a_part(uint64_t cookie)
{
	uint64_t from = dice(BYTES), bytes = dice(BYTES - from + 1);
	int rc;

	if (dice(2)) {
		rc = read_from(fd, cookie, mine, bytes, from);
		check_bytes(mine, copied);
	} else {
		rc = write_into(fd, cookie, mine, bytes, from);
	}
	CHECK(!rc || errno == ESRCH || errno == EFAULT);
	if (rc)
		count(&board->ended);
	else
		count(&board->copies);
}

static void attach(uint64_t cookie)
{
	int access = get(fd, cookie, BOTH, dice(2) ? HAYATE_SURVIVE : 0);
	uint64_t slot = dice(HELD);
	void *at;

	CHECK(access >= 0 || errno == ESRCH);
	if (access < 0)
		return;
	at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, access, 0);
	CHECK(at != MAP_FAILED || errno == ESRCH);
	close(access);
	if (at == MAP_FAILED)
		return;
	if (held[slot])
		munmap((void *)held[slot], BYTES);
	held[slot] = at;
	count(&board->attachments);
}

static void look_at(volatile unsigned char *at)
{
	if (sigsetjmp(back, 0)) {
		count(&board->faults);
		return;
	}
	for (uint64_t i = dice(PAGE); i < PAGE; i += 1 + dice(100)) {
		unsigned char byte = at[i];

		CHECK(byte == 0 || byte == TAG);
		if (i % 2)
			at[i] = TAG;
	}
	count(&board->touches);
}

static void guest(int number)
{
	(void)number;
	fd = member(1);
	mine = pages(BYTES);
	memset(mine, TAG, BYTES);
	catch_faults();
	for (;;) {
		uint64_t place = dice(PLACES), what = dice(100), slot = dice(HELD);

		if (what < 15)
			copy_a_part(atomic_load(&board->segments[place]));
		else if (what < 25)
			attach(atomic_load(&board->segments[place]));
		else if (what < 27)
			usleep(dice(1000));
		else if (held[slot])
			look_at(held[slot] + dice(PAGES) * PAGE);
	}
}

/* Who lets them live and die. */

static void start(int which)
{
	static uint64_t turn;
	pid_t child;

	if (which < PLACES)
		atomic_store(&board->segments[which], 0);
	turn++;
	child = fork();
	CHECK(child >= 0);
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		seed_anew(turn);
		catch_faults();
		if (which < PLACES)
			owner(which);
		guest(which - PLACES);
	}
	processes[which] = child;
}

/* Somebody ended, maybe a child of an owner: who, or -1. */
static int wait_for_one(void)
{
	int status;
	pid_t pid = waitpid(-1, &status, 0);

	CHECK(pid > 0);
	CHECK((WIFEXITED(status) && !WEXITSTATUS(status)) ||
	      (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
	for (int which = 0; which < ALL; which++) {
		if (processes[which] != pid)
			continue;
		processes[which] = 0;
		deaths += which < PLACES;
		return which;
	}
	return -1;
}

static bool has_ended(int which)
{
	siginfo_t info = { 0 };

	CHECK(!waitid(P_PID, processes[which], &info, WEXITED | WNOHANG | WNOWAIT));
	return info.si_pid;
}

/* An owner that has shared nothing yet would be no death of an owner. */
static void wait_for_sharing(int which)
{
	while (which < PLACES && !atomic_load(&board->segments[which]) && !has_ended(which))
		usleep(100);
}

/* Some at once, as what races is their ends. */
static void kill_some(void)
{
	bool dying[ALL] = { false };
	int left = 0, ended;

	for (int which = 0; which < ALL; which++) {
		if (dice(3))
			continue;
		wait_for_sharing(which);
		dying[which] = true;
		left++;
	}
	for (int which = 0; which < ALL; which++)
		if (dying[which])
			kill(processes[which], SIGKILL);
	while (left) {
		ended = wait_for_one();
		if (ended < 0)
			continue;
		left -= dying[ended];
		dying[ended] = false;
		start(ended);
	}
}

/* A page that somebody else still writes to would be found changed. */
static void check_own_pages(void)
{
	unsigned char *own = pages(BYTES);

	memset(own, CANARY, BYTES);
	usleep(dice(500));
	for (size_t i = 0; i < BYTES; i++)
		CHECK(own[i] == CANARY);
	munmap(own, BYTES);
}

static void end_all(void)
{
	for (int which = 0; which < ALL; which++)
		kill(processes[which], SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		;
	CHECK(errno == ECHILD);
}

static void tell_counts(void)
{
	fprintf(stderr, "# %ld owner deaths\n", deaths);
	fprintf(stderr, "# %ld copies, %ld that ended early\n", board->copies, board->ended);
	fprintf(stderr, "# %ld attachments, %ld pages looked at, %ld that were not there\n",
		board->attachments, board->touches, board->faults);
	CHECK(board->copies && board->ended && board->attachments && board->touches);
	CHECK(board->faults);
}

static void live_and_die(void)
{
	time_t end = time(NULL) + least_seconds;

	seed();
	if (!getuid())
		become(1006);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	CHECK(board != MAP_FAILED);
	for (int which = 0; which < ALL; which++)
		start(which);
	while (deaths < least_deaths || time(NULL) < end) {
		usleep(dice(8) ? dice(1000) : dice(20000));
		kill_some();
		if (!dice(50))
			check_own_pages();
	}
	end_all();
	tell_counts();
}

static const struct test tests[] = {
	{ "owners and guests live and die at any moment, and all bytes are right", live_and_die },
};

int main(int argc, char **argv)
{
	program = argv[0];
	check_options(argc, argv, "--deaths --seconds --seed --nothing");
	if (option(argc, argv, "--nothing", 0))
		return 0;
	least_deaths = option(argc, argv, "--deaths", rounds(100));
	least_seconds = option(argc, argv, "--seconds", 0);
	return test_all(tests, 1, HAYATE_DEVICE);
}
