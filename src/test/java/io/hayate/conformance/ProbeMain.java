// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.hayate.Element;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.HeapSpan;
import io.hayate.PeerFailedException;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import java.lang.management.ManagementFactory;

/** Small programs for tests of how ranks are started and what they leave. */
public final class ProbeMain {
    /** Entry of a rank: what to do. */
    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "join" -> join();
            case "quiet" -> quiet();
            case "heap" -> heap();
            case "idle" -> idle();
            case "allocate" -> allocate();
            case "wait" -> waitForEver();
            case "abort" -> abort();
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Says {@code JOINED rank of size}, or {@code REFUSED class code reason}. */
    private static void join() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            fmpl.barrier();
            System.out.println("JOINED " + job.rank() + " of " + job.size());
        } catch (HayateException refused) {
            System.out.println("REFUSED " + refused.getClass().getSimpleName() + " "
                    + refused.code() + " " + refused.reason());
        }
    }

    /** Uses everything a little and prints nothing; fails by its exit status. */
    private static void quiet() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                HeapSpan heap = job.allocate(4 << 20)) {
            int right = (job.rank() + 1) % job.size();
            int left = (job.rank() + job.size() - 1) % job.size();
            for (Span out : new Span[] {heap, Span.of(Rank.direct(1 << 20)),
                Span.of(new double[9000])}) {
                Request sent = fmpl.isend(out, right, 1);
                fmpl.recv(Span.of(new byte[4 << 20]), left, 1);
                sent.await();
                fmpl.allreduce(out.as(Element.LONG), Reduction.LONG_SUM);
            }
            fmpl.barrier();
        }
    }

    private static void heap() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            System.out.println("SIZE " + job.heapSize());
            try {
                job.allocate(8 << 20);
                System.out.println("GIVEN");
            } catch (HayateException refused) {
                System.out.println("REFUSED " + refused.getClass().getSimpleName() + " "
                        + refused.code() + " " + refused.reason());
            }
            fmpl.barrier();
        }
    }

    /** Rank 1 says {@code PERCENT} of a core that it used while it waited for 3 s. */
    private static void idle() throws InterruptedException {
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Span token = Span.of(new byte[8]);
            for (int i = 0; i < 5000; i++) {
                fmpl.barrier();
            }
            if (job.rank() == 0) {
                Thread.sleep(3000);
                fmpl.send(token, 1, 0);
                return;
            }
            Thread.sleep(500); // the compiler's threads are done
            long begun = System.nanoTime();
            long before = system.getProcessCpuTime();
            fmpl.recv(token, 0, 0);
            long used = system.getProcessCpuTime() - before;
            System.out.println("PERCENT " + 100.0 * used / (System.nanoTime() - begun));
        }
    }

    /** Says ALLOCATED and bytes: what the first long wait of a rank takes from the Java heap. */
    private static void allocate() throws InterruptedException {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                HeapSpan heap = job.allocate(8);
                PersistentOperation sum =
                        PersistentColl.on(fmpl.world()).allreduce(heap, Reduction.DOUBLE_SUM)) {
            long bytes = 0;
            for (int round = 0; round < 20; round++) {
                boolean last = round == 19;
                if (last && job.rank() == 1) {
                    Thread.sleep(300); // several of the looks at an interrupt
                }
                long before = threads.getCurrentThreadAllocatedBytes();
                sum.start();
                sum.await();
                bytes = threads.getCurrentThreadAllocatedBytes() - before;
            }
            if (job.rank() == 0) {
                System.out.println("ALLOCATED " + bytes);
            }
        }
    }

    /** Rank 1 aborts with code 7; the others succeed when they learn of it. */
    private static void abort() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            if (job.rank() == 1) {
                job.abort(7, "no input");
            }
            fmpl.barrier();
        } catch (PeerFailedException expected) {
            System.out.println("TOLD " + expected.reason());
        }
    }

    private static void waitForEver() {
        Hayate job = Hayate.init();
        Fmpl fmpl = Fmpl.init(job);
        Span big = Span.of(Rank.direct(4 << 20));
        fmpl.irecv(big, job.rank(), 1);
        System.out.println("READY " + ProcessHandle.current().pid());
        fmpl.recv(Span.of(new byte[1]), job.rank(), 0);
    }
}
