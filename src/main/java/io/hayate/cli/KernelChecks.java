// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Limits, memory and permissions that the kernel gives to this process. */
final class KernelChecks {
    private static final String DEVICE = "/dev/hayate";
    private static final int CAP_SYS_PTRACE = 19;
    private static final String HUGE = "/sys/kernel/mm/hugepages/hugepages-2048kB/";
    private static final String SHMEM_HUGE = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";

    private final Machine machine;

    KernelChecks(Machine machine) {
        this.machine = machine;
    }

    /** Why the paths cma and copy (of the module) cannot be used, or null. */
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
        String found = ByteSizes.rounded(limit.getAsLong()) + " may be locked; ";
        return machine.exists("/dev/infiniband")
                ? Finding.warn("memlock", found + "a network adapter registers all of a heap",
                        "ulimit -l unlimited (or memlock in /etc/security/limits.conf)")
                : Finding.ok("memlock", found + "nothing is locked inside a machine");
    }

    /** A default job's segment may have up to half of the memory, and some more. */
    Finding fileSize() {
        long limit = machine.limit("Max file size").orElse(Machine.UNLIMITED);
        if (limit == Machine.UNLIMITED) {
            return Finding.ok("file size", "unlimited: segments can be of any size");
        }
        String found = "files may have " + ByteSizes.rounded(limit)
                + "; a job's shared segment, all heaps included, must be below that";
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
                        + ": every rank maps the heaps of all, touched or not",
                        "ulimit -v unlimited, or a smaller --heap");
    }

    Finding sharedMemory() {
        String mount = machine.lines("/proc/self/mounts").stream()
                .filter(line -> line.split(" ").length > 3 && line.split(" ")[1].equals("/dev/shm"))
                .map(line -> "mounted (" + line.split(" ")[3] + ")")
                .findFirst().orElse("not there");
        return Finding.ok("/dev/shm",
                mount + "; not used: segments are memfds, its size is no limit");
    }

    Finding cma(String reason) {
        return reason == null ? Finding.ok("cma", "process_vm_readv is permitted")
                : Finding.warn("cma", reason
                        + "; long messages from and to memory outside the heap are copied twice",
                        "in a container: --cap-add SYS_PTRACE, or a seccomp profile that permits"
                        + " process_vm_readv; or use buffers of the heap");
    }

    /** Whoever has no module lacks nothing; one that is there is meant to be used. */
    Finding module(String reason) {
        if (reason == null) {
            return Finding.ok("module", DEVICE + " can be used: paths copy and attach");
        }
        return machine.exists(DEVICE) ? Finding.warn("module", reason,
                "see kernel-module/README.md; without it path cma does the same")
                : Finding.ok("module", "no " + DEVICE + ": not needed");
    }

    /** hayate run is made the declared tracer of its ranks, which is all that mode 1 asks for. */
    Finding ptrace() {
        long mode = machine.number("/proc/sys/kernel/yama/ptrace_scope").orElse(0);
        String found = "kernel.yama.ptrace_scope is " + mode;
        if (mode == 0 || mode == 1) {
            return Finding.ok("ptrace", mode == 0 ? "not restricted between processes of one user"
                    : found + ": ranks of one job permit each other");
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
                : "a filter is set (mode " + mode + "); 'cma' above tells what it means");
    }

    Finding hugePages() {
        long free = machine.number(HUGE + "free_hugepages").orElse(0);
        if (free > 0) {
            return Finding.ok("huge pages", free + " of 2 MiB are free: segments that fit take"
                    + " them");
        }
        String shared = machine.text(SHMEM_HUGE).orElse("not supported");
        return shared.matches(".*\\[(always|within_size|force)].*")
                ? Finding.ok("huge pages", "transparent for shared memory: " + shared)
                : Finding.warn("huge pages", "none free, and transparent ones for shared memory: "
                        + shared + "; large buffers cost more page faults and TLB misses",
                        "sysctl vm.nr_hugepages=N, or echo within_size > " + SHMEM_HUGE);
    }

    Finding pidNamespace() {
        String pids = machine.field("/proc/self/status", "NSpid").orElse("");
        boolean nested = pids.split("\\s+").length > 1;
        return Finding.ok("pid namespace", nested ? "a namespace of its own; all ranks must be in"
                + " it"
                : "no nesting seen; ranks in different namespaces could not use cma");
    }
}
