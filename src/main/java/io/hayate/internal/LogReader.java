// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;
import java.lang.System.Logger.Level;

/**
 * Gives the lines of the native log to a {@link System.Logger} of the program, where
 * {@code HAYATE_LOG_TO} asks for that. A thread comes for them: whoever logs may hold locks, and
 * may be no thread of Java. What the logger does not take goes to stderr, and so does what is
 * logged once the virtual machine goes down, when the logger may be closed.
 */
public final class LogReader implements Runnable {
    private static final String PROPERTY = "hayate.log.to";
    private static final String LOGGER = "io.hayate";
    /** By the native number. */
    private static final Level[] LEVELS = {Level.ERROR, Level.WARNING, Level.INFO, Level.DEBUG};
    private static final int ROOM = 1024;
    /** For a line that the logger is busy with at the end. */
    private static final long END_MILLIS = 1000;

    private static boolean started;

    private System.Logger logger;
    private boolean refused;

    private LogReader() {
    }

    /**
     * Starts the thread, once, if it is asked for. {@link NativeLoader#load()} comes first.
     *
     * @throws io.hayate.ArgumentException if the variable or the property is wrong
     * @throws io.hayate.SystemFailureException if the thread cannot be started
     */
    public static synchronized void start() {
        if (started || Errors.check(LogBinding.logWanted(System.getProperty(PROPERTY))) == 0) {
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

    /** Finds the logger, which may take long, before lines wait for it. */
    private void prepare() {
        try {
            logger();
        } catch (Throwable thrown) {
            // so it is with the first line, and is told there
        }
    }

    /** The logger is the program's: whatever it throws, the line is not lost and others follow. */
    private void give(Level level, byte[] text) {
        try {
            logger().log(level, Native.toString(text, "UTF-8"));
        } catch (Throwable thrown) {
            LogBinding.logRefuse(refused ? null : "System.Logger " + LOGGER + " threw "
                    + thrown.getClass().getName() + "; what it refuses is written here");
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
