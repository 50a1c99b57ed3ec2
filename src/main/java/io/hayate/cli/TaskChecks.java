// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.HayateException;
import io.hayate.Pvas;
import java.util.List;
import java.util.Optional;

/** Whether programs can be tasks of one address space here, and how many JVMs among them. */
final class TaskChecks {
    /** What a JVM with many threads takes; a small one takes 150. */
    private static final long MAPPINGS_OF_A_JVM = 400;
    private static final long PROBE_BYTES = 1L << 30;
    private static final String MAP_COUNT = "/proc/sys/vm/max_map_count";

    private final Machine machine;

    TaskChecks(Machine machine) {
        this.machine = machine;
    }

    /** cpus: one JVM on each may be wanted. */
    List<Finding> all(int cpus) {
        return List.of(tasks(probe()), mappings(cpus));
    }

    /** Why the smallest of spaces cannot be made. */
    private static Optional<String> probe() {
        try {
            Pvas.create(1, PROBE_BYTES).close();
            return Optional.empty();
        } catch (HayateException e) {
            return Optional.of(e.getMessage());
        }
    }

    Finding tasks(Optional<String> reason) {
        return reason.isEmpty()
                ? Finding.ok("tasks", "programs can be tasks of one address space (--pvas, Pvas)")
                : Finding.warn("tasks", "no --pvas and no Pvas here: " + reason.get(),
                        "wanted are x86-64, Linux 5.16 or later, seccomp filters (a container's"
                        + " profile may refuse them) and free address space (ulimit -v)");
    }

    /** All tasks of a space have their mappings in one address space, and its limit. */
    Finding mappings(int cpus) {
        long most = machine.number(MAP_COUNT).orElse(Long.MAX_VALUE);
        long wanted = (cpus + 1) * MAPPINGS_OF_A_JVM;
        String found = "vm.max_map_count is " + most + ": about " + most / MAPPINGS_OF_A_JVM
                + " JVMs can be tasks of one address space";
        if (most == Long.MAX_VALUE) {
            return Finding.ok("task mappings", "vm.max_map_count is not known");
        }
        return most >= wanted ? Finding.ok("task mappings", found)
                : Finding.warn("task mappings", found + ", there are " + cpus + " CPUs",
                        "sysctl vm.max_map_count=" + Math.max(wanted, 1L << 18)
                        + ", or fewer ranks with --pvas");
    }
}
