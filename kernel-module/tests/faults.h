/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Errors that the kernel makes on purpose (CONFIG_FAULT_INJECTION, /proc/self/fail-nth): the n-th
 * allocation, or copy from or to the caller, that this thread does from now on fails.
 */
#ifndef HY_FAULTS_H
#define HY_FAULTS_H

#include <fcntl.h>
#include <stdbool.h>

#include "test.h"

static int fail_nth = -1;

/* False: this kernel has none, or may not be asked. */
static inline bool faults_begin(void)
{
	fail_nth = open("/proc/thread-self/fail-nth", O_RDWR | O_CLOEXEC);
	return fail_nth >= 0;
}

static inline void fault_after(int n)
{
	char text[16];

	snprintf(text, sizeof(text), "%d", n);
	while (pwrite(fail_nth, text, strlen(text), 0) < 0)
		CHECK(errno == EFAULT); /* a fault that was left hit this call */
}

/* No more; true when it was made. One that hits the question was not made before. */
static inline bool fault_end(void)
{
	char text[16] = "";
	bool asked = pread(fail_nth, text, sizeof(text) - 1, 0) > 0;

	CHECK(asked || errno == EFAULT);
	fault_after(0);
	return asked && !atoi(text);
}

/* As root: also where the kernel may wait for memory, and without a report of each. */
static inline void faults_everywhere(void)
{
	static const char *const settings[][2] = {
		{ "failslab/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-wait", "N" },
		{ "fail_page_alloc/ignore-gfp-highmem", "N" },
		{ "fail_page_alloc/min-order", "0" },
		{ "failslab/verbose", "0" },
		{ "fail_page_alloc/verbose", "0" },
		{ "fail_usercopy/verbose", "0" },
	};
	char path[128];

	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		int fd;

		snprintf(path, sizeof(path), "/sys/kernel/debug/%s", settings[i][0]);
		fd = open(path, O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			skip("needs root, and debugfs in /sys/kernel/debug");
		CHECK(write(fd, settings[i][1], 1) == 1);
		close(fd);
	}
}

#endif
