/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/test.h"
#include "base/status.h"
#include "explain/step_text.h"
#include "sched/builder.h"

TEST(should_say_each_step_in_words)
{
    hy_schedule s = {.shape = {.rank = 2, .size = 4, .unit = 8}, .limit = UINT64_MAX};
    hy_emit_signal(&s, 1);
    hy_emit_wait(&s, 1);
    hy_emit_expose(&s, 3, HY_OUT);
    hy_emit_learn(&s, 3, HY_TMP);
    hy_emit_send(&s, 0, HY_AT(HY_OUT, 8), 16);
    hy_emit_recv(&s, 0, HY_AT(HY_TMP, 0), 16);
    hy_emit_fold(&s, 0, HY_AT(HY_OUT, 24), 8);
    hy_emit_put(&s, 1, HY_AT(HY_OUT, 0), HY_AT(HY_TMP, 32), 64);
    hy_emit_get(&s, 0, HY_AT(HY_OUT, 0), HY_AT(HY_OUT, 4096), 4096);
    hy_emit_copy(&s, HY_AT(HY_IN, 8), HY_AT(HY_OUT, 0), 8);
    hy_emit_reduce(&s, 3, HY_AT(HY_OUT, 16), HY_AT(HY_TMP, 0), 8);
    hy_emit_expose(&s, 1, HY_BOX);
    hy_emit_learn(&s, 1, HY_IN);
    hy_emit_get(&s, 1, HY_AT(HY_BOX, 8), HY_AT(HY_OUT, 0), 24);
    const char *const expected[] = {
        "SIGNAL rank 1",
        "WAIT rank 1",
        "SIGNAL rank 3: may use OUT",
        "WAIT rank 3: its TMP may be used",
        "SIGNAL rank 0 with 16 B from OUT+8",
        "WAIT rank 0 with 16 B to TMP+0",
        "WAIT rank 0 with 8 B reduced into OUT+24",
        "PUT 64 B from OUT+0 to rank 1 TMP+32",
        "GET 4096 B from rank 0 OUT+0 to OUT+4096",
        "COPY 8 B from IN+8 to OUT+0",
        "REDUCE 8 B from rank 3 OUT+16 into TMP+0",
        "SIGNAL rank 1: may use BOX",
        "WAIT rank 1: its IN may be used",
        "GET 24 B from rank 1 BOX+8 to OUT+0",
    };
    assert_int_equal(s.count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < s.count; i++) {
        char text[160];
        assert_int_equal(hy_step_text(&s.steps[i], text, sizeof text), strlen(expected[i]));
        assert_string_equal(text, expected[i]);
    }
    hy_schedule_release(&s);
}

TEST(should_cut_text_like_snprintf)
{
    const hy_step step = {.kind = HY_STEP_SIGNAL, .peer = 12};
    char text[8];
    assert_int_equal(hy_step_text(&step, text, sizeof text), strlen("SIGNAL rank 12"));
    assert_string_equal(text, "SIGNAL ");
    assert_int_equal(hy_step_text(&step, NULL, 0), strlen("SIGNAL rank 12"));
}

TEST(should_survive_a_damaged_step)
{
    const hy_step step = {.kind = 200, .flags = 255, .local = 9, .remote = 9};
    const hy_step get = {.kind = HY_STEP_GET, .local = 9, .remote = 200, .len = UINT64_MAX};
    char text[160];
    hy_step_text(&step, text, sizeof text);
    assert_string_equal(text, "unknown step 200");
    hy_step_text(&get, text, sizeof text);
    assert_non_null(strstr(text, "?+0"));
}

int main(void)
{
    return tests_run();
}
