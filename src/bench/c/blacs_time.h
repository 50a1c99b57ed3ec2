/* SPDX-License-Identifier: Apache-2.0 */
/* The share of communication in a program: the BLACS that ScaLAPACK calls with integers and
 * doubles, timed on their way to the library. */
#ifndef BLACS_TIME_H
#define BLACS_TIME_H

/* Spent in these calls by this process, up to now. */
double blacs_seconds(void);

/* Their number. */
long blacs_calls(void);

#endif
