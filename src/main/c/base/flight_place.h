/* SPDX-License-Identifier: Apache-2.0 */
/* Where the flight recorders of a job are: what HAYATE_FLIGHT says. */
#ifndef HY_BASE_FLIGHT_PLACE_H
#define HY_BASE_FLIGHT_PLACE_H

#include <stddef.h>

/* Of a directory, with its terminating zero; the names of the files in it are added to this. */
#define HY_FLIGHT_PATH 3900

/* How the names of the files end, and how those of the directories of `hayate run` begin. */
#define HY_FLIGHT_SUFFIX ".flight"
#define HY_FLIGHT_DIRECTORY "hayate-flight-"

/* The directory; "" if the flight recorder is off. ARGUMENT: the variable is neither off, nor on,
 * nor an absolute path. */
int hy_flight_place(char directory[HY_FLIGHT_PATH]);

#endif
