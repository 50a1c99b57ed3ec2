/* SPDX-License-Identifier: Apache-2.0 */
/* aarch64 */
/* slow */
/* tsan */
#include "base/test.h"

#include <pthread.h>

#include "base/busy.h"

static _Atomic uint32_t busy;

TEST(should_refuse_a_second_owner_and_any_visitor)
{
    assert_false(hy_busy_owned(&busy));
    assert_true(hy_busy_take(&busy));
    assert_true(hy_busy_owned(&busy));
    assert_false(hy_busy_take(&busy));
    assert_false(hy_busy_visit(&busy));
    assert_true(hy_busy_owned(&busy));
    hy_busy_leave(&busy);
    assert_true(hy_busy_visit(&busy));
    assert_false(hy_busy_visit(&busy));
    assert_false(hy_busy_owned(&busy));
    hy_busy_leave(&busy);
    assert_true(hy_busy_take(&busy));
    hy_busy_leave(&busy);
}

#ifdef __SANITIZE_THREAD__
#define ROUNDS 20000
#else
#define ROUNDS 300000
#endif

static uint64_t plain; /* of whoever has `busy` */
static _Atomic bool over;

static void *visit(void *visits)
{
    while (!hy_load_relaxed(&over)) {
        if (!hy_busy_visit(&busy)) continue;
        plain++;
        (*(uint64_t *)visits)++;
        hy_busy_leave(&busy);
    }
    return NULL;
}

/* And is alone: plain additions of two visitors and an owner are all counted. */
TEST(should_never_refuse_the_only_owner_because_of_visitors)
{
    pthread_t threads[2];
    uint64_t visits[2] = {0}, refused = 0;
    hy_store_relaxed(&over, false);
    plain = 0;
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, visit, &visits[i]), 0);
    for (int i = 0; i < ROUNDS; i++) {
        if (!hy_busy_take(&busy)) {
            refused++;
            continue;
        }
        plain++;
        hy_busy_leave(&busy);
    }
    hy_store_relaxed(&over, true);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert_int_equal(refused, 0);
    assert_int_equal(plain, ROUNDS + visits[0] + visits[1]);
}

int main(void)
{
    return tests_run();
}
