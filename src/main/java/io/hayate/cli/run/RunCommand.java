// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** {@code hayate run}: passes all arguments to the native launcher, which explains its options. */
@Command(name = "run",
        description = "Starts a job of several ranks on this machine ('hayate run --help').")
public final class RunCommand implements Callable<Integer> {
    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        return Launcher.run(arguments, Map.of());
    }
}
