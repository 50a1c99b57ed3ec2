/* SPDX-License-Identifier: Apache-2.0 */
/* Callers that were compiled with integers of 64 bits: their matrices and maps would be misread. */
#ifndef HY_NETLIB_INTEGERS_H
#define HY_NETLIB_INTEGERS_H

#include "netlib/report.h"

/* Ends the job, with a message, if the process has a libscalapack with integers of 64 bits. Costs
 * next to nothing once a libscalapack was found to be a right one. */
void hy_netlib_check_integers(hy_routine routine);

/* Ends the job if the m x n map has the form of integers of 64 bits and cannot be one of 32 bits.
 * map NULL: nothing happens. */
void hy_netlib_check_map(hy_routine routine, const int *map, int ldm, int m, int n);

#endif
