/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the signal handlers of the process while code of foreign libraries runs for the first
 * time. Some of them take SIGSEGV, SIGBUS, SIGTERM and others when they are loaded or first
 * called, to print a backtrace. A Java virtual machine needs its own handlers there: each of its
 * threads may run into SIGSEGV at any moment, on purpose, and would end the process.
 *
 * Putting the handlers back afterwards is too late for such a thread. Therefore variables that
 * keep known libraries from taking them are lent to the environment (environment.h) before. */
#ifndef HY_BASE_HANDLERS_H
#define HY_BASE_HANDLERS_H

/* Remembers the handlers, unless another thread has done so, and lends the variables. Each call is
 * followed by one of hy_handlers_put_back(), from any thread; such pairs may be nested. */
void hy_handlers_keep(void);

/* Puts back each handler that differs from the remembered one, also one that the program has set
 * since. The last thread takes back the variables. */
void hy_handlers_put_back(void);

#endif
