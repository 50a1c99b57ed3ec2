/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chance that can be repeated. The seed is the option --seed N, HAYATE_SEED, or the clock, and is
 * printed. HAYATE_ROUNDS is the part of the usual rounds in percent.
 */
#ifndef HY_DICE_H
#define HY_DICE_H

#include <stdint.h>
#include <time.h>

#include "test.h"

static uint64_t state;
static const char *seed_of_option;

static inline uint64_t seed(void)
{
	const char *text = seed_of_option ? seed_of_option : getenv("HAYATE_SEED");

	state = text ? strtoull(text, NULL, 0) : (uint64_t)time(NULL);
	fprintf(stderr, "# HAYATE_SEED=%llu\n", (unsigned long long)state);
	return state;
}

/* A sequence of its own for process or turn "which" of the same seed. */
static inline void seed_anew(uint64_t which)
{
	state = (state + which) * 0x9E3779B97F4A7C15ULL + 1;
}

static inline uint64_t dice(uint64_t sides)
{
	if (!state)
		state = 1; /* it would stay 0 */
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % sides;
}

static inline long rounds(long usual)
{
	const char *text = getenv("HAYATE_ROUNDS");

	return text ? 1 + usual * atol(text) / 100 : usual;
}

/* The number behind "--name", or "otherwise". */
static inline long option(int argc, char **argv, const char *name, long otherwise)
{
	for (int i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], name))
			return atol(argv[i + 1]);
	return otherwise;
}

static inline void check_options(int argc, char **argv, const char *names)
{
	for (int i = 1; i < argc; i += 2) {
		if (i + 1 < argc && strstr(names, argv[i]))
			continue;
		fprintf(stderr, "%s: unknown option %s, or no number behind it: %s\n", argv[0],
			argv[i], names);
		exit(2);
	}
	for (int i = 1; i + 1 < argc; i += 2)
		if (!strcmp(argv[i], "--seed"))
			seed_of_option = argv[i + 1];
}

#endif
