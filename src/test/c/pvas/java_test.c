/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* JVMs as tasks: the one of JAVA_HOME. */
#include "pvas/directory_fixture.h"

static char java[1000];
static const char *source;

static const char text[] =
    "import java.util.*;\n"
    "public class Work {\n"
    "    static volatile int depth;\n"
    "    static void dive() { depth++; dive(); }\n"
    "    public static void main(String[] words) throws Exception {\n"
    "        List<Thread> threads = new ArrayList<>();\n"
    "        long[] sums = new long[4];\n"
    "        for (int t = 0; t < 4; t++) {\n"
    "            int me = t;\n"
    "            threads.add(new Thread(() -> {\n"
    "                Map<Integer, byte[]> kept = new HashMap<>();\n"
    "                for (int i = 0; i < 200_000; i++) kept.put(i % 500, new byte[i % 2000]);\n"
    "                for (byte[] bytes : kept.values()) sums[me] += bytes.length;\n"
    "            }));\n"
    "        }\n"
    "        for (Thread thread : threads) thread.start();\n"
    "        for (Thread thread : threads) thread.join();\n"
    "        String caught = \"\";\n"
    "        try { dive(); } catch (StackOverflowError e) { caught += \"overflow\"; }\n"
    "        try { words[99].length(); } catch (ArrayIndexOutOfBoundsException e) { }\n"
    "        for (int i = 0; i < 20_000; i++) {\n"
    "            String none = i >= 0 ? null : \"\";\n"
    "            try { none.length(); } catch (NullPointerException e) { depth = i; }\n"
    "        }\n"
    "        Process child = new ProcessBuilder(\"/bin/sh\", \"-c\", \"exit 5\").start();\n"
    "        System.out.println(caught + \" \" + Arrays.stream(sums).sum() + \" \"\n"
    "            + child.waitFor() + \" \" + words[0]);\n"
    "        System.exit(17);\n"
    "    }\n"
    "}\n";

static void need_java(void)
{
    const char *home = getenv("JAVA_HOME");
    if (!home) skip_because("JAVA_HOME is not set");
    snprintf(java, sizeof java, "%s/bin/java", home);
    need_program(java);
}

/* Some JVMs at once, each of 64 MB; the source launcher also makes them compile it. */
static void run_jvms(const char *collector, int count)
{
    task *t[8];
    need_java();
    new_space((unsigned)count, 0);
    for (int i = 0; i < count; i++)
        t[i] = START(java, collector, "-Xmx64m", "-XX:TieredStopAtLevel=1", source, "word");
    for (int i = 0; i < count; i++) {
        assert_exit(t[i], 17);
        assert_says(t[i], "overflow ");
        assert_says(t[i], " 5 word\n");
    }
}

TEST(should_run_a_jvm_with_the_serial_collector)
{
    run_jvms("-XX:+UseSerialGC", 1);
}

TEST(should_run_a_jvm_with_g1)
{
    run_jvms("-XX:+UseG1GC", 1);
}

TEST(should_run_several_jvms_at_once)
{
    run_jvms("-XX:+UseSerialGC", 4);
}

TEST(should_kill_a_jvm_and_keep_its_neighbour)
{
    need_java();
    new_space(2, 0);
    task *killed = START(java, "-XX:+UseSerialGC", "-Xmx64m", source, "a");
    task *kept = START(java, "-XX:+UseSerialGC", "-Xmx64m", source, "b");
    poll(NULL, 0, 200); /* somewhere in its start; where is of no matter */
    assert_ok(pvas_kill(space, killed->number, SIGKILL));
    assert_killed(killed, SIGKILL);
    reclaim(killed);
    assert_exit(kept, 17);
}

static int make_source(void **state)
{
    int rc = make_directory(state);
    if (rc == 0) source = make_script("Work.java", text);
    return rc;
}

int main(void)
{
    return pvas_tests_run(make_source, remove_directory);
}
