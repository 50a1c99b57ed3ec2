// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.cli.run.Launcher;
import java.util.Arrays;
import java.util.List;

/**
 * What {@code java -jar} starts. A jar for programs contains no other library: with it alone,
 * "run" works, and all other commands name the jar in which they work.
 */
public final class Start {
    private static final List<String> LIBRARIES =
            List.of("picocli.CommandLine", "com.sun.jna.Native");

    private Start() {
    }

    /**
     * Runs a command and exits.
     *
     * @param args the command line
     */
    public static void main(String[] args) {
        if (LIBRARIES.stream().allMatch(Start::isPresent)) {
            Main.main(args);
        } else if (args.length > 0 && args[0].equals("run")) {
            System.exit(Launcher.execute(Arrays.asList(args).subList(1, args.length)));
        } else {
            System.err.println("hayate: this jar is for programs, and has only the command run;"
                    + " start the one whose name ends in -cli.jar, which contains picocli and JNA"
                    + " for the others");
            System.exit(1);
        }
    }

    private static boolean isPresent(String type) {
        try {
            Class.forName(type, false, Start.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError absent) {
            return false;
        }
    }
}
