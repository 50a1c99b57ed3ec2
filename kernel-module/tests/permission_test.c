// SPDX-License-Identifier: GPL-2.0
/* Who may: jobs, users, namespaces, as the uapi header says. */
#include <sched.h>

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

static void maker_1000(int channel)
{
	struct hayate_bell bell = { .mode = HAYATE_BELL_COUNT };

	become(1000);
	CHECK(!ioctl(member(1), HAYATE_IOC_BELL_MAKE, &bell));
	tell(channel, bell.cookie);
	hear(channel);
}

static void bell_of_another_user(void)
{
	struct hayate_bell bell = { 0 };

	if (getuid())
		skip("needs root, to become somebody else");
	begin(maker_1000);
	bell.cookie = cookie;
	CHECK(!ioctl(member(1), HAYATE_IOC_BELL_OPEN, &bell)); /* CAP_SYS_PTRACE */
	become(1001);
	CHECK_FAILS(ioctl(member(1), HAYATE_IOC_BELL_OPEN, &bell), EPERM);
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

static void same_user_in_namespaces(void)
{
	pid_t child;
	int status;

	if (getuid())
		skip("needs root, to become somebody else");
	begin(owner_1000);
	become(1000);
	if (unshare(CLONE_NEWUSER | CLONE_NEWPID))
		skip("no user or pid namespaces");
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

static const struct test tests[] = {
	{ "a cookie of another job does not exist", another_job },
	{ "another user is EPERM, root is not", another_user },
	{ "another user's bell is EPERM, not for root", bell_of_another_user },
	{ "the same user may", same_user },
	{ "root of a user namespace is EPERM for another user", root_of_a_namespace },
	{ "the same user may from other user and pid namespaces", same_user_in_namespaces },
	{ "an owner who is not dumpable is EPERM", undumpable },
};

TEST_MAIN(tests)
