// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.natives.NativeLoader;
import java.lang.System.Logger.Level;

/**
 * Passes the lines of the native log to a {@link System.Logger} of the program, if
 * {@code HAYATE_LOG_TO} selects that. A separate thread fetches them, because the thread that logs
 * may hold locks, or may not be a Java thread. Lines that the logger rejects go to stderr, and so
 * do lines logged during the shutdown of the JVM, when the logger may be closed.
 */
public final class LogReader implements Runnable {
    private static final String PROPERTY = "hayate.log.to";
    private static final String VARIABLE = "HAYATE_LOG_TO";
    private static final String LOGGER = "io.hayate";
    /** Levels by their native numbers. */
    private static final Level[] LEVELS = {Level.ERROR, Level.WARNING, Level.INFO, Level.DEBUG};
    private static final int ROOM = 1024;
    /** How long to wait at the end for a line that the logger is processing. */
    private static final long END_MILLIS = 1000;

    private static boolean started;

    private System.Logger logger;
    private boolean refused;

    private LogReader() {
    }

    /**
     * Starts the thread once, if the settings select a logger. {@link NativeLoader#load()} must
     * come first.
     *
     * @throws io.hayate.ArgumentException if the variable or the property is invalid
     * @throws io.hayate.SystemFailureException if the thread cannot be started
     */
    public static synchronized void start() {
        String property = System.getProperty(PROPERTY);
        if (started || (property == null && System.getenv(VARIABLE) == null)) {
            return; // without the time that JNA takes for a class of bindings
        }
        if (Errors.check(LogBinding.logWanted(property)) == 0) {
            return;
        }
        LogReader reader = new LogReader();
        reader.prepare();
        Thread thread = new Thread(reader, "hayate-log");
        thread.setDaemon(true);
        LogBinding.logAttach();
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            LogBinding.logDetach();
            throw Errors.system("the thread that reads the log could not be started ("
                    + e.getMessage() + "): raise the limit of threads (ulimit -u, pids.max of the"
                    + " container), or set HAYATE_LOG_TO=stderr", e);
        }
        started = true;
        try {
            Runtime.getRuntime().addShutdownHook(
                    new Thread(() -> stop(thread), "hayate-log-end"));
        } catch (IllegalStateException goingDown) {
            LogBinding.logDetach();
        }
    }

    private static void stop(Thread thread) {
        LogBinding.logDetach();
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        byte[] text = new byte[ROOM];
        try {
            int level = LogBinding.logTake(text, text.length);
            while (level >= 0) {
                give(LEVELS[level], text);
                level = LogBinding.logTake(text, text.length);
            }
        } finally {
            LogBinding.logDetach();
        }
    }

    /** Finds the logger, which may take long, before lines are queued for it. */
    private void prepare() {
        try {
            logger();
        } catch (Throwable thrown) {
            // the first line fails in the same way, and reports it
        }
    }

    /**
     * The logger belongs to the program: whatever it throws, the line is not lost, and the next
     * ones follow.
     */
    private void give(Level level, byte[] text) {
        try {
            logger().log(level, Native.toString(text, "UTF-8"));
        } catch (Throwable thrown) {
            LogBinding.logRefuse(refused ? null : "System.Logger " + LOGGER + " threw "
                    + thrown.getClass().getName() + "; the lines that it rejects are written here");
            refused = true;
        }
    }

    private System.Logger logger() {
        if (logger == null) {
            logger = System.getLogger(LOGGER);
        }
        return logger;
    }
}
