// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.HayateException;
import io.hayate.Pvas;
import io.hayate.cli.machine.Machine;
import java.util.List;
import java.util.Optional;

/** Checks whether programs can be tasks of one address space, and how many of them can be JVMs. */
final class TaskChecks {
    /** Mappings of a JVM with many threads; a small one needs 150. */
    private static final long MAPPINGS_OF_A_JVM = 400;
    private static final long PROBE_BYTES = 1L << 30;
    private static final String MAP_COUNT = "/proc/sys/vm/max_map_count";

    private final Machine machine;

    TaskChecks(Machine machine) {
        this.machine = machine;
    }

    /** cpus: a user may want one JVM on each CPU. */
    List<Finding> all(int cpus) {
        return List.of(tasks(probe()), mappings(cpus));
    }

    /** Returns why the smallest possible space cannot be created, or null. */
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
                : Finding.warn("tasks", "--pvas and Pvas do not work here: " + reason.get(),
                        "required: x86-64, Linux 5.16 or later, seccomp filters (the profile of a"
                                + " container may forbid them) and free address space (ulimit -v)");
    }

    /** All tasks of a space have their mappings in one address space, which has one limit. */
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
