/* SPDX-License-Identifier: Apache-2.0 */
/* Sets a variable for a library that can be configured only by the environment, in a process of
 * many threads. setenv() cannot be used: it may free the list that getenv() of another thread is
 * reading, and a Java virtual machine always has other threads. Here the list is copied, with
 * one more entry, and one store replaces the list by the copy; later entries go into its free
 * places. A thread that reads either list finds it complete: neither is ever freed, nor changed
 * except at its end, by one store.
 * Therefore getenv() is safe in any thread at any time; setenv() by others is as unsafe as
 * before. */
#ifndef HY_BASE_ENVIRONMENT_H
#define HY_BASE_ENVIRONMENT_H

#include <stdbool.h>

/* `entry` is "NAME=value" in static storage; NAME is not in the environment. False: no memory,
 * or other threads change the environment all the time. */
bool hy_environment_lend(const char *entry);

/* Removes the entry, the last one that was lent. It stays if somebody has called setenv() since,
 * which made a new list. */
void hy_environment_take_back(const char *entry);

#endif
