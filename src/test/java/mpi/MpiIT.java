// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hayate.PvasTasks;
import io.hayate.conformance.FaultNetwork;
import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs of the package mpi on one and several ranks, under -Xcheck:jni. */
class MpiIT {
    @ParameterizedTest
    @CsvSource({"1, adaptive, auto", "2, adaptive, auto", "4, block, pipeline", "3, block, cma"})
    void should_pass_messages_as_mpi_requires(int ranks, String wait, String way)
            throws Exception {
        Launch.of(MessagesProgram.class).ranks(ranks).environment("HAYATE_WAIT", wait)
                .environment("HAYATE_RENDEZVOUS", way).run().good();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void should_make_communicators_as_mpi_requires(int ranks) throws Exception {
        Launch.of(CommunicatorsProgram.class).ranks(ranks).run().good();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void should_compute_all_collectives_as_mpi_requires(int ranks) throws Exception {
        Launch.of(CollectivesProgram.class).ranks(ranks).jvm("-ea").run().good();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void should_read_and_write_files_as_mpi_requires(int ranks, @TempDir Path folder)
            throws Exception {
        Launch.of(FileProgram.class, folder.toString()).ranks(ranks).run().good();
        Launch.of(FileFailuresProgram.class, folder.toString()).ranks(ranks).run().good();
    }

    /** The texts of the C library are German there. */
    @Test
    void should_find_error_classes_in_any_language(@TempDir Path folder) throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/share/locale/de/LC_MESSAGES/libc.mo"))
                && Files.exists(Path.of("/usr/share/i18n/locales/de_DE")));
        new ProcessBuilder("localedef", "-i", "de_DE", "-f", "UTF-8",
                folder.resolve("de_DE.UTF-8").toString()).inheritIO().start().waitFor();
        Launch.of(FileFailuresProgram.class, folder.toString()).ranks(2)
                .environment("LOCPATH", folder.toString()).environment("LC_ALL", "de_DE.UTF-8")
                .run().good();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void should_do_random_calls_of_files(int seed, @TempDir Path folder) throws Exception {
        Launch.of(FileRandomProgram.class, folder.toString(), "" + seed, "2000")
                .ranks(1 + seed % 3).run().good();
    }

    @Test
    void should_read_and_write_files_in_tasks(@TempDir Path folder) throws Exception {
        PvasTasks.create().close();
        Launch.of(FileProgram.class, folder.toString()).ranks(2).options("--pvas").run().good();
    }

    @Test
    void should_keep_buffers_that_only_a_collective_refers_to() throws Exception {
        Launch.of(ForgottenBuffers.class).ranks(2).run().good();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void should_let_hayate_work_beside_mpi(int ranks) throws Exception {
        Launch.of(BesideProgram.class).ranks(ranks).run().good();
    }

    /** Init joins the job, and does not take one that the program has. */
    @Test
    void should_say_who_joins_the_job() throws Exception {
        Launch.of(JobBeforeInit.class).ranks(2).run().good();
    }

    /** They would share all static fields. */
    @Test
    void should_refuse_ranks_that_are_threads() throws Exception {
        Launch.of(RankThreads.class).ranks(0).run().good();
    }

    @ParameterizedTest
    @CsvSource({"1, plain, adaptive", "2, plain, adaptive", "3, copied, adaptive",
        "4, plain, block"})
    void should_access_windows_as_mpi_requires(int ranks, String memory, String wait)
            throws Exception {
        Launch.of(WindowProgram.class, memory).ranks(ranks).environment("HAYATE_WAIT", wait)
                .run().good();
    }

    /** All ranks on different nodes; and two nodes, with some ranks near and some far. */
    @ParameterizedTest
    @CsvSource({"2, plain, 'seed=5,delay=20'", "3, copied, 'seed=6,delay=20,nodes=2'"})
    void should_access_windows_over_a_network(int ranks, String memory, String plan)
            throws Exception {
        FaultNetwork.link();
        FaultNetwork.on(Launch.of(WindowProgram.class, memory).ranks(ranks), plan).run().good();
    }

    /** The full heap: of the sender, which needs a stage, or of the receiver of an array. */
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 1", "1, 0", "1, 1"})
    void should_let_long_messages_wait_for_memory(String full, String way) throws Exception {
        FaultNetwork.link();
        FaultNetwork.on(Launch.of(FullHeapProgram.class, full, way).ranks(2), "seed=1,delay=20")
                .limit(Duration.ofSeconds(20)).run().good();
    }

    @Test
    void should_access_windows_between_tasks() throws Exception {
        PvasTasks.create().close();
        Launch.of(WindowProgram.class, "copied").ranks(2).options("--pvas").run().good();
    }

    @Test
    void should_pass_messages_between_tasks() throws Exception {
        PvasTasks.create().close();
        Launch.of(MessagesProgram.class).ranks(2).options("--pvas").run().good();
    }

    /** They have one carrier: see {@link Launch}. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @EnabledForJreRange(min = JRE.JAVA_21)
    void should_let_virtual_threads_wait_for_each_other(int ranks) throws Exception {
        Launch.of(VirtualProgram.class).ranks(ranks).run().good();
    }

    @ParameterizedTest
    @ValueSource(strings = {"recv", "any", "long send", "sSend", "sends", "wait", "waitAll",
        "waitAny", "probe", "objects", "barrier", "file", "win lock", "win lock shared",
        "win lock all", "win start", "win wait", "win flush", "win fence"})
    void should_tell_of_a_death_in_each_blocking_call(String call) throws Exception {
        Outcome outcome = Launch.of(VictimProgram.class, call).ranks(3).run();
        List<Long> told = outcome.out().stream().filter(line -> line.startsWith("TOLD "))
                .map(line -> Long.valueOf(line.split(" ")[2])).toList();
        assertEquals(2, told.size(), outcome::describe);
        System.out.println(call + ": told after " + told + " ms");
        assertEquals(List.of(), outcome.faults(), outcome::describe);
    }
}
