// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import com.github.dockerjava.api.model.HostConfig;
import com.sun.jna.Native;
import com.sun.jna.Platform;
import io.hayate.Hayate;
import io.hayate.internal.natives.NativePlatform;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.builder.ImageFromDockerfile;
import org.testcontainers.images.builder.Transferable;
import picocli.CommandLine;

/** A container with a JRE and this build of Hayate in /opt/hayate, in which commands are run. */
final class Sandbox implements AutoCloseable {
    /** Set by scripts/test.sh: the image to start from. Without it tests are skipped. */
    static final String BASE = "HAYATE_TEST_IMAGE";
    static final String NO_BASE = "no HAYATE_TEST_IMAGE: scripts/test.sh sets it where it has an"
            + " engine";

    /** The libraries of Hayate and of JNA, unpacked. */
    static final String NATIVES = "/opt/hayate/native";

    /** By which scripts/test.sh finds what is left; containers have the label of their image. */
    static final String LABEL = System.getenv().getOrDefault("HAYATE_TEST_LABEL", "io.hayate.test");
    private static final String LAUNCHER = "/opt/hayate/bin/hayate-run";
    private static final String CLASSES = "/opt/hayate/hayate.jar:/opt/hayate/jna.jar"
            + ":/opt/hayate/picocli.jar:/opt/hayate/tests";
    private static final int EXECUTABLE = 0755;
    private static final ImageFromDockerfile IMAGE = image();

    /** What a command gave. */
    record Outcome(int exit, String out, String err) {
        Outcome good() {
            if (exit != 0) {
                throw new AssertionError(this);
            }
            return this;
        }

        /** Fails unless each rank has exchanged and compared all messages. */
        Outcome exchanged(int ranks) {
            good();
            boolean all = IntStream.range(0, ranks)
                    .allMatch(rank -> out.contains("EXCHANGED " + rank + " of " + ranks + ","));
            if (!all) {
                throw new AssertionError(this);
            }
            return this;
        }

        @Override
        public String toString() {
            return "exit status " + exit + "\n--- output\n" + out + "\n--- errors\n" + err;
        }
    }

    private final GenericContainer<?> container = new GenericContainer<>(IMAGE);
    private final List<String> jvm = new ArrayList<>();

    private Sandbox() {
    }

    /** By the limits and rights of the argument, otherwise as Docker has it by default. */
    static Sandbox start(Consumer<HostConfig> limits) {
        return start(limits, "0");
    }

    /** The same; commands are run by the user of this number. */
    static Sandbox start(Consumer<HostConfig> limits, String user) {
        Sandbox sandbox = new Sandbox();
        sandbox.container.withNetworkMode("none")
                .withCommand("sleep", "infinity")
                .withCreateContainerCmdModifier(command -> {
                    command.withUser(user);
                    limits.accept(command.getHostConfig());
                });
        sandbox.container.start();
        return sandbox;
    }

    /** Major version of the Docker engine. */
    static int engine() {
        String version = DockerClientFactory.instance().client().versionCmd().exec().getVersion();
        return Integer.parseInt(version.split("\\.")[0]);
    }

    private static ImageFromDockerfile image() {
        ImageFromDockerfile image = new ImageFromDockerfile()
                .withFileFromPath("hayate.jar", origin(Hayate.class))
                .withFileFromPath("jna.jar", origin(Native.class))
                .withFileFromPath("picocli.jar", origin(CommandLine.class))
                .withFileFromPath("tests", origin(ExchangeMain.class));
        String ours = "/META-INF/native/" + NativePlatform.name() + "/";
        Map<String, String> natives = Map.of(
                "bin/hayate-run", ours + "hayate-run",
                "native/libhayate.so", ours + "libhayate.so",
                "native/libjnidispatch.so",
                "/com/sun/jna/" + Platform.RESOURCE_PREFIX + "/libjnidispatch.so");
        natives.forEach((name, resource) ->
                image.withFileFromTransferable(name, Transferable.of(read(resource), EXECUTABLE)));
        return image.withDockerfileFromBuilder(builder -> builder.from(System.getenv(BASE))
                .label(LABEL, "true").copy(".", "/opt/hayate").build());
    }

    static Path origin(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] read(String resource) {
        try (InputStream in = Sandbox.class.getResourceAsStream(resource)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new AssertionError(resource, e);
        }
    }

    /** Options of the virtual machines to come. */
    Sandbox jvm(String... options) {
        jvm.addAll(List.of(options));
        return this;
    }

    /** A command; one that takes more than a minute is killed, with exit status 124. */
    Outcome run(List<String> command) throws Exception {
        List<String> bounded = new ArrayList<>(List.of("timeout", "-k", "5", "60"));
        bounded.addAll(command);
        ExecResult result = container.execInContainer(bounded.toArray(new String[0]));
        return new Outcome(result.getExitCode(), result.getStdout(), result.getStderr());
    }

    Outcome shell(String script) throws Exception {
        return run(List.of("sh", "-c", script));
    }

    /** {@link ExchangeMain} in so many ranks. */
    Outcome exchange(int ranks, String... launcherOptions) throws Exception {
        return exchange(0, ranks, launcherOptions);
    }

    /** The same, and so many bytes of each rank's heap are filled, twice. */
    Outcome exchange(int heapBytes, int ranks, String... launcherOptions) throws Exception {
        List<String> command = new ArrayList<>(List.of(LAUNCHER, "-n", Integer.toString(ranks)));
        command.addAll(List.of(launcherOptions));
        command.add("--");
        command.addAll(java(ExchangeMain.class.getName(), Integer.toString(heapBytes)));
        return run(command);
    }

    /** The command line; its ranks are started by the launcher inside the jar. */
    Outcome hayate(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(java("io.hayate.cli.Main"));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private List<String> java(String... program) {
        List<String> java = new ArrayList<>(List.of("java", "-Xmx128m", "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        java.addAll(jvm);
        java.addAll(List.of("-cp", CLASSES));
        java.addAll(List.of(program));
        return java;
    }

    @Override
    public void close() {
        container.stop();
    }
}
