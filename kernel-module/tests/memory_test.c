// SPDX-License-Identifier: GPL-2.0
/*
 * Touches for which the kernel has no memory: in a control group whose memory is used up, and whose
 * processes are not killed for that but wait (cgroup v1, memory.oom_control).
 */
#include <stdbool.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "client.h"

#define TREE "/tmp/hayate-memory-test"
#define GROUP TREE "/small"
#define BYTES (1UL << 30)
#define TABLE (2UL << 20)    /* what one page table maps */
#define STEP (256UL << 10)   /* what one node of the window's notes has room for */
#define MANY 100
#define BOTH (HAYATE_READ | HAYATE_WRITE)

static unsigned char *memory, *at;
static int zeros;

static void set(const char *file, const char *value)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);

	CHECK(fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value));
	close(fd);
}

static bool make_group(void)
{
	umount(TREE); /* of a test that failed */
	mkdir(TREE, 0700);
	if (mount("none", TREE, "cgroup", 0, "memory"))
		return false;
	CHECK(!mkdir(GROUP, 0700) || errno == EEXIST);
	set(GROUP "/memory.limit_in_bytes", "-1");
	set(GROUP "/memory.oom_control", "1");
	return true;
}

static void drop_group(void)
{
	while (rmdir(GROUP))
		CHECK(errno == EBUSY);
	CHECK(!umount(TREE) && !rmdir(TREE));
}

/* From here on the group gets no more than it has, and cannot give up. */
static void use_up(void)
{
	char used[32] = "";
	int fd = open(GROUP "/memory.usage_in_bytes", O_RDONLY | O_CLOEXEC);

	set(GROUP "/memory.force_empty", "1");
	CHECK(fd >= 0 && read(fd, used, sizeof(used) - 1) > 0);
	close(fd);
	set(GROUP "/memory.limit_in_bytes", used);
}

static void owner(int channel)
{
	memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CHECK(memory != MAP_FAILED && !madvise(memory, BYTES, MADV_NOHUGEPAGE));
	for (uint64_t offset = 0; offset < BYTES; offset += STEP)
		memory[offset] = 7;
	tell(channel, make(member(1), memory, BYTES, BOTH, HAYATE_ATTACHABLE));
	hear(channel);
}

static int touch_in_kernel(uint64_t offset)
{
	return read(zeros, at + offset, 1) == 1 ? 0 : -1;
}

/* What the attacher tells, who has no memory to tell it otherwise, nor to complain. */
static volatile struct told {
	enum stage { BEGUN, REFUSED, WAITED, NEVER_REFUSED } stage;
	int error;
} *told;

/*
 * Touches until the group has no memory for many in turn, as each processor has a small store; says
 * where the last one was. The kernel's page tables are there before.
 */
static uint64_t touch_until_refused(void)
{
	int refused = 0;

	for (uint64_t offset = 0; offset < BYTES; offset += TABLE)
		CHECK(!touch_in_kernel(offset));
	use_up();
	for (uint64_t offset = 0; offset < BYTES; offset += STEP) {
		if (offset % TABLE)
			refused = touch_in_kernel(offset) ? refused + 1 : 0;
		if (refused == MANY)
			return offset;
	}
	told->stage = NEVER_REFUSED;
	_exit(1);
}

static void attacher(int channel)
{
	uint64_t segment = hear(channel), offset;
	char me[16];
	int access;

	snprintf(me, sizeof(me), "%d", getpid());
	set(GROUP "/cgroup.procs", me);
	zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	access = get(member(1), segment, BOTH, 0);
	CHECK(!mlockall(MCL_CURRENT)); /* touches of the test's own memory want none */
	at = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, access, 0);
	CHECK(at != MAP_FAILED);
	offset = touch_until_refused();
	told->error = errno;
	told->stage = REFUSED;
	at[offset] = 9; /* waits */
	told->stage = WAITED;
	CHECK(!touch_in_kernel(offset + STEP));
}

static double cpu_seconds(pid_t pid)
{
	unsigned long user = 0, system = 0;
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "re");
	CHECK(file && fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
			     &user, &system) == 2);
	fclose(file);
	return (double)(user + system) / sysconf(_SC_CLK_TCK);
}

static void no_memory(void)
{
	struct peer owning, attaching;
	double before;

	if (getuid() || !make_group())
		skip("needs root, and the memory controller of cgroup v1");
	told = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(told != MAP_FAILED);
	owning = peer_start(owner);
	attaching = peer_start(attacher);
	tell(attaching.channel, hear(owning.channel));
	while (told->stage == BEGUN && !waitpid(attaching.pid, NULL, WNOHANG))
		usleep(10000);
	CHECK(told->stage == REFUSED && told->error == EFAULT);
	usleep(200000); /* it is on its way to waiting */
	before = cpu_seconds(attaching.pid);
	usleep(1000000);
	CHECK(told->stage == REFUSED && cpu_seconds(attaching.pid) - before < 0.5);
	set(GROUP "/memory.limit_in_bytes", "-1");
	CHECK(!peer_end(&attaching) && told->stage == WAITED);
	CHECK(!peer_end(&owning));
	drop_group();
}

static const struct test tests[] = {
	{ "a touch without memory waits for some, and is EFAULT in a system call", no_memory },
};

TEST_MAIN(tests)
