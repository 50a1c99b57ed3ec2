/* SPDX-License-Identifier: GPL-2.0 */
/* What a process may be: ids, capabilities, namespaces. All begin as root. */
#ifndef HY_AS_H
#define HY_AS_H

#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/syscall.h>

#include "client.h"

#define CAPABILITY(name) (1ULL << (name))

struct as {
	const char *what;
	void (*first)(void);
	void (*then)(void);
};

static inline void keep_capabilities(uint64_t all)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {
		{ .effective = all, .permitted = all },
		{ .effective = all >> 32, .permitted = all >> 32 },
	};

	CHECK(!syscall(SYS_capset, &header, data));
}

/* Keeps these of its capabilities, and is dumpable. */
static inline void change(uid_t real, uid_t others, gid_t group, uint64_t capabilities)
{
	CHECK(!prctl(PR_SET_KEEPCAPS, 1));
	CHECK(!setgroups(0, NULL) && !setresgid(group, group, group));
	CHECK(!setresuid(real, others, others));
	keep_capabilities(capabilities);
	CHECK(!prctl(PR_SET_DUMPABLE, 1));
}

static inline void as_before(void)
{
}

static inline void as_1000(void)
{
	change(1000, 1000, 1000, 0);
}

static inline void as_1001(void)
{
	change(1001, 1001, 1001, 0);
}

static inline void as_group_1001(void)
{
	change(1000, 1000, 1001, 0);
}

static inline void as_1000_and_1001(void)
{
	change(1000, 1001, 1000, 0);
}

static inline void as_rich_1000(void)
{
	change(1000, 1000, 1000, CAPABILITY(CAP_NET_RAW));
}

static inline void as_tracer_1000(void)
{
	change(1000, 1000, 1000, CAPABILITY(CAP_SYS_PTRACE));
}

static inline void as_changing_1000(void)
{
	change(1000, 1000, 1000, CAPABILITY(CAP_SETUID) | CAPABILITY(CAP_SETGID));
}

static inline void as_poor_root(void)
{
	keep_capabilities(CAPABILITY(CAP_SETUID) | CAPABILITY(CAP_SETGID));
	CHECK(!prctl(PR_SET_DUMPABLE, 1));
}

static inline void not_dumpable(void)
{
	CHECK(!prctl(PR_SET_DUMPABLE, 0));
}

/* Root of a user namespace of its own, where there are any. */
static inline void namespace_of_1000(void)
{
	as_1000();
	(void)!unshare(CLONE_NEWUSER);
	CHECK(!prctl(PR_SET_DUMPABLE, 1));
}

static inline void poor_namespace_of_1000(void)
{
	namespace_of_1000();
	keep_capabilities(0);
}

static inline void namespace_of_1001(void)
{
	as_1001();
	(void)!unshare(CLONE_NEWUSER);
	CHECK(!prctl(PR_SET_DUMPABLE, 1));
}

static const struct as all_as[] = {
	{ "root", as_before, as_before },
	{ "root with few capabilities", as_before, as_poor_root },
	{ "1000", as_before, as_1000 },
	{ "1001", as_before, as_1001 },
	{ "1001, which was 1000", as_changing_1000, as_1001 },
	{ "1000, which could change", as_changing_1000, as_1000 },
	{ "1000 of group 1001", as_before, as_group_1001 },
	{ "1000 with effective id 1001", as_before, as_1000_and_1001 },
	{ "1000 with a capability", as_before, as_rich_1000 },
	{ "1000 that may trace", as_before, as_tracer_1000 },
	{ "1000, not dumpable", as_1000, not_dumpable },
	{ "1000 in its user namespace", as_before, namespace_of_1000 },
	{ "1000 in its user namespace, without capabilities", as_before, poor_namespace_of_1000 },
	{ "1001 in its user namespace", as_before, namespace_of_1001 },
	{ NULL, NULL, NULL },
};

/* Only Linux itself decides about ptrace(2), not Yama. As root. */
static inline bool ask_ptrace_alone(void)
{
	int fd = open("/proc/sys/kernel/yama/ptrace_scope", O_WRONLY | O_CLOEXEC);
	bool set = fd < 0 ? errno == ENOENT : write(fd, "0", 1) == 1;

	close(fd);
	return set;
}

#endif
