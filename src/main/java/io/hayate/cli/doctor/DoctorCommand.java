// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.NativeLoadException;
import io.hayate.cli.command.CommandFailure;
import io.hayate.cli.command.Version;
import io.hayate.cli.machine.Machine;
import io.hayate.internal.bindings.Hwloc;
import io.hayate.internal.bindings.MachineBinding;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.natives.NativeLoader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code hayate doctor}: checks the machine, and says how to fix problems. */
@Command(name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Checks whether this machine has what Hayate needs, and says how to fix"
                + " problems.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:no problem (there may be warnings)", "1:a problem",
            "2:the command line is wrong"},
        footerHeading = "%nExamples:%n",
        footer = {"  hayate doctor", "  docker run --rm IMAGE hayate doctor --json"})
public final class DoctorCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object per line.")
    private boolean json;

    @Override
    public Integer call() {
        Machine machine = Machine.here();
        // Check this first: loading the library would permit the native access that the check
        // reports.
        List<Finding> findings = new ArrayList<>(JavaChecks.all());
        boolean loaded = addLibrary(findings);
        findings.addAll(new KernelChecks(machine).all(loaded ? reason("cma") : null,
                loaded ? reason("copy") : "the native library cannot be loaded"));
        HardwareChecks hardware = new HardwareChecks(machine);
        findings.addAll(hardware.all());
        if (loaded) {
            NetworkChecks networks = new NetworkChecks(DoctorCommand::reason);
            findings.add(networks.network());
            findings.add(networks.delegation(MachineBinding.machineCpus()));
            findings.addAll(new TaskChecks(machine).all(hardware.allowed()));
        }
        findings.add(topology());
        print(findings);
        return findings.stream().anyMatch(f -> f.level() == Finding.Level.PROBLEM)
                ? CommandFailure.EXIT_CODE : 0;
    }

    private static boolean addLibrary(List<Finding> findings) {
        try {
            NativeLoader.load();
            findings.add(Finding.ok("library", "version " + SetupBinding.version() + " is loaded"));
            return true;
        } catch (NativeLoadException e) {
            findings.add(Finding.problem("library", e.reason(), "see the reasons above"));
            return false;
        }
    }

    /** Returns why this process cannot use a path, or null. */
    private static String reason(String path) {
        for (int i = 0; SetupBinding.pathName(i) != null; i++) {
            if (SetupBinding.pathName(i).equals(path)) {
                return SetupBinding.pathReason(i);
            }
        }
        return "this build does not contain the path " + path;
    }

    private static Finding topology() {
        try {
            return Finding.ok("hwloc", Hwloc.levels().size() + " levels of topology");
        } catch (IllegalStateException | NativeLoadException e) {
            return Finding.warn("hwloc", "no topology: "
                    + e.getMessage().lines().findFirst().orElse(""),
                    "install hwloc 2 (Debian: apt-get install libhwloc15); only 'hayate info'"
                            + " needs it");
        }
    }

    private void print(List<Finding> findings) {
        PrintWriter out = spec.commandLine().getOut();
        for (Finding finding : findings) {
            out.print(json ? finding.json() + "\n" : finding.text());
        }
        out.flush();
    }
}
