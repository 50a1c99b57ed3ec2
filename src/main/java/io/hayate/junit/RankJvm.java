// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The command that starts the JVM of a rank, which is to be as the JVM of the test. */
final class RankJvm {
    /** JUnit, which build tools do not always put on the class path of the tests. */
    private static final List<String> JUNIT = List.of(
            "org.junit.platform.launcher.core.LauncherFactory",
            "org.junit.platform.engine.TestEngine", "org.junit.jupiter.engine.JupiterTestEngine",
            "org.junit.platform.commons.JUnitException", "org.opentest4j.AssertionFailedError");

    private RankJvm() {
    }

    static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            if (!isOfOneJvm(option)) {
                command.add(option);
            }
        }
        command.addAll(List.of("-cp", classPath()));
        Module module = RankProcess.class.getModule();
        command.addAll(module.isNamed()
                ? List.of("-m", module.getName() + "/" + RankProcess.class.getName())
                : List.of(RankProcess.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Debuggers and management listen on a port that only one JVM can have. */
    private static boolean isOfOneJvm(String option) {
        return option.matches("-agentlib:jdwp.*|-Xrunjdwp.*|-Xdebug"
                + "|-Dcom\\.sun\\.management\\..*");
    }

    private static String classPath() {
        Set<String> places = new LinkedHashSet<>(List.of(
                System.getProperty("java.class.path").split(File.pathSeparator)));
        for (String name : JUNIT) {
            try {
                Class<?> type = Class.forName(name, false,
                        Thread.currentThread().getContextClassLoader());
                CodeSource source = type.getProtectionDomain().getCodeSource();
                if (!type.getModule().isNamed() && source != null) {
                    places.add(Path.of(source.getLocation().toURI()).toString());
                }
            } catch (ClassNotFoundException | URISyntaxException e) {
                throw new IllegalStateException("@Ranks(processes = true) needs " + name
                        + ": add org.junit.platform:junit-platform-launcher to the dependencies of"
                        + " the tests", e);
            }
        }
        return String.join(File.pathSeparator, places);
    }
}
