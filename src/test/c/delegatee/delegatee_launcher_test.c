/* SPDX-License-Identifier: Apache-2.0 */
/* What a delegatee makes of the words of its launcher, which this test plays, honest or not. */
#include "base/test.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/status.h"
#include "delegatee/delegatee.h"

/* The delegatee's end has a message, or an end of file if it has none. */
static int hear(const void *message, size_t bytes, int *launcher)
{
    int pair[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
    if (bytes) assert_int_equal(send(pair[1], message, bytes, 0), bytes);
    else shutdown(pair[1], SHUT_WR);
    *launcher = pair[1];
    return pair[0];
}

static void end(int socket, int launcher)
{
    close(socket);
    close(launcher);
}

static void assert_join(const hy_order *order, size_t bytes, int code, const char *reason)
{
    int launcher, socket = hear(order, bytes, &launcher);
    hy_order taken;
    hy_hello hello;
    int rc = hy_delegatee_join(socket, &taken);
    if (rc != code || (rc && !strstr(hayate_error(), reason)))
        fail_msg("code %d: %s, expected %d: %s", rc, hayate_error(), code, reason);
    assert_int_equal(recv(launcher, &hello, sizeof hello, 0), sizeof hello);
    assert_int_equal(hello.magic, HY_HELLO_MAGIC);
    assert_int_equal(hello.abi, HY_ABI);
    if (!rc) assert_memory_equal(&taken, order, sizeof taken);
    end(socket, launcher);
}

TEST(should_say_hello_and_take_an_order)
{
    const hy_order good = {HY_ORDER_MAGIC, HY_MAX_PARTS, HY_HEAP_HIGH};
    assert_join(&good, sizeof good, HAYATE_OK, "");
}

TEST(should_refuse_an_order_that_makes_no_sense)
{
    const hy_order orders[] = {{HY_ORDER_MAGIC, 0, 0},
                               {HY_ORDER_MAGIC, HY_MAX_PARTS + 1, 0},
                               {HY_ORDER_MAGIC, 1, HY_HEAP_HIGH + 1}};
    const hy_order other = {HY_ORDER_MAGIC + 1, 1, 0};
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        assert_join(&orders[i], sizeof orders[i], HAYATE_ERR_LAUNCH, "an order for ");
    assert_join(&other, sizeof other, HAYATE_ERR_LAUNCH, "not from a launcher of this version");
    assert_join(&orders[0], 7, HAYATE_ERR_LAUNCH, "not from a launcher of this version");
    assert_join(NULL, 0, HAYATE_ERR_LAUNCH, "the launcher has ended");
}

static void assert_released(const void *word, size_t bytes, bool expected, int code)
{
    int launcher, found, socket = hear(word, bytes, &launcher);
    assert_int_equal(hy_delegatee_released(socket, &found), expected);
    if (!expected) assert_int_equal(found, code);
    end(socket, launcher);
}

TEST(should_leave_in_order_only_after_a_bye)
{
    const hy_word bye = {HY_BYE_MAGIC}, other = {HY_APART_MAGIC};
    const hy_failed failed = {HY_FAILED_MAGIC, 37}, none = {HY_FAILED_MAGIC, 0},
                    negative = {HY_FAILED_MAGIC, -3}, longer = {HY_BYE_MAGIC, 37};
    assert_released(&bye, sizeof bye, true, 0);
    assert_released(&failed, sizeof failed, false, 37);
    assert_released(&none, sizeof none, false, 1);
    assert_released(&negative, sizeof negative, false, 1);
    assert_released(&longer, sizeof longer, false, 1);
    assert_released(&other, sizeof other, false, 1);
    assert_released(NULL, 0, false, 1); /* the launcher has died */
}

/* The launcher hangs up at once: nothing is waited for. */
TEST(should_tell_why_it_cannot_serve)
{
    int launcher, socket = hear(NULL, 0, &launcher);
    hy_ready ready;
    char endless[1000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    hy_delegatee_refuse(socket, HAYATE_ERR_NO_MEMORY, endless);
    assert_int_equal(recv(launcher, &ready, sizeof ready, 0), sizeof ready);
    assert_int_equal(ready.magic, HY_READY_MAGIC);
    assert_int_equal(ready.status, HAYATE_ERR_NO_MEMORY);
    assert_int_equal(strlen(ready.reason), sizeof ready.reason - 1);
    end(socket, launcher);
}

int main(void)
{
    return tests_run();
}
