/* SPDX-License-Identifier: Apache-2.0 */
/* Compares all handlers with those of a moment before. Known libraries read their variable when
 * they are loaded, or at their first call. */
#include "base/handlers.h"

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"

/* UCX (libucs): an empty list of signals. libinfinipath and libpsm2, which the providers psm and
 * psm2 of libfabric bring: no backtraces. */
static const char *const variables[] = {"UCX_ERROR_SIGNALS=", "IPATH_NO_BACKTRACE=1",
                                        "HFI_NO_BACKTRACE=1"};

enum { VARIABLES = sizeof variables / sizeof *variables };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int depth; /* calls that are still to be followed by hy_handlers_put_back() */
static struct sigaction handlers[NSIG];
static bool known[NSIG], lent[VARIABLES];

/* What the user has set, is for the user to decide. */
static void lend(void)
{
    for (int i = 0; i < VARIABLES; i++) {
        char name[32] = "";
        memcpy(name, variables[i], strcspn(variables[i], "="));
        lent[i] = !getenv(name) && hy_environment_lend(variables[i]);
    }
}

void hy_handlers_keep(void)
{
    pthread_mutex_lock(&lock);
    if (depth++ == 0) {
        for (int i = 1; i < NSIG; i++) known[i] = sigaction(i, NULL, &handlers[i]) == 0;
        lend();
    }
    pthread_mutex_unlock(&lock);
}

static bool is_taken(int signal)
{
    struct sigaction now;
    return known[signal] && sigaction(signal, NULL, &now) == 0 &&
           (now.sa_sigaction != handlers[signal].sa_sigaction ||
            now.sa_flags != handlers[signal].sa_flags);
}

void hy_handlers_put_back(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 1; i < NSIG; i++)
        if (is_taken(i)) sigaction(i, &handlers[i], NULL);
    if (--depth == 0)
        for (int i = VARIABLES; i-- > 0;)
            if (lent[i]) hy_environment_take_back(variables[i]);
    pthread_mutex_unlock(&lock);
}
