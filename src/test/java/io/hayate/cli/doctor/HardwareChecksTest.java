// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.cli.doctor.Finding.Level;
import io.hayate.cli.machine.Cpus;
import io.hayate.cli.machine.Machine;
import io.hayate.cli.machine.TreeMachine;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HardwareChecksTest {
    @TempDir
    private Path root;

    @Test
    void should_warn_of_a_quota_below_the_cpus() {
        Machine machine = new TreeMachine(root).with("/proc/self/cgroup", "0::/\n")
                .with("/sys/fs/cgroup/cpu.max", "150000 100000\n").machine();
        Finding finding = new HardwareChecks(machine).cpus(2);
        assertEquals(Level.WARN, finding.level());
        assertTrue(finding.found().contains("1.50"), finding.found());
        assertEquals(Level.WARN, new HardwareChecks(machine).cpus(1).level());
    }

    @Test
    void should_find_the_tightest_quota_of_all_groups_around() {
        Machine machine = new TreeMachine(root).with("/proc/self/cgroup", "0::/user/job\n")
                .with("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n")
                .with("/sys/fs/cgroup/user/cpu.max", "50000 100000\n")
                .with("/sys/fs/cgroup/cpu.max", "400000 100000\n").machine();
        assertEquals(0.5, new Cpus(machine).quota().orElseThrow());
    }

    @Test
    void should_read_a_quota_of_version_one() {
        Machine machine = new TreeMachine(root).with("/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
                "300000\n")
                .with("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n").machine();
        assertEquals(3.0, new Cpus(machine).quota().orElseThrow());
        assertEquals(Level.OK, new HardwareChecks(machine).cpus(2).level());
    }

    @Test
    void should_add_the_times_that_cpus_were_busy() {
        assertEquals(0, new Cpus(new Machine(root)).busySeconds());
        Machine busy = new TreeMachine(root).with("/proc/stat",
                "cpu  100 20 50 1000 30 5 6 70 9 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n").machine();
        assertEquals(2.51, new Cpus(busy).busySeconds(), 1e-9);
    }

    @Test
    void should_see_no_quota_where_there_is_none() {
        assertTrue(new Cpus(new Machine(root)).quota().isEmpty());
        Machine off = new TreeMachine(root).with("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n")
                .with("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n").machine();
        assertTrue(new Cpus(off).quota().isEmpty());
    }

    @Test
    void should_count_the_allowed_cpus() {
        Machine machine = new TreeMachine(root)
                .with("/proc/self/status", "Cpus_allowed_list:\t0-3,8,10-11\n").machine();
        assertEquals(7, new HardwareChecks(machine).allowed());
    }

    @Test
    void should_count_cores_without_hwloc() {
        TreeMachine tree = new TreeMachine(root).with("/sys/devices/system/node/node0/cpulist",
                "0-3\n");
        for (int cpu = 0; cpu < 4; cpu++) {
            String topology = "/sys/devices/system/cpu/cpu" + cpu + "/topology/";
            tree.with(topology + "core_id", cpu / 2 + "\n").with(topology + "physical_package_id",
                    "0\n");
        }
        assertEquals("1 Package, 2 Core, 4 PU, 1 NUMANode", new Cpus(tree.machine()).fromSys());
    }
}
