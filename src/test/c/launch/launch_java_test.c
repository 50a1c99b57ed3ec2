/* SPDX-License-Identifier: Apache-2.0 */
/* A directory of the form of a JDK, whose `java` prints its arguments. */
#include "launch_fixture.h"

#define ALLOWED "--enable-native-access=ALL-UNNAMED"
#define JDK(version) \
    "d=$(mktemp -d); mkdir $d/bin; printf 'IMPLEMENTOR=\"X\"\\nJAVA_VERSION=\"" version \
    "\"\\n' > $d/release; printf '#!/bin/sh\\necho \"$@\"\\n' > $d/bin/java; chmod +x $d/bin/java; "

static void assert_prints(const char *command, const char *expected)
{
    launched *job = run_to(0, command);
    assert_string_equal(job->out, expected);
    assert_string_equal(job->err, "");
}

TEST(should_allow_native_code_from_24_on)
{
    assert_prints(JDK("25.0.3") "$RUN -n 1 $d/bin/java -cp x Main; rm -r $d",
                  ALLOWED " -cp x Main\n");
    assert_prints(JDK("24") "PATH=$d/bin:$PATH $RUN -n 1 -- java -jar x.jar; rm -r $d",
                  ALLOWED " -jar x.jar\n");
    assert_prints(JDK("26-ea") "ln -s $d/bin/java $d/java; $RUN -n 1 $d/java; rm -r $d",
                  ALLOWED "\n");
}

TEST(should_leave_other_commands_alone)
{
    assert_prints(JDK("23.0.1") "$RUN -n 1 $d/bin/java Main; rm -r $d", "Main\n");
    assert_prints(JDK("25") "rm $d/release; $RUN -n 1 $d/bin/java Main; rm -r $d", "Main\n");
    assert_prints(JDK("25") "mv $d/bin/java $d/bin/other; $RUN -n 1 $d/bin/other Main; rm -r $d",
                  "Main\n");
}

TEST(should_leave_what_was_decided)
{
    assert_prints(JDK("25") "$RUN -n 1 $d/bin/java --enable-native-access=mine Main; rm -r $d",
                  "--enable-native-access=mine Main\n");
    assert_prints(JDK("25") "$RUN -n 1 $d/bin/java --illegal-native-access=deny Main; rm -r $d",
                  "--illegal-native-access=deny Main\n");
}

/* Archives that were written with another value of the option cannot be used. */
TEST(should_leave_commands_that_use_an_archive_of_classes)
{
    static const char *const options[] = {
        "-XX:AOTCache=a.aot",          "-XX:AOTMode=record", "-XX:AOTCacheOutput=a.aot",
        "-XX:SharedArchiveFile=a.jsa", "-Xshare:dump",       "-XX:ArchiveClassesAtExit=a.jsa"};
    char command[512], expected[100];
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        snprintf(command, sizeof command, JDK("25") "$RUN -n 1 $d/bin/java %s Main; rm -r $d",
                 options[i]);
        snprintf(expected, sizeof expected, "%s Main\n", options[i]);
        assert_prints(command, expected);
    }
    assert_prints(JDK("25") "$RUN -n 1 $d/bin/java -Xshare:auto Main; rm -r $d",
                  ALLOWED " -Xshare:auto Main\n");
}

TEST(should_find_the_options_where_the_virtual_machine_does)
{
    static const char *const variables[] = {"JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS",
                                            "_JAVA_OPTIONS"};
    char command[512];
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        snprintf(command, sizeof command,
                 JDK("25") "%s='-ea -XX:AOTCache=a' $RUN -n 1 $d/bin/java Main; rm -r $d",
                 variables[i]);
        assert_prints(command, "Main\n");
    }
    assert_prints(JDK("25") "$RUN -n 1 -x JDK_JAVA_OPTIONS=-XX:AOTCache=a $d/bin/java Main; "
                            "rm -r $d",
                  "Main\n");
    assert_prints(
        JDK("25") "cd $d; printf -- '-ea\n-XX:AOTCache=a\n' >f; $RUN -n 1 bin/java @f Main;"
                  "$RUN -n 1 bin/java -XX:VMOptionsFile=f Main; echo -ea >f; "
                  "$RUN -n 1 bin/java @f Main; rm -r $d",
        "@f Main\n-XX:VMOptionsFile=f Main\n" ALLOWED " @f Main\n");
}

/* Not even opened for long: the program may wait for what comes out of it. */
TEST(should_leave_pipes_to_the_program)
{
    assert_prints(JDK("25") "cd $d; mkfifo p; timeout 20 $RUN -n 1 bin/java Main @p; rm -r $d",
                  ALLOWED " Main @p\n");
    assert_prints(JDK("25") "cd $d; mkfifo p; timeout 20 $RUN -n 1 bin/java -XX:VMOptionsFile=p "
                            "Main; rm -r $d",
                  ALLOWED " -XX:VMOptionsFile=p Main\n");
}

LAUNCH_TEST_MAIN()
