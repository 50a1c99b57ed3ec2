// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.cli.machine.Machine;
import io.hayate.cli.output.ByteSizes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Checks of the limits, memory and permissions that the kernel gives to this process. */
final class KernelChecks {
    private static final String DEVICE = "/dev/hayate";
    private static final int CAP_SYS_PTRACE = 19;
    private static final String HUGE = "/sys/kernel/mm/hugepages/hugepages-2048kB/";
    private static final String SHMEM_HUGE = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";

    private final Machine machine;

    KernelChecks(Machine machine) {
        this.machine = machine;
    }

    /** Why the paths cma and copy cannot be used, or null. */
    List<Finding> all(String cmaReason, String moduleReason) {
        List<Finding> findings = new ArrayList<>();
        findings.add(memlock());
        findings.add(fileSize());
        findings.add(addressSpace());
        findings.add(sharedMemory());
        findings.add(cma(cmaReason));
        findings.add(module(moduleReason));
        findings.add(ptrace());
        findings.add(seccomp());
        findings.add(hugePages());
        findings.add(pidNamespace());
        return findings;
    }

    Finding memlock() {
        OptionalLong limit = machine.limit("Max locked memory");
        if (limit.isEmpty() || limit.getAsLong() == Machine.UNLIMITED) {
            return Finding.ok("memlock", "unlimited");
        }
        String found = "limit of locked memory " + ByteSizes.rounded(limit.getAsLong()) + "; ";
        return machine.exists("/dev/infiniband")
                ? Finding.warn("memlock", found + "a network adapter registers the whole heap",
                        "ulimit -l unlimited (or memlock in /etc/security/limits.conf)")
                : Finding.ok("memlock", found + "no memory is locked within a machine");
    }

    /** The segment of a default job may take up to half of the memory, and slightly more. */
    Finding fileSize() {
        long limit = machine.limit("Max file size").orElse(Machine.UNLIMITED);
        if (limit == Machine.UNLIMITED) {
            return Finding.ok("file size", "unlimited: segments can be of any size");
        }
        String found = "limit of the file size " + ByteSizes.rounded(limit)
                + "; the shared segment of a job, with all heaps, must be smaller";
        return limit > memory() ? Finding.ok("file size", found) : Finding.problem("file size",
                found,
                "ulimit -f unlimited, or a smaller heap (--heap, HAYATE_HEAP)");
    }

    private long memory() {
        String kib = machine.field("/proc/meminfo", "MemTotal").orElse("").replace(" kB", "");
        return kib.matches("[0-9]{1,15}") ? Long.parseLong(kib) * 1024 : Long.MAX_VALUE - 1;
    }

    Finding addressSpace() {
        OptionalLong limit = machine.limit("Max address space");
        return limit.isEmpty() || limit.getAsLong() == Machine.UNLIMITED
                ? Finding.ok("address space", "unlimited")
                : Finding.warn("address space", ByteSizes.rounded(limit.getAsLong())
                        + ": every rank maps the heaps of all ranks, used or not",
                        "ulimit -v unlimited, or a smaller --heap");
    }

    Finding sharedMemory() {
        String mount = machine.lines("/proc/self/mounts").stream()
                .filter(line -> line.split(" ").length > 3 && line.split(" ")[1].equals("/dev/shm"))
                .map(line -> "mounted (" + line.split(" ")[3] + ")")
                .findFirst().orElse("not mounted");
        return Finding.ok("/dev/shm",
                mount + "; not used: segments are memfds, so its size does not matter");
    }

    Finding cma(String reason) {
        return reason == null ? Finding.ok("cma", "process_vm_readv is permitted")
                : Finding.warn("cma", reason
                        + "; long messages from and to memory outside the heap are copied twice",
                        "in a container: --cap-add SYS_PTRACE, or a seccomp profile that permits"
                        + " process_vm_readv; or use buffers of the heap");
    }

    /** A missing module is not a problem, but one that is loaded should be usable. */
    Finding module(String reason) {
        if (reason == null) {
            return Finding.ok("module", DEVICE + " can be used: paths copy and attach");
        }
        return machine.exists(DEVICE) ? Finding.warn("module", reason,
                "see kernel-module/README.md; without the module the path cma is used")
                : Finding.ok("module", "no " + DEVICE + ": not needed");
    }

    /** hayate run becomes the declared tracer of its ranks, which is sufficient for mode 1. */
    Finding ptrace() {
        long mode = machine.number("/proc/sys/kernel/yama/ptrace_scope").orElse(0);
        String found = "kernel.yama.ptrace_scope is " + mode;
        if (mode == 0 || mode == 1) {
            return Finding.ok("ptrace", mode == 0 ? "not restricted between processes of one user"
                    : found + ": the ranks of a job permit each other access");
        }
        return mode == 2 && hasCapability(CAP_SYS_PTRACE)
                ? Finding.ok("ptrace", found + ", and this process has CAP_SYS_PTRACE")
                : Finding.warn("ptrace", found + ": path cma cannot be used",
                        "sysctl kernel.yama.ptrace_scope=1, or use buffers of the heap");
    }

    private boolean hasCapability(int number) {
        String effective = machine.field("/proc/self/status", "CapEff").orElse("0");
        return effective.matches("[0-9a-f]{1,16}")
                && (Long.parseUnsignedLong(effective, 16) >>> number & 1) != 0;
    }

    Finding seccomp() {
        String mode = machine.field("/proc/self/status", "Seccomp").orElse("0");
        return Finding.ok("seccomp", mode.equals("0") ? "no filter"
                : "a filter is set (mode " + mode + "); see 'cma' above for its effect");
    }

    Finding hugePages() {
        long free = machine.number(HUGE + "free_hugepages").orElse(0);
        if (free > 0) {
            return Finding.ok("huge pages", free + " huge pages of 2 MiB are free; segments that"
                    + " fit use them");
        }
        String shared = machine.text(SHMEM_HUGE).orElse("not supported");
        return shared.matches(".*\\[(always|within_size|force)].*")
                ? Finding.ok("huge pages", "transparent for shared memory: " + shared)
                : Finding.warn("huge pages", "no huge pages are free, and transparent huge pages"
                        + " for shared memory are set to: "
                        + shared + "; large buffers then cause more page faults and TLB misses",
                        "sysctl vm.nr_hugepages=N, or echo within_size > " + SHMEM_HUGE);
    }

    Finding pidNamespace() {
        String pids = machine.field("/proc/self/status", "NSpid").orElse("");
        boolean nested = pids.split("\\s+").length > 1;
        return Finding.ok("pid namespace", nested ? "a nested pid namespace; all ranks must be in"
                + " it"
                : "no nested pid namespace; ranks in different namespaces cannot use cma");
    }
}
