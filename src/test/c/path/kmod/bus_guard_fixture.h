/* SPDX-License-Identifier: Apache-2.0 */
/* cmocka has a handler of SIGBUS of its own in every test, which hides the guard's. */
#ifndef HY_TEST_BUS_GUARD_FIXTURE_H
#define HY_TEST_BUS_GUARD_FIXTURE_H

#include <signal.h>
#include <stdbool.h>

#include "path/kmod/bus_guard.h"

/* In the test itself, not in its set-up. */
static inline void guard_before_cmocka(void)
{
    static struct sigaction guards;
    static bool known;
    if (!known) {
        assert_int_equal(hy_guard_install(), 0);
        assert_int_equal(sigaction(SIGBUS, NULL, &guards), 0);
        known = true;
    }
    assert_int_equal(sigaction(SIGBUS, &guards, NULL), 0);
}

#endif
