// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JniWarningsTest {
    private static final String REFERENCES = "WARNING: JNI local refs: 33, exceeds capacity: 32";
    private static final String UNCHECKED = "WARNING in native method: JNI call made without"
            + " checking exceptions when required to from CallStaticObjectMethod";
    private static final String OURS =
            "io.hayate.internal.bindings.FmplBinding.send(Native Method)";
    private static final String CALLBACK = "com.sun.jna.Native.invokeVoid(Native Method)";
    private static final List<String> LOADING = List.of(
            "jdk.internal.loader.NativeLibraries.load(java.base@17.0.15/Native Method)",
            "jdk.internal.loader.NativeLibraries.loadLibrary(java.base@17.0.15/NativeLibraries"
                    + ".java:174)",
            "java.lang.System.load(java.base@17.0.15/System.java:1970)");

    private static List<String> stack(String warning, String... frames) {
        List<String> lines = new ArrayList<>(List.of(warning));
        for (String frame : frames) {
            lines.add("\tat " + frame);
            lines.add("\t- locked &lt;0x00000000ffd15618&gt; (a java.util.HashSet)");
        }
        return lines;
    }

    /** Of a JNI_OnLoad: of the library that these ask for. */
    private static List<String> loading(String warning, String... frames) {
        return stack(warning, Stream.concat(LOADING.stream(), Stream.of(frames))
                .toArray(String[]::new));
    }

    private static List<String> log(List<?>... parts) {
        List<String> log = new ArrayList<>(List.of("<tty>", "<writer thread='1'/>"));
        Stream.of(parts).flatMap(List::stream).map(String::valueOf).forEach(log::add);
        log.add("<destroy_vm stamp='0.351'/>");
        return log;
    }

    private static void assertFound(List<String> log, List<?>... stacks) {
        assertEquals(Stream.of(stacks).map(stack -> String.join("\n", strings(stack))).toList(),
                JniWarnings.in(log));
    }

    private static List<String> strings(List<?> stack) {
        return stack.stream().map(String::valueOf).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "com.sun.jna.Native.loadNativeDispatchLibrary(Native.java:1038)",
        "com.sun.jna.Native.loadNativeDispatchLibraryFromClasspath(Native.java:1112)",
        "com.sun.jna.Native.loadNativeDispatchLibrary(com.sun.jna@5.19.1/Native.java:1038)"})
    void should_leave_out_what_jna_does_while_its_library_is_loaded(String loader) {
        String[] frames = {loader, "com.sun.jna.Native.&lt;clinit&gt;(Native.java:231)",
            "io.hayate.internal.natives.NativeLoader.open(NativeLoader.java:112)"};
        assertFound(log(loading(REFERENCES, frames), loading(UNCHECKED, frames)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"com.sun.jna.Native.invokeInt(Native Method)",
        "com.sun.jna.Native.open(com.sun.jna@5.19.1/Native Method)"})
    void should_leave_out_what_native_methods_of_jna_do(String method) {
        assertFound(log(stack(UNCHECKED, method,
                "io.hayate.internal.bindings.Hwloc.type(Hwloc.java:90)")));
    }

    @ParameterizedTest
    @ValueSource(strings = {OURS,
        "io.hayate.internal.bindings.FmplBinding.send(io.hayate@0.2.0/Native Method)",
        "io.hayate.internal.bindings.SetupBinding.jobInit(Native Method)",
        "sun.nio.ch.Net.poll(java.base@17.0.15/Native Method)"})
    void should_find_others_also_below_and_above_frames_of_jna(String method) {
        List<String> below = stack(UNCHECKED, method, CALLBACK,
                "com.sun.jna.Native.loadNativeDispatchLibrary(Native.java:1038)");
        assertFound(log(below), below);
        List<String> beside = loading(REFERENCES,
                "com.sun.jna.Native.loadNativeDispatchLibrary(Native.java:1038)");
        assertFound(log(beside, below, beside), below);
    }

    @Test
    void should_find_what_another_library_does_while_it_is_loaded() {
        List<String> ours = loading(REFERENCES,
                "io.hayate.internal.natives.NativeLoader.open(NativeLoader.java:111)",
                "com.sun.jna.CallbackReference.callback(CallbackReference.java:5)", CALLBACK,
                "com.sun.jna.Native.loadNativeDispatchLibrary(Native.java:1038)");
        assertFound(log(ours), ours);
    }

    @Test
    void should_find_methods_of_jna_that_are_not_native() {
        List<String> odd = stack(UNCHECKED, "com.sun.jna.Native.register(Native.java:1700)");
        assertFound(log(odd), odd);
    }

    @Test
    void should_tell_threads_apart() {
        List<String> ofJna = loading(UNCHECKED,
                "com.sun.jna.Native.loadNativeDispatchLibrary(Native.java:1038)");
        List<String> ours = stack(UNCHECKED, OURS, "io.hayate.Fmpl.send(Fmpl.java:1)");
        List<String> two = List.of("<writer thread='2'/>");
        List<String> one = List.of("<writer thread='1'/>");
        for (int cut = 1; cut < ofJna.size(); cut++) {
            for (int end = 1; end < ours.size(); end++) {
                List<String> log = log(ofJna.subList(0, cut), two, ours.subList(0, end), one,
                        ofJna.subList(cut, ofJna.size()), two, ours.subList(end, ours.size()));
                assertFound(log, ours);
            }
        }
    }

    @Test
    void should_find_fatal_errors_whoever_makes_them() {
        List<String> fatal = stack("FATAL ERROR in native method: Using JNIEnv in the wrong thread",
                "com.sun.jna.Native.invokeInt(Native Method)");
        assertFound(log(fatal), fatal);
    }

    @Test
    void should_judge_a_stack_that_is_cut_off_by_what_is_there() {
        List<String> ours = stack(UNCHECKED, OURS);
        assertFound(ours, ours);
        assertFound(loading(REFERENCES));
        assertFound(List.of(REFERENCES));
    }

    @Test
    void should_take_no_other_line_for_a_warning() {
        assertFound(log(List.of("WARNING: A restricted method in java.lang.System has been called",
                "<dependency_failed type='no_finalizable_subclasses'/>", "\tat " + OURS)));
    }
}
