/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of the form of a JDK, whose `java` prints its arguments. */
#include "launch_fixture.h"

#define ALLOWED "--enable-native-access=ALL-UNNAMED"
#define JDK(version) \
    "d=$(mktemp -d); mkdir $d/bin; printf 'IMPLEMENTOR=\"X\"\\nJAVA_VERSION=\"" version \
    "\"\\n' > $d/release; printf '#!/bin/sh\\necho \"$@\"\\n' > $d/bin/java; chmod +x $d/bin/java; "

static void assert_prints(const char *command, const char *expected)
{
    launched *job = run(command);
    assert_int_equal(job->status, 0);
    assert_string_equal(job->out, expected);
    assert_string_equal(job->err, "");
    done(job);
}

static void should_allow_native_code_from_24_on(void **state)
{
    (void)state;
    assert_prints(JDK("25.0.3") "$RUN -n 1 $d/bin/java -cp x Main; rm -r $d",
                  ALLOWED " -cp x Main\n");
    assert_prints(JDK("24") "PATH=$d/bin:$PATH $RUN -n 1 -- java -jar x.jar; rm -r $d",
                  ALLOWED " -jar x.jar\n");
    assert_prints(JDK("26-ea") "ln -s $d/bin/java $d/java; $RUN -n 1 $d/java; rm -r $d",
                  ALLOWED "\n");
}

static void should_leave_other_commands_alone(void **state)
{
    (void)state;
    assert_prints(JDK("23.0.1") "$RUN -n 1 $d/bin/java Main; rm -r $d", "Main\n");
    assert_prints(JDK("25") "rm $d/release; $RUN -n 1 $d/bin/java Main; rm -r $d", "Main\n");
    assert_prints(JDK("25") "mv $d/bin/java $d/bin/other; $RUN -n 1 $d/bin/other Main; rm -r $d",
                  "Main\n");
}

static void should_leave_what_was_decided(void **state)
{
    (void)state;
    assert_prints(JDK("25") "$RUN -n 1 $d/bin/java --enable-native-access=mine Main; rm -r $d",
                  "--enable-native-access=mine Main\n");
    assert_prints(JDK("25") "$RUN -n 1 $d/bin/java --illegal-native-access=deny Main; rm -r $d",
                  "--illegal-native-access=deny Main\n");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(should_allow_native_code_from_24_on),
    cmocka_unit_test(should_leave_other_commands_alone),
    cmocka_unit_test(should_leave_what_was_decided),
};

LAUNCH_TEST_MAIN(tests)
