// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.hayate.conformance.Launch;
import io.hayate.conformance.Outcome;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the native log in the logging of the program; each program has a misspelt setting. */
@Timeout(300)
class LogToLoggerTest {
    private static final String PROPERTY = "hayate.log.to";
    private static final String WARNING = "HAYATE_WIAT is not a setting; did you mean HAYATE_WAIT?";
    /** The collector must not take it: it has the handler. */
    private static final Logger LOGGER = Logger.getLogger("io.hayate");

    /** What the logger gets. */
    private abstract static class Recorder extends Handler {
        static void install(Recorder recorder) {
            LOGGER.setLevel(Level.ALL);
            LOGGER.setUseParentHandlers(false);
            LOGGER.addHandler(recorder);
        }

        @Override
        public void flush() {
            // nothing is kept back
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    /** Two copies of Hayate, of which each gives its lines to the same logger. */
    static final class TwoCopies {
        private static final class Collector extends Recorder {
            final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

            @Override
            public void publish(LogRecord line) {
                lines.add(line.getLevel() + " " + line.getMessage());
            }
        }

        public static void main(String[] args) throws Exception {
            Collector collector = new Collector();
            Recorder.install(collector);
            System.setProperty(PROPERTY, "elsewhere");
            try {
                Hayate.init();
            } catch (ArgumentException e) {
                System.out.println(e.reason());
            }
            System.setProperty(PROPERTY, "logger");
            Hayate.init().close();
            System.out.println(collector.lines.poll(60, TimeUnit.SECONDS));
            inAnotherLoader();
            System.out.println(collector.lines.poll(60, TimeUnit.SECONDS));
            System.out.println(collector.lines.size() + " more");
        }

        private static void inAnotherLoader() throws Exception {
            List<URL> urls = new ArrayList<>();
            for (String entry : System.getProperty("java.class.path").split(":")) {
                urls.add(Path.of(entry).toUri().toURL());
            }
            ClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]),
                    ClassLoader.getPlatformClassLoader());
            AutoCloseable job = (AutoCloseable) loader.loadClass(Hayate.class.getName())
                    .getMethod("init").invoke(null);
            job.close();
        }
    }

    /** First without a reader; then the logger throws, and at last it never returns. */
    static final class BadLogger {
        private static final class Refuser extends Recorder {
            final CountDownLatch stuck = new CountDownLatch(3);

            @Override
            public void publish(LogRecord line) {
                stuck.countDown();
                while (stuck.getCount() == 0) {
                    Thread.onSpinWait();
                }
                throw new IllegalStateException("no");
            }
        }

        public static void main(String[] args) throws Exception {
            Hayate.init().close();
            Refuser refuser = new Refuser();
            Recorder.install(refuser);
            System.setProperty(PROPERTY, "logger");
            Hayate.init().close();
            refuser.stuck.await();
            Runtime.getRuntime().halt(0);
        }
    }

    private static Outcome run(Class<?> program, String level) throws Exception {
        return Launch.of(program).ranks(0).unchecked().environment("HAYATE_WIAT", "spin")
                .environment("HAYATE_LOG", level).run().good();
    }

    private static long count(Outcome outcome, String part) {
        return outcome.err().stream().filter(line -> line.contains(part)).count();
    }

    @Test
    void should_give_lines_of_each_copy_to_the_logger_and_none_to_stderr() throws Exception {
        Outcome outcome = run(TwoCopies.class, "warn");
        assertEquals(List.of(PROPERTY + "=elsewhere: expected one of stderr, logger",
                "WARNING " + WARNING, "WARNING " + WARNING, "0 more"), outcome.out());
        assertEquals(0, count(outcome, "hayate["), outcome.describe());
    }

    @Test
    void should_write_to_stderr_without_a_logger_and_what_a_logger_does_not_take()
            throws Exception {
        Outcome outcome = run(BadLogger.class, "debug");
        assertEquals(1, count(outcome, "hayate warn: " + WARNING), outcome.describe());
        assertEquals(1, count(outcome, "hayate warn: System.Logger io.hayate threw"
                + " java.lang.IllegalStateException; "), outcome.describe());
        for (String line : List.of("HAYATE_LOG=debug", "joined in ", "rank 0 of 1 ")) {
            assertEquals(2, count(outcome, "hayate debug: " + line), outcome.describe());
        }
    }
}
