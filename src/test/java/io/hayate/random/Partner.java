// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

/** Another thread. It allocates nothing after its call, because there may be no memory. */
final class Partner {
    private static final long MOST_MS = 20_000;

    private final Thread thread;
    private Throwable thrown; // written by the thread before its end

    Partner(Scarce.Step call) {
        thread = new Thread(() -> {
            try {
                call.run();
            } catch (Throwable any) {
                thrown = any;
            }
        }, "partner");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** It is in native code, or at its end. */
    void awaitNative() throws InterruptedException {
        while (thread.isAlive()) {
            StackTraceElement[] stack = thread.getStackTrace();
            if (stack.length > 0 && stack[0].isNativeMethod()
                    && stack[0].getClassName().startsWith("io.hayate.internal.")) {
                return;
            }
            Thread.sleep(1);
        }
    }

    /** Waits for its end, and throws what it threw. */
    void finish() throws Exception {
        thread.join(MOST_MS);
        if (thread.isAlive()) {
            throw new AssertionError("a partner waits: " + java.util.List.of(
                    thread.getStackTrace()));
        }
        if (thrown != null) {
            throw new AssertionError("a partner failed", thrown);
        }
    }
}
