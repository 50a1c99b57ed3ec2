// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.hayate.conformance.Launch;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts the recipe for Kubernetes without an operator in pods that are processes. */
class IndexedJobIT {
    private static final int LIMIT_S = 180;

    @TempDir
    private Path directory;
    private Path secret;
    private Job job;
    private Service service;

    private record Ended(int status, String out) {
    }

    /** Networks of their own, and host names of their own. */
    private static void needNamespaces() throws Exception {
        Process tried = new ProcessBuilder("unshare", "--net", "--mount", "ip", "link", "set",
                "lo", "up").redirectErrorStream(true).start();
        String why = new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(tried.waitFor() == 0, () -> "no networks of one's own: " + why);
    }

    @BeforeEach
    void read() throws Exception {
        Launch.assumeBuilt();
        needNamespaces();
        service = Manifest.read(Manifest.objects("kubernetes/indexed-job.yaml").get(0),
                Service.class);
        job = Manifest.read(Manifest.objects("kubernetes/indexed-job.yaml").get(1), Job.class);
        secret = Files.createFile(directory.resolve("store"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, "a secret of the tests");
    }

    private Container container() {
        return job.getSpec().getTemplate().getSpec().getContainers().get(0);
    }

    /** What the container runs, on this machine. */
    private List<String> command() {
        List<String> command = new ArrayList<>(List.of(Launch.launcher()));
        command.addAll(container().getCommand().subList(2, container().getCommand().size()));
        command.set(command.indexOf("--secret") + 1, secret.toString());
        command.addAll(container().getArgs());
        command.set(command.indexOf("-cp") + 1, System.getProperty("java.class.path"));
        return command;
    }

    private Process start(int late, String dying) throws IOException {
        List<String> all = new ArrayList<>(List.of("src/test/launcher/pods.sh",
                job.getMetadata().getName(), service.getMetadata().getName(),
                String.valueOf(job.getSpec().getCompletions()), String.valueOf(late), dying));
        all.addAll(command());
        ProcessBuilder pods = new ProcessBuilder(all).redirectErrorStream(true);
        pods.environment().keySet().removeIf(name -> name.startsWith("HAYATE_"));
        pods.environment().put("HAYATE_HEAP", "64M");
        for (EnvVar variable : container().getEnv()) {
            if (variable.getValue() != null) {
                pods.environment().put(variable.getName(), variable.getValue());
            }
        }
        pods.environment().put("HAYATE_NET_DEVICE", "lo"); // where the pods are one machine
        return pods.start();
    }

    private Ended run(int late, String dying) throws Exception {
        Process pods = start(late, dying);
        try (InputStream out = pods.getInputStream()) {
            String text = new String(out.readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(pods.waitFor(LIMIT_S, TimeUnit.SECONDS), text);
            return new Ended(pods.exitValue(), text);
        } finally {
            pods.descendants().forEach(ProcessHandle::destroyForcibly);
            pods.destroyForcibly();
        }
    }

    @Test
    void should_solve_although_the_name_of_the_first_pod_comes_late() throws Exception {
        Ended ended = run(3, "none");
        assertEquals(0, ended.status, ended.out);
        assertTrue(ended.out.contains("converged"), ended.out);
    }

    /** The others do not go on alone: the job fails, and can be started again at the same port. */
    @Test
    void should_fail_as_a_whole_when_a_pod_dies_and_start_again() throws Exception {
        EnvVar limit = new EnvVar("HAYATE_STORE_LIMIT", "5s", null);
        container().getEnv().add(limit);
        Ended ended = run(0, "1");
        assertNotEquals(0, ended.status);
        assertTrue(ended.out.contains("of 6 ranks, these have not come: 2-3"), ended.out);
        container().getEnv().remove(limit);
        assertEquals(0, run(0, "none").status);
    }
}
