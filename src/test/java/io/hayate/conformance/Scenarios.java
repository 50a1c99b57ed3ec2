// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** The list of scenarios, and how one is called by its name {@code Class.method}. */
final class Scenarios {
    /** Named, as the last one exists only where there is a Java 22 layer. */
    private static final List<String> CLASSES = List.of("MessageScenarios", "SectionScenarios",
            "RequestScenarios", "ProbeScenarios", "CollectiveScenarios", "BlockScenarios",
            "StartedScenarios", "ReductionScenarios", "SeparateScenarios",
            "CommunicatorScenarios", "ThreadScenarios",
            "MemoryScenarios", "ArgumentScenarios", "PersistentScenarios",
            "PersistentBadInputScenarios", "NeighborScenarios", "GridScenarios", "OmplScenarios",
            "OmplFlagScenarios", "AccumulateScenarios", "TaskScenarios", "SegmentScenarios");
    /** Run where a suite names them: they need libraries, and ranks that are processes. */
    private static final List<String> NAMED = List.of("BlacsScenarios", "BlacsInputScenarios",
            "ScaLapackScenarios", "ScaLapackBlockScenarios", "ScaLapackInputScenarios");

    /** Names of the scenarios for so many ranks, in a fixed order. */
    static List<String> forRanks(int ranks) {
        return forRanks(CLASSES, ranks);
    }

    private static List<String> forRanks(List<String> classes, int ranks) {
        List<String> names = new ArrayList<>();
        for (String type : classes) {
            for (Method method : methodsOf(type)) {
                if (method.getAnnotation(Scenario.class).ranks() <= ranks) {
                    names.add(type + "." + method.getName());
                }
            }
        }
        return names;
    }

    /** Those of them that this Java can run. */
    static List<String> possible(int ranks) {
        return forRanks(ranks).stream().filter(Scenarios::isPossible).toList();
    }

    static boolean isPossible(String name) {
        return oldestJava(name) <= Runtime.version().feature();
    }

    /** All that have one of these names, or whose class has. */
    static List<String> named(String[] names, int ranks) {
        List<String> all = forRanks(CLASSES, ranks);
        all.addAll(forRanks(NAMED, ranks));
        return all.stream().filter(Scenarios::isPossible).filter(scenario ->
                Arrays.stream(names).anyMatch(name -> scenario.equals(name)
                        || scenario.startsWith(name + "."))).toList();
    }

    /** Oldest Java that the scenario runs on. */
    static int oldestJava(String name) {
        return find(name).getAnnotation(Scenario.class).java();
    }

    static void run(String name, Rank rank) throws Throwable {
        try {
            find(name).invoke(null, rank);
        } catch (InvocationTargetException wrapped) {
            throw wrapped.getCause();
        }
    }

    private static Method find(String name) {
        int dot = name.indexOf('.');
        return methodsOf(name.substring(0, dot)).stream()
                .filter(method -> method.getName().equals(name.substring(dot + 1))).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no scenario " + name));
    }

    private static List<Method> methodsOf(String type) {
        Class<?> found;
        try {
            found = Class.forName(Scenarios.class.getPackageName() + "." + type);
        } catch (ClassNotFoundException | NoClassDefFoundError absent) {
            return List.of();
        }
        return Arrays.stream(found.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(Scenario.class))
                .sorted(Comparator.comparing(Method::getName)).toList();
    }
}
