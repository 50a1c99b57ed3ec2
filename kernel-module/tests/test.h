/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A test is a sentence and a function; each runs in a process of its own, so that one that is
 * killed fails alone. A program prints a line for each, and "N passed, N failed, N skipped" at the
 * end; exit 0, 1, or 77 when all were skipped.
 */
#ifndef HY_TEST_H
#define HY_TEST_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEST_SKIPPED 77
#ifndef TEST_SECONDS
#define TEST_SECONDS 120 /* for each test */
#endif

struct test {
	const char *sentence;
	void (*run)(void);
};

#define CHECK(condition)                                                                  \
	do {                                                                              \
		if (!(condition)) {                                                       \
			fprintf(stderr, "# %s:%d: not true: %s (errno %d, %s)\n",         \
				__FILE__, __LINE__, #condition, errno, strerror(errno)); \
			_exit(1);                                                         \
		}                                                                         \
	} while (0)

/* "call" returns -1 and sets errno to "expected". */
#define CHECK_FAILS(call, expected)                                                      \
	do {                                                                              \
		errno = 0;                                                                \
		long result_ = (long)(call);                                              \
		if (result_ != -1 || errno != (expected)) {                               \
			fprintf(stderr, "# %s:%d: %s: %ld, errno %d, expected %s\n",      \
				__FILE__, __LINE__, #call, result_, errno, #expected);    \
			_exit(1);                                                         \
		}                                                                         \
	} while (0)

static inline void skip(const char *why)
{
	fprintf(stderr, "# skipped: %s\n", why);
	_exit(TEST_SKIPPED);
}

static inline int test_one(const struct test *test)
{
	int status;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (!child) {
		alarm(TEST_SECONDS);
		test->run();
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child)
		return 1;
	if (WIFSIGNALED(status))
		fprintf(stderr, "# killed by signal %d\n", WTERMSIG(status));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static inline int test_all(const struct test *tests, int count, const char *device)
{
	int done[3] = { 0, 0, 0 };

	for (int i = 0; i < count; i++) {
		int rc = access(device, F_OK) ? TEST_SKIPPED : test_one(&tests[i]);
		int kind = !rc ? 0 : rc == TEST_SKIPPED ? 2 : 1;

		done[kind]++;
		printf("%s - %s%s\n", kind == 1 ? "not ok" : "ok", tests[i].sentence,
		       kind == 2 ? " # SKIP" : "");
	}
	printf("%d passed, %d failed, %d skipped\n", done[0], done[1], done[2]);
	if (done[1])
		return 1;
	return done[0] ? 0 : TEST_SKIPPED;
}

#define TEST_MAIN(tests)                                                                  \
	int main(void)                                                                    \
	{                                                                                 \
		return test_all(tests, sizeof(tests) / sizeof(tests[0]), HAYATE_DEVICE);  \
	}

#endif
