// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A cluster of Spark on this machine: a Master and Workers as processes, which start executors as
 * processes. The driver is the JVM of the test.
 */
public final class SparkCluster implements AutoCloseable {
    private static final Path BUILD = Path.of(System.getProperty("spark.build")).toAbsolutePath()
            .normalize();
    private static final Pattern URL = Pattern.compile("Starting Spark master at (spark://\\S+)");
    private static final int START_SECONDS = 120;

    private final Path home;
    private final List<Process> processes = new ArrayList<>();
    private final String url;

    private static SparkCluster shared;

    /** Two Workers with two cores each for all tests; ended with this JVM. */
    public static synchronized SparkCluster shared() {
        if (shared == null) {
            shared = new SparkCluster(2, 2);
            Runtime.getRuntime().addShutdownHook(new Thread(shared::close));
        }
        return shared;
    }

    /** A Worker may run executors with so many cores in total. */
    private SparkCluster(int workers, int coresOfEach) {
        try {
            home = Files.createTempDirectory(BUILD, "cluster");
            link(Files.createDirectory(home.resolve("jars")));
            Path log = start("master", "org.apache.spark.deploy.master.Master",
                    "--host", "127.0.0.1", "--port", "0", "--webui-port", "0");
            url = await(log, URL);
            for (int i = 0; i < workers; i++) {
                log = start("worker" + i, "org.apache.spark.deploy.worker.Worker",
                        "--host", "127.0.0.1", "--port", "0", "--webui-port", "0",
                        "--cores", String.valueOf(coresOfEach), "--memory", "2g",
                        "--work-dir", home.resolve("work").toString(), url);
                await(log, Pattern.compile("(Successfully registered with master)"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a distribution of Spark has in jars. */
    private static void link(Path jars) throws IOException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path jar = Path.of(entry);
            if (jar.toString().endsWith(".jar") && !isOurs(jar) && !entry.contains("junit")) {
                Files.createSymbolicLink(jars.resolve(jar.getFileName()), jar);
            }
        }
    }

    private static boolean isOurs(Path jar) {
        return jar.getFileName().toString().matches("(hayate|jna|examples).*");
    }

    /** The program and Hayate, which Spark brings to the executors. */
    private static String jars() {
        List<String> ours = new ArrayList<>(Arrays
                .stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> entry.endsWith(".jar") && isOurs(Path.of(entry))).toList());
        ours.add(BUILD.resolve("examples-tests.jar").toString());
        return String.join(",", ours);
    }

    private Path start(String name, String main, String... args) throws IOException {
        List<String> words = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java", "-Xmx256m", "-XX:+UseSerialGC",
                "-cp", home.resolve("jars") + "/*", main));
        words.addAll(List.of(args));
        Path log = home.resolve(name + ".log");
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("SPARK_HOME", home.toString());
        builder.environment().put("SPARK_SCALA_VERSION", System.getProperty("spark.scala"));
        processes.add(builder.start());
        return log;
    }

    private String await(Path log, Pattern pattern) throws IOException {
        for (int i = 0; i < START_SECONDS * 10; i++) {
            Matcher matcher = pattern.matcher(Files.readString(log));
            if (matcher.find()) {
                return matcher.group(1);
            }
            try {
                Thread.sleep(100); // nothing tells when a file has grown
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
        }
        close();
        throw new IllegalStateException("no " + pattern + " in " + log);
    }

    /** Starts an application, and its executors. */
    public JavaSparkContext open(int executors, int coresOfEach) {
        SparkConf conf = new SparkConf().setMaster(url).setAppName("hayate")
                .set("spark.jars", jars()).set("spark.ui.enabled", "false")
                .set("spark.executor.memory", "512m").set("spark.cores.max",
                        String.valueOf(executors * coresOfEach))
                .set("spark.executor.cores", String.valueOf(coresOfEach))
                .set("spark.scheduler.minRegisteredResourcesRatio", "1")
                .set("spark.scheduler.maxRegisteredResourcesWaitingTime", START_SECONDS + "s")
                .set("spark.executor.extraJavaOptions", "-XX:+UseSerialGC -Xcheck:jni")
                .set("spark.executorEnv.HAYATE_HEAP", "32M")
                .set("spark.executorEnv.HAYATE_TUNING", "none")
                .set("spark.local.dir", home.resolve("local").toString());
        return new JavaSparkContext(conf);
    }

    @Override
    public void close() {
        processes.forEach(Process::destroy); // a Worker ends its executors
        for (Process each : processes) {
            try {
                if (!each.waitFor(20, TimeUnit.SECONDS)) {
                    each.destroyForcibly();
                }
            } catch (InterruptedException e) {
                each.destroyForcibly();
                Thread.currentThread().interrupt();
            }
        }
    }
}
