/* SPDX-License-Identifier: Apache-2.0 */
/* A directory with an empty one for the jars, and a `java` that prints its arguments. */
#include "launch_fixture.h"

#define JAVA \
    "d=$(mktemp -d); cd $d; mkdir p; printf '#!/bin/sh\\necho \"$@\"\\n' > java; chmod +x java; "
#define MODULES "--upgrade-module-path=p --add-modules=io.hayate.mpi"
#define DROP "-Dhayate.mpj.arguments=true"

static void prints(const char *command, const char *expected)
{
    launched *job = run_to(0, command);
    assert_string_equal(job->out, expected);
    assert_string_equal(job->err, "");
}

static void refuses(const char *command, const char *reason)
{
    launched *job = run_to(2, command);
    assert_says(job->err, "%s", reason);
    assert_string_equal(job->out, "");
}

/* Where the classes of the program come from makes no difference. */
TEST(should_add_the_modules_of_mpi_to_java)
{
    prints(JAVA "$RUN -n 1 --mpi --mpi-path p ./java -cp x Main -cp y; rm -r $d",
           MODULES " -cp x Main -cp y\n");
    prints(JAVA "$RUN -n 1 --mpi --mpi-path=p -- ./java -jar x.jar --mpi; rm -r $d",
           MODULES " -jar x.jar --mpi\n");
    prints(JAVA "PATH=.:$PATH $RUN -n 2 --mpi --mpi-path p java Main; rm -r $d",
           MODULES " Main\n" MODULES " Main\n");
    prints(JAVA "$RUN -n 1 --mpi-path p ./java Main; rm -r $d", "Main\n");
}

TEST(should_allow_the_module_to_use_native_code)
{
    prints(JAVA "mkdir bin; mv java bin; echo 'JAVA_VERSION=\"25\"' > release; "
                "$RUN -n 1 --mpi --mpi-path p bin/java Main; rm -r $d",
           "--enable-native-access=ALL-UNNAMED,io.hayate " MODULES " Main\n");
}

/* The JVM adds up the values of such options; others decide about all native code. */
TEST(should_allow_the_module_besides_those_of_the_user)
{
#define JDK25 JAVA "mkdir bin; mv java bin; echo 'JAVA_VERSION=\"25\"' > release; "
    prints(JDK25 "$RUN -n 1 --mpi --mpi-path p bin/java --enable-native-access=mine Main; rm -r $d",
           "--enable-native-access=io.hayate " MODULES " --enable-native-access=mine Main\n");
    prints(JDK25 "JDK_JAVA_OPTIONS=--enable-native-access=mine $RUN -n 1 --mpi --mpi-path p "
                 "bin/java Main; rm -r $d",
           "--enable-native-access=io.hayate " MODULES " Main\n");
    prints(JDK25 "$RUN -n 1 --mpi --mpi-path p bin/java --illegal-native-access=deny Main; "
                 "rm -r $d",
           MODULES " --illegal-native-access=deny Main\n");
}

TEST(should_refuse_programs_that_are_not_java)
{
    refuses("exec $RUN -n 1 --mpi sh -c 'java Main'",
            "--mpi: COMMAND is 'sh', and not java: write the command that starts java, with its "
            "options; or put hayate-mpi.jar on its class path, and omit --mpi");
    refuses("exec $RUN -n 1 --mpj-arguments true", "--mpj-arguments: COMMAND is 'true'");
}

/* The launcher of these tests lies alone. */
TEST(should_say_where_the_jars_of_mpi_must_lie)
{
    refuses("exec $RUN -n 1 --mpi java Main",
            "/mpi: No such file or directory; expected hayate-mpi.jar and the jar of the command "
            "line, or a directory with both, here or in --mpi-path");
    refuses(JAVA "exec $RUN -n 1 --mpi --mpi-path p:q/x.jar ./java Main",
            "--mpi: q/x.jar: No such file or directory");
    refuses("exec $RUN -n 1 --mpi --mpi-path", "--mpi-path needs a value");
    refuses("exec $RUN -n 1 --mpi=x java Main", "unknown option --mpi=x");
}

/* Whatever the options of java before the main class are. */
TEST(should_begin_the_arguments_as_mpj_express_does)
{
    static const char *const commands[] = {
        "-cp x Main",        "--class-path x -ea Main", "-jar x.jar",
        "-m some/some.Main", "--module=some/some.Main", "-p x --add-modules y -Dz=1 Main",
        "-classpath -x Main"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char command[512], expected[256];
        snprintf(command, sizeof command, JAVA "$RUN -n 1 --mpj-arguments ./java %s a -b; rm -r $d",
                 commands[i]);
        snprintf(expected, sizeof expected, DROP " %s 0 1 hayate a -b\n", commands[i]);
        prints(command, expected);
    }
}

TEST(should_pass_each_rank_its_number)
{
    prints(JAVA "$RUN -n 3 --mpj-arguments --mpi --mpi-path p ./java Main | sort; rm -r $d",
           MODULES " " DROP " Main 0 3 hayate\n" MODULES " " DROP " Main 1 3 hayate\n" MODULES
                   " " DROP " Main 2 3 hayate\n");
}

TEST(should_refuse_to_add_arguments_where_the_program_cannot_be_seen)
{
    static const char *const commands[] = {"@options", "-version", "-cp x", "-jar", "-cp x @more"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char command[512];
        snprintf(command, sizeof command, JAVA "exec $RUN -n 1 --mpj-arguments ./java %s",
                 commands[i]);
        refuses(command, "--mpj-arguments: COMMAND must name the main class");
    }
}

LAUNCH_TEST_MAIN()
