/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A variable for a library that takes a setting from the environment and no other way, in a process
 * of many threads. setenv() is no way to do that: it may free the list that getenv() of another
 * thread walks over, and a Java virtual machine always has other threads. Here the list is copied,
 * with one entry more, and the copy takes its place by one store. Who walks over either list finds
 * it whole: neither is ever freed, nor changed but by taking the last entry off. So getenv() of any
 * thread is safe at any time; setenv() of others was not safe before, and is not less so now.
 */
#ifndef HY_BASE_ENVIRONMENT_H
#define HY_BASE_ENVIRONMENT_H

#include <stdbool.h>

/* `entry` is "NAME=value", of static storage; NAME is not in the environment. False: no memory, or
 * others change the environment all the time. */
bool hy_environment_lend(const char *entry);

/* Takes it off again. Stays where somebody has called setenv() since: that made a list of its own.
 */
void hy_environment_take_back(const char *entry);

#endif
