/* SPDX-License-Identifier: Apache-2.0 */
/* A network whose library takes the signal handlers of the process. */
#include "base/test.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "base/handlers.h"
#include "base/library_fixture.h"
#include "base/status.h"
#include "net/net.h"

static const int taken[] = {SIGTERM, SIGSEGV, SIGBUS};

enum { TAKEN = sizeof taken / sizeof *taken };

static void own(int number)
{
    (void)number;
}

static void must_have_own_handlers(void)
{
    for (int i = 0; i < TAKEN; i++) {
        struct sigaction now;
        assert_int_equal(sigaction(taken[i], NULL, &now), 0);
        assert_ptr_equal(now.sa_handler, own);
    }
}

TEST(should_leave_the_handlers_and_the_environment_of_the_program)
{
    library_folder folder;
    char library[PATH_MAX];
    snprintf(library, sizeof library, "%s/net/verbs/taking.so", getenv("HAYATE_TEST_BIN"));
    assert_true(library_folder_make(&folder, "libibverbs.so.1", library));
    for (int i = 0; i < TAKEN; i++) signal(taken[i], own);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(hy_net_verbs.row->probe(), HAYATE_ERR_UNSUPPORTED);
        must_have_own_handlers();
    }
    hy_net *net;
    assert_int_not_equal(hy_net_verbs.open(&(hy_net_attr){.ranks = 1}, &net), HAYATE_OK);
    must_have_own_handlers();
    assert_null(getenv("UCX_ERROR_SIGNALS"));
    assert_null(getenv("IPATH_NO_BACKTRACE"));
    library_folder_remove(&folder);
}

/* The user may want the backtraces of a library. */
TEST(should_not_lend_what_the_user_has_set)
{
    setenv("UCX_ERROR_SIGNALS", "SEGV", 1);
    hy_handlers_keep();
    assert_string_equal(getenv("UCX_ERROR_SIGNALS"), "SEGV");
    assert_string_equal(getenv("HFI_NO_BACKTRACE"), "1");
    hy_handlers_put_back();
    assert_string_equal(getenv("UCX_ERROR_SIGNALS"), "SEGV");
    assert_null(getenv("HFI_NO_BACKTRACE"));
    unsetenv("UCX_ERROR_SIGNALS");
}

/* The first of two that overlap remembers, both put back, the last takes back the variables. */
TEST(should_keep_them_while_two_overlap)
{
    for (int i = 0; i < TAKEN; i++) signal(taken[i], own);
    hy_handlers_keep();
    signal(SIGSEGV, SIG_IGN);
    hy_handlers_keep();
    hy_handlers_put_back();
    must_have_own_handlers();
    assert_non_null(getenv("IPATH_NO_BACKTRACE"));
    signal(SIGSEGV, SIG_DFL);
    hy_handlers_put_back();
    must_have_own_handlers();
    assert_null(getenv("IPATH_NO_BACKTRACE"));
}

int main(void)
{
    return tests_run();
}
