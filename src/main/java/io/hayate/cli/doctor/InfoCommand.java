// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.NativeLoadException;
import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.command.Version;
import io.hayate.cli.job.JobInfo;
import io.hayate.cli.machine.Cpus;
import io.hayate.cli.machine.Machine;
import io.hayate.cli.output.Json;
import io.hayate.cli.run.Launcher;
import io.hayate.internal.bindings.Hwloc;
import io.hayate.internal.bindings.MachineBinding;
import io.hayate.internal.bindings.SettingsBinding;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.natives.NativeLoader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code hayate info}: shows the version of Hayate, and what it can use on this machine. */
@Command(name = "info",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Shows version, paths, heap, CPUs and topology. As a rank of a job it also"
                + " shows which ranks reach each other, and how."},
        footerHeading = "%nExamples:%n",
        footer = {"  hayate info", "  hayate info --settings",
            "  hayate run -n 4 -- hayate info --json"})
public final class InfoCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object in one line.")
    private boolean json;

    @Option(names = "--settings",
            description = "Show all settings instead: value, where it comes from, default, and"
                    + " meaning.")
    private boolean settings;

    @Override
    public Integer call() {
        return settings ? showSettings() : showAll();
    }

    /** In a job all ranks join, and the first one prints. */
    private int showSettings() {
        Map<String, Object> job = JobInfo.ofEnvironment();
        if (!job.isEmpty() && !job.get("rank").equals(0)) {
            return 0;
        }
        NativeLoader.load();
        List<Map<String, Object>> all = new Settings(System::getenv, System::getProperty)
                .describe((Long) job.getOrDefault("heap_bytes", 0L));
        List<String> unknown = Settings.unknown(System.getenv().keySet());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? Json.of(Map.of("settings", all, "unknown", unknown)) + "\n"
                : Settings.text(all, unknown));
        out.flush();
        return 0;
    }

    private int showAll() {
        Map<String, Object> job = JobInfo.ofEnvironment();
        boolean first = job.isEmpty() || job.get("rank").equals(0);
        Map<String, Object> info = first ? build() : new LinkedHashMap<>();
        boolean usable = first ? addMachine(info) : true;
        if (!job.isEmpty()) {
            info.put("job", job);
        }
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? Json.of(info) + "\n" : new InfoText(info).toString());
        out.flush();
        return usable ? 0 : CommandFailure.EXIT_CODE;
    }

    private static Map<String, Object> build() {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("version", Version.text());
        info.put("origin", Version.origin());
        info.put("launcher", Launcher.describe());
        info.put("java", property("java.version") + " (" + property("java.vm.name") + ", "
                + property("java.home") + ")");
        info.put("system", property("os.name") + " " + property("os.version") + " "
                + property("os.arch"));
        return info;
    }

    /**
     * Returns whether the native library can be used; if not, the output contains the reason
     * instead.
     */
    private static boolean addMachine(Map<String, Object> info) {
        try {
            NativeLoader.load();
        } catch (NativeLoadException e) {
            info.put("library", Map.of("usable", false, "reason", e.reason()));
            return false;
        }
        SettingsBinding.settingsWarn();
        info.put("library", Map.of("usable", true, "version", SetupBinding.version(), "abi",
                MachineBinding.machineAbi()));
        info.put("paths", paths());
        info.put("rendezvous", rendezvous());
        info.put("heap", heap());
        info.put("eager_limit", Settings.inForce("HAYATE_EAGER_LIMIT"));
        info.put("cpus", cpus());
        info.put("topology", topology());
        return true;
    }

    private static List<Map<String, Object>> paths() {
        List<Map<String, Object>> paths = new ArrayList<>();
        for (int i = 0; SetupBinding.pathName(i) != null; i++) {
            Map<String, Object> path = new LinkedHashMap<>();
            String reason = SetupBinding.pathReason(i);
            path.put("name", SetupBinding.pathName(i));
            path.put("usable", reason == null);
            path.put("reason", reason == null ? meaning(SetupBinding.pathName(i)) : reason);
            paths.add(path);
        }
        return paths;
    }

    private static String meaning(String path) {
        return switch (path) {
            case "direct" -> "within an address space: loads and stores";
            case "shm" -> "between ranks of one machine: loads and stores in a shared segment"
                    + " (memfd)";
            case "attach" -> "pages of the peer, mapped by the kernel module (/dev/hayate): memory"
                    + " outside the heap that is used repeatedly";
            case "copy" -> "single copy by the kernel module (/dev/hayate): memory outside the"
                    + " heap";
            case "cma" -> "single copy by the kernel (process_vm_readv) of memory outside the heap";
            case "verbs" -> "between nodes: RDMA by libibverbs";
            case "ofi" -> "between nodes: libfabric, by default over TCP";
            default -> "can be used";
        };
    }

    private static Map<String, Object> rendezvous() {
        Map<String, Object> ways = new LinkedHashMap<>();
        ways.put("chosen", Settings.inForce("HAYATE_RENDEZVOUS"));
        ways.put("direct", "if all ranks are in one address space (run --pvas, or threads): one"
                + " copy, from and to any memory");
        ways.put("heap", "if one buffer is in the symmetric heap: one copy, no system call");
        ways.put("cma", "if no buffer is: one copy, by the first of attach, copy and cma that"
                + " works; by the kernel (copy, cma) from 128 KB on where that is faster than"
                + " pipeline, which is measured, and from HAYATE_CMA_FROM on");
        ways.put("pipeline", "otherwise: overlapped blocks through shared memory, two copies");
        return ways;
    }

    private static Map<String, Object> heap() {
        Map<String, Object> heap = new LinkedHashMap<>();
        heap.put("setting", Settings.environment("HAYATE_HEAP"));
        heap.put("default_bytes", MachineBinding.machineHeap(1));
        heap.put("default_bytes_of_4_ranks", MachineBinding.machineHeap(4));
        return heap;
    }

    private static Map<String, Object> cpus() {
        Map<String, Object> cpus = new LinkedHashMap<>();
        cpus.put("usable", MachineBinding.machineCpus());
        new Cpus(Machine.here()).quota().ifPresent(quota -> cpus.put("quota", quota));
        return cpus;
    }

    private static Map<String, Object> topology() {
        Map<String, Object> topology = new LinkedHashMap<>();
        try {
            List<Map<String, Object>> levels = new ArrayList<>();
            for (Hwloc.Level level : Hwloc.levels()) {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("type", level.type());
                entry.put("count", level.count());
                entry.put("detail", level.detail());
                levels.add(entry);
            }
            topology.put("source", "hwloc");
            topology.put("levels", levels);
        } catch (IllegalStateException e) {
            topology.put("source", "/sys, because " + e.getMessage());
            topology.put("summary", new Cpus(Machine.here()).fromSys());
        }
        return topology;
    }

    private static String property(String name) {
        return System.getProperty(name);
    }
}
