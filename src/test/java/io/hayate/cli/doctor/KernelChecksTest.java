// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.doctor.Finding.Level;
import io.hayate.cli.machine.TreeMachine;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KernelChecksTest {
    private static final String LIMITS = "/proc/self/limits";
    private static final String SHMEM = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";

    @TempDir
    private Path root;

    private KernelChecks with(String... files) {
        TreeMachine tree = new TreeMachine(root);
        for (int i = 0; i < files.length; i += 2) {
            tree.with(files[i], files[i + 1]);
        }
        return new KernelChecks(tree.machine());
    }

    @Test
    void should_call_a_file_size_limit_below_the_memory_a_problem() {
        String memory = "MemTotal:        1048576 kB\n";
        Finding low = with("/proc/meminfo", memory, LIMITS,
                "Max file size    1048576    unlimited    bytes\n").fileSize();
        assertEquals(Level.PROBLEM, low.level());
        assertTrue(low.advice().contains("ulimit -f"));
        Finding high = with("/proc/meminfo", memory, LIMITS,
                "Max file size    9999999999999    unlimited    bytes\n").fileSize();
        assertEquals(Level.OK, high.level());
        Finding none = with(LIMITS, "Max file size    unlimited    unlimited    bytes\n")
                .fileSize();
        assertEquals(Level.OK, none.level());
    }

    @Test
    void should_want_locked_memory_only_for_a_network_adapter() {
        String limits = "Max locked memory    8388608    8388608    bytes\n";
        assertEquals(Level.OK, with(LIMITS, limits).memlock().level());
        Finding found = with(LIMITS, limits, "/dev/infiniband/uverbs0", "").memlock();
        assertEquals(Level.WARN, found.level());
        assertTrue(found.found().contains("8.0 MiB"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0000000000000000, OK", "1, 0000000000000000, OK", "2, 0000000000000000, WARN",
        "2, 0000000000080000, OK", "3, 000001ffffffffff, WARN"})
    void should_know_what_yama_permits(int mode, String capabilities, Level level) {
        KernelChecks checks = with("/proc/sys/kernel/yama/ptrace_scope", mode + "\n",
                "/proc/self/status", "Name:\tjava\nCapEff:\t" + capabilities + "\n");
        assertEquals(level, checks.ptrace().level());
    }

    @Test
    void should_give_the_reason_why_cma_cannot_be_used() {
        Finding finding = with().cma("process_vm_readv: not permitted");
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.found().contains("not permitted"));
        assertTrue(finding.advice().contains("SYS_PTRACE"));
        assertEquals(Level.OK, with().cma(null).level());
    }

    @Test
    void should_miss_the_module_only_where_it_is() {
        assertEquals(Level.OK, with().module("it is not there").level());
        assertEquals(Level.OK, with().module(null).level());
        assertTrue(with().module(null).found().contains("attach"));
        Finding refused = with("/dev/hayate", "").module("may not be opened");
        assertEquals(Level.WARN, refused.level());
        assertTrue(refused.found().contains("may not be opened"));
    }

    @Test
    void should_be_content_with_huge_pages_of_either_kind() {
        assertEquals(Level.WARN, with(SHMEM, "always within_size advise [never] deny force\n")
                .hugePages().level());
        assertEquals(Level.WARN, with(SHMEM, "always within_size [advise] never deny force\n")
                .hugePages().level());
        assertEquals(Level.OK, with(SHMEM, "always [within_size] advise never deny force\n")
                .hugePages().level());
        assertEquals(Level.OK, with(SHMEM, "always within_size advise [never] deny force\n",
                "/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages",
                "16\n").hugePages().level());
    }

    @Test
    void should_not_need_dev_shm() {
        assertEquals(Level.OK, with().sharedMemory().level());
        assertTrue(with().sharedMemory().found().startsWith("not mounted"));
        KernelChecks small = with("/proc/self/mounts", "tmpfs /dev/shm tmpfs rw,size=65536k 0 0\n");
        assertTrue(small.sharedMemory().found().contains("size=65536k"));
    }

    @Test
    void should_advise_whenever_it_warns() {
        for (Finding finding : with().all("no reason", "none either")) {
            assertFalse(finding.level() != Level.OK && finding.advice().isEmpty(), finding.check());
        }
    }
}
