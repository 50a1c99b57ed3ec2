// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.cli.machine.Cpus;
import io.hayate.cli.machine.Machine;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Checks of CPUs and devices. */
final class HardwareChecks {
    private final Machine machine;

    HardwareChecks(Machine machine) {
        this.machine = machine;
    }

    List<Finding> all() {
        return List.of(cpus(allowed()));
    }

    /** Counts the CPUs that this process may run on. */
    int allowed() {
        return Math.max(1, new Cpus(machine).allowed().size());
    }

    Finding cpus(int allowed) {
        OptionalDouble quota = new Cpus(machine).quota();
        String found = allowed + (allowed == 1 ? " CPU" : " CPUs");
        if (quota.isPresent() && quota.getAsDouble() < allowed) {
            String granted = String.format(Locale.ROOT, "%.2f", quota.getAsDouble());
            return Finding.warn("cpus", found + ", but the control group limits the CPU time to "
                    + granted
                    + ": ranks that spin are stopped for the rest of each period",
                    "bind the container to CPUs (--cpuset-cpus) instead of limiting time (--cpus),"
                    + " or set HAYATE_WAIT=block");
        }
        return allowed > 1 ? Finding.ok("cpus", found + ", and no lower CPU quota")
                : Finding.warn("cpus", found + ": the ranks share it, so every message costs a"
                        + " context switch",
                        "give the process more CPUs (taskset, --cpuset-cpus)");
    }
}
