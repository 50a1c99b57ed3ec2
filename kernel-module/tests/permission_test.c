// SPDX-License-Identifier: GPL-2.0
/* Who may: jobs, users, capabilities, namespaces, as the uapi header says. */
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/uio.h>

#include "as.h"
#include "shared.h"

static void another_job(void)
{
	begin(owner);
	CHECK_FAILS(read_from(member(2), cookie, mine, 1, 0), ESRCH);
	CHECK_FAILS(get(member(2), cookie, HAYATE_READ, 0), ESRCH);
	CHECK(!read_from(member(1), cookie, mine, 1, 0));
}

static void another_user(void)
{
	if (getuid())
		skip("needs root, to become somebody else");
	begin(owner_1000);
	CHECK(!read_from(member(1), cookie, mine, 1, 0)); /* CAP_SYS_PTRACE */
	become(1001);
	CHECK_FAILS(read_from(member(1), cookie, mine, 1, 0), EPERM);
	CHECK_FAILS(write_into(member(1), cookie, mine, 1, 0), EPERM);
	CHECK_FAILS(get(member(1), cookie, HAYATE_READ, 0), EPERM);
}

static void same_user(void)
{
	if (getuid())
		skip("needs root, to become somebody else");
	begin(owner_1000);
	become(1000);
	CHECK(!read_from(member(1), cookie, mine, 1, 0));
}

/* Capabilities over a user namespace of one's own are none over others. */
static void root_of_a_namespace(void)
{
	if (getuid())
		skip("needs root, to become somebody else");
	begin(owner_1000);
	become(1001);
	if (unshare(CLONE_NEWUSER))
		skip("no user namespaces");
	CHECK_FAILS(read_from(member(1), cookie, mine, 1, 0), EPERM);
}

static void same_user_in_pid_namespace(void)
{
	pid_t child;
	int status;

	if (getuid())
		skip("needs root, to become somebody else");
	begin(owner_1000);
	if (unshare(CLONE_NEWPID))
		skip("no pid namespaces");
	become(1000);
	child = fork();
	if (!child) {
		CHECK(getpid() == 1);
		CHECK(!read_from(member(1), cookie, mine, 1, 0));
		_exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && !status);
}

static void owner_undumpable(int channel)
{
	become(1000);
	prctl(PR_SET_DUMPABLE, 0);
	owner(channel);
}

static void undumpable(void)
{
	if (getuid())
		skip("needs root, to become somebody else");
	begin(owner_undumpable);
	CHECK(!read_from(member(1), cookie, mine, 1, 0));
	become(1000);
	CHECK_FAILS(read_from(member(1), cookie, mine, 1, 0), EPERM);
}

static int channel_of_owner;

static void *own(void *first_thread)
{
	CHECK(!pthread_join(*(pthread_t *)first_thread, NULL));
	owner(channel_of_owner);
	exit(0);
}

static void owner_without_first_thread(int channel)
{
	static pthread_t first_thread;
	pthread_t thread;

	become(1000);
	first_thread = pthread_self();
	channel_of_owner = channel;
	CHECK(!pthread_create(&thread, NULL, own, &first_thread));
	pthread_exit(NULL);
}

static void without_first_thread(void)
{
	if (getuid())
		skip("needs root, to become somebody else");
	begin(owner_without_first_thread);
	become(1000);
	CHECK(!read_from(member(1), cookie, mine, 1, 0));
}

/*
 * All that a process may be against all that an owner may be, and may have been when it shared:
 * the module says what ptrace(2) says, as the kernel tells by process_vm_readv(2).
 */
struct asked {
	const struct as *owner;
	uint64_t early, late; /* cookies: made before the owner became what it is, and after */
	pid_t pid;
};

static const struct as *next_owner;

static void owner_as(int channel)
{
	int fd;

	next_owner->first();
	fd = member(1);
	tell(channel, make(fd, memory, PAGE, HAYATE_READ, 0));
	next_owner->then();
	tell(channel, make(fd, memory, PAGE, HAYATE_READ, 0));
	hear(channel);
}

static int error_of(int rc)
{
	return rc < 0 ? errno : 0;
}

static int error_of_ptrace(pid_t pid)
{
	struct iovec local = { mine, 1 }, remote = { memory, 1 };

	return error_of(process_vm_readv(pid, &local, 1, &remote, 1, 0));
}

/* In a process of its own: exits with 0 (may), 1 (may not), or 2 (the two differ). */
static void ask(const struct as *caller, const struct asked *asked)
{
	int fd, expected, early, late;

	caller->first();
	caller->then();
	fd = member(1);
	expected = error_of_ptrace(asked->pid);
	early = error_of(read_from(fd, asked->early, mine, 1, 0));
	late = error_of(read_from(fd, asked->late, mine, 1, 0));
	if (early == expected && late == expected && (!expected || expected == EPERM))
		_exit(!!expected);
	fprintf(stderr, "# %s from %s: ptrace %d, shared before %d, after %d\n", caller->what,
		asked->owner->what, expected, early, late);
	_exit(2);
}

static void as_ptrace(void)
{
	int answers[3] = { 0 };

	if (getuid())
		skip("needs root, to become somebody else");
	if (!ask_ptrace_alone())
		skip("a security module has its own say about ptrace");
	memory = pages(PAGE);
	for (next_owner = all_as; next_owner->what; next_owner++) {
		struct peer peer = peer_start(owner_as);
		struct asked asked = { .owner = next_owner, .pid = peer.pid };

		asked.early = hear(peer.channel);
		asked.late = hear(peer.channel);
		for (const struct as *caller = all_as; caller->what; caller++) {
			int status;
			pid_t child = fork();

			if (!child)
				ask(caller, &asked);
			CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
			CHECK(WEXITSTATUS(status) <= 2);
			answers[WEXITSTATUS(status)]++;
		}
		peer_end(&peer);
	}
	fprintf(stderr, "# %d may, %d may not, %d differ\n", answers[0], answers[1], answers[2]);
	CHECK(answers[0] && answers[1] && !answers[2]);
}

static const struct test tests[] = {
	{ "a cookie of another job does not exist", another_job },
	{ "another user is EPERM, root is not", another_user },
	{ "the same user may", same_user },
	{ "root of a user namespace is EPERM for another user", root_of_a_namespace },
	{ "the same user may from another pid namespace", same_user_in_pid_namespace },
	{ "an owner who is not dumpable is EPERM", undumpable },
	{ "an owner whose first thread has ended may be used", without_first_thread },
	{ "who may is who may trace the owner with ptrace(2), as both are now", as_ptrace },
};

TEST_MAIN(tests)
