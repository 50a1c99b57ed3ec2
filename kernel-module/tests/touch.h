/* SPDX-License-Identifier: GPL-2.0 */
/* Touching memory that may not be there. */
#ifndef HY_TOUCH_H
#define HY_TOUCH_H

#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

static sigjmp_buf back;

static inline void on_fault(int signal)
{
	siglongjmp(back, signal);
}

/* From here on, touch() survives SIGBUS and SIGSEGV; other code does not. */
static inline void catch_faults(void)
{
	struct sigaction action = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };

	sigaction(SIGBUS, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
}

/* Reads the byte, or writes "value" (not negative); the signal that this raises, or 0. */
static inline int touch(volatile unsigned char *at, int value)
{
	int caught = sigsetjmp(back, 0);

	if (caught)
		return caught;
	if (value >= 0)
		*at = value;
	else
		(void)*at;
	return 0;
}

static inline int signal_of(volatile unsigned char *at, bool write)
{
	catch_faults();
	return touch(at, write ? 1 : -1);
}

#endif
