// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

import io.hayate.AnySource;
import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.CallbackException;
import io.hayate.Cartesian;
import io.hayate.Codec;
import io.hayate.CollOptions;
import io.hayate.Communicator;
import io.hayate.Element;
import io.hayate.Fmpl;
import io.hayate.HaloExchange;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.OmplPiece;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.RankFailedException;
import io.hayate.Reduction;
import io.hayate.Request;
import io.hayate.Span;
import io.hayate.Values;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Messages, collectives, prepared ones and global spaces of one rank, all in a heap. Each message
 * and each block is one of few patterns, from memory that nobody ever writes to, so that whatever
 * comes together is known by its first byte.
 */
final class FacadeCalls extends CallTable {
    private static final int MAIS = 4;
    /** Entries of a thread: for messages, and two for a halo exchange. */
    private static final int OWN = 3;
    private static final int LONGEST = 20_000;
    private static final int PATTERNS = 8;
    private static final int SPACE = 256 << 10;
    private static final int WORD = 64;
    private static final int SUMS = 128;
    private static final Span[] OUT = patterns();

    private final Hayate job = Hayate.initThreads(1).get(0);
    /** Behind the entries that all use, each thread has some, and a communicator, of its own. */
    private final Fmpl fmpl = Fmpl.init(job, MAIS + OWN * RandomCallsMain.THREADS);
    private final List<Communicator> comms = new ArrayList<>();
    private final Ompl ompl;
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong added = new AtomicLong();

    FacadeCalls(long seed) {
        ompl = Ompl.open(job, SPACE, (int) (seed % 3));
        keep(fmpl.world());
        for (int i = 0; i < RandomCallsMain.THREADS; i++) {
            comms.add(fmpl.create(true));
        }
        messages();
        call("exchange", this::exchange);
        call("value", this::value);
        call("halo", this::halo);
        call("own communicator", this::ownCommunicator);
        call("allocate", chance -> keep(job.allocate(chance.offset(50_000))));
        call("touch", this::touch);
        call("create", chance -> keep(fmpl.create(!chance.oneIn(4))));
        call("split", this::split);
        call("reduction", chance -> keep(Reduction.of(fmpl, chance.of(8, 8, 16, 1, 4096, 0, -1),
                (inout, in, count) -> {
                    if (chance.oneIn(10)) {
                        throw new IllegalStateException("on purpose");
                    }
                })));
        call("collective", this::collective);
        call("blocks", this::blocks);
        call("prepare", this::prepare);
        call("use what is prepared", this::usePrepared);
        call("put and get", this::putAndGet);
        call("words", this::words);
        call("accumulate", this::accumulate);
        call("misuse the space", this::misuseSpace);
        call("close", this::closeOne);
        call("open another", this::another);
        call("collect", chance -> collect(chance));
        call("run threads", FacadeCalls::runThreads);
        call("the job of the process", FacadeCalls::processJob);
        call("counters", chance -> job.counters());
        wait("a flag that never comes", chance -> ompl.await(SPACE - 32));
        wait("recv", chance -> received(chance, new byte[LONGEST], true));
        wait("wait for any", chance -> {
            Receive receive = any(Receive.class, chance);
            if (receive != null && fmpl.waitAny(receive.request) >= 0) {
                checkReceived(receive.in);
            }
        });
        wait("send", chance -> fmpl.send(out(chance), 0, chance.index(MAIS)));
        wait("await what is prepared", this::awaitPrepared);
    }

    /** A job of its own, one of whose ranks may fail while the other waits for it. */
    private static void runThreads(Chance chance) {
        boolean fails = chance.oneIn(2);
        try {
            Hayate.runThreads(2, rank -> {
                if (fails && rank.rank() == 1) {
                    throw new IllegalStateException("on purpose");
                }
                Fmpl.init(rank, 1).barrier();
            });
        } catch (RankFailedException expected) {
            // the heap may be exhausted as well
        }
    }

    /** One at a time may be open beside the others. */
    private static void processJob(Chance chance) {
        if (chance.oneIn(20)) {
            try (Hayate own = Hayate.init(); Fmpl fmpl = Fmpl.init(own, 1)) {
                fmpl.allreduce(own.allocate(40), Reduction.DOUBLE_SUM);
            }
        }
    }

    private static Span[] patterns() {
        Span[] all = new Span[PATTERNS];
        for (int i = 0; i < PATTERNS; i++) {
            ByteBuffer memory = ByteBuffer.allocateDirect(LONGEST);
            while (memory.hasRemaining()) {
                memory.put((byte) (i + 1));
            }
            all[i] = Span.of(memory.flip().asReadOnlyBuffer());
        }
        return all;
    }

    private static Span out(Chance chance) {
        return OUT[chance.below(PATTERNS)].slice(0, chance.oneIn(2) ? chance.below(100)
                : chance.below(LONGEST));
    }

    /** Of a receive that is over: one pattern as far as something has come, and nothing behind. */
    private static void checkReceived(byte[] in) {
        int length = 0;
        while (length < in.length && in[length] != 0) {
            length++;
        }
        check(in, length);
        for (int i = length; i < in.length; i++) {
            if (in[i] != 0) {
                throw new AssertionError("byte " + i + " is " + in[i] + " behind " + length);
            }
        }
    }

    /** All of one pattern, whichever. */
    private static void check(byte[] in, long length) {
        for (int i = 1; i < length; i++) {
            if (in[i] != in[0] || in[0] < 1 || in[0] > PATTERNS) {
                throw new AssertionError("byte " + i + " of " + length + " is " + in[i]
                        + " behind " + in[0]);
            }
        }
    }

    // ---- messages

    /** A receive under way, and where it goes. */
    private record Receive(Request request, byte[] in) {
    }

    private void messages() {
        call("isend", chance -> fmpl.isend(chance.orNull(out(chance)), chance.index(1),
                chance.index(MAIS)));
        call("irecv", chance -> {
            byte[] in = new byte[LONGEST];
            keep(new Receive(fmpl.irecv(Span.of(in), chance.index(1), chance.index(MAIS)), in));
        });
        call("test", chance -> {
            Receive receive = any(Receive.class, chance);
            // what is over may be one that somebody else began there since: then this is over, too
            if (receive != null && receive.request.test()) {
                checkReceived(receive.in);
            }
        });
        call("cancel", chance -> {
            Receive receive = any(Receive.class, chance);
            if (receive != null && chance.oneIn(3)) {
                receive.request.cancel();
            }
        });
        call("short send and receive", chance -> {
            int mai = chance.below(MAIS);
            fmpl.isend(OUT[chance.below(PATTERNS)].slice(0, chance.below(56)), 0, mai);
            received(chance, new byte[LONGEST], false);
        });
        call("limited recv", chance -> {
            byte[] in = new byte[LONGEST];
            check(in, fmpl.recv(Span.of(in), 0, chance.below(MAIS), limit(chance)));
        });
        call("limited send", chance -> fmpl.send(OUT[chance.below(PATTERNS)].slice(0,
                chance.below(LONGEST)), 0, chance.index(MAIS), limit(chance)));
        call("limited await", chance -> {
            Receive receive = any(Receive.class, chance);
            if (receive != null) {
                receive.request.await(limit(chance));
                checkReceived(receive.in);
            }
        });
        call("probe", chance -> {
            int mai = chance.index(MAIS);
            OptionalLong length = fmpl.iprobe(0, mai);
            if (length.isPresent() && chance.oneIn(2)) {
                byte[] in = new byte[(int) length.getAsLong()];
                check(in, fmpl.recv(Span.of(in), 0, mai, Duration.ZERO));
            }
        });
        call("any source", this::anySource);
        call("send buffer", chance -> fmpl.setSendBuffer(chance.oneIn(3) ? null
                : any(HeapSpan.class, chance), Duration.ofMillis(chance.index(3))));
        call("look", chance -> {
            fmpl.checkSendBuffer();
            fmpl.trim();
            fmpl.breakdown(chance.oneIn(2));
            fmpl.breakdown();
        });
    }

    private static Duration limit(Chance chance) {
        return chance.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofMillis(2));
    }

    private void anySource(Chance chance) {
        AnySource any = any(AnySource.class, chance);
        if (any == null || chance.oneIn(10)) {
            keep(chance.oneIn(2) ? fmpl.anySource(chance.index(MAIS))
                    : fmpl.anySource(chance.index(MAIS), chance.below(MAIS), chance.index(MAIS)));
            return;
        }
        byte[] in = new byte[chance.oneIn(2) ? LONGEST : chance.below(100)];
        if (chance.oneIn(3)) {
            any.recv(Span.of(in), limit(chance));
            checkReceived(in);
        } else if (any.poll(Span.of(in)) == 0) {
            checkReceived(in);
        }
    }

    /** Into memory of its own. */
    private void received(Chance chance, byte[] in, boolean wait) {
        if (wait) {
            check(in, fmpl.recv(Span.of(in), 0, chance.below(MAIS)));
            return;
        }
        Request request = fmpl.irecv(Span.of(in), 0, chance.below(MAIS));
        if (request.test()) {
            checkReceived(in);
        }
    }

    private static int own(Chance chance) {
        return MAIS + OWN * chance.thread;
    }

    /** A value that comes back as it was. */
    private void value(Chance chance) {
        Values<byte[]> values = Values.of(fmpl, own(chance), Codec.bytes());
        byte[] bytes = new byte[chance.below(Values.SHORT)];
        Arrays.fill(bytes, (byte) (1 + chance.below(PATTERNS)));
        values.flush(chance.index(1));
        values.send(bytes, 0);
        byte[] back = chance.oneIn(2) ? values.recv(0) : values.recvAny().value();
        if (!Arrays.equals(bytes, back)) {
            throw new AssertionError("another value");
        }
    }

    /**
     * Of a ring of one rank: the halo holds the elements of the other end. Not in an array, because
     * -Xcheck:jni copies arrays as a whole, and so loses one of two messages into different parts.
     */
    private void halo(Chance chance) {
        Cartesian ring = Cartesian.of(comms.get(chance.thread), new int[1], true);
        int width = 1 + chance.below(3);
        int inner = chance.below(8);
        ByteBuffer block = ByteBuffer.allocateDirect(2 * width + inner);
        for (int i = 0; i < inner; i++) {
            block.put(width + i, (byte) (1 + i));
        }
        try (HaloExchange halo = HaloExchange.ofFaces(
                ring, Span.of(block), 1, new int[] {inner}, width, own(chance) + 1)) {
            halo.exchange();
        }
        for (int i = 0; i < width; i++) {
            if (block.get(i) != block.get(i + inner)
                    || block.get(width + inner + i) != block.get(width + i)) {
                throw new AssertionError("halo of " + width + " around " + inner);
            }
        }
    }

    /** On the thread's own entry, so that it is known what comes. */
    private void exchange(Chance chance) {
        int mai = own(chance);
        int bytes = chance.below(chance.of(57, 4100, LONGEST));
        int pattern = chance.below(PATTERNS);
        byte[] in = new byte[bytes];
        Request received = fmpl.irecv(Span.of(in), 0, mai);
        fmpl.send(OUT[pattern].slice(0, bytes), 0, mai);
        if (received.await() != bytes || bytes > 0 && in[0] != pattern + 1) {
            throw new AssertionError(bytes + " bytes of pattern " + pattern);
        }
        check(in, bytes);
    }

    // ---- collectives

    /** Nobody else uses it, so it is never busy, also behind a mistake. */
    private void ownCommunicator(Chance chance) {
        Communicator own = comms.get(chance.thread);
        int[] word = {chance.thread};
        try {
            if (chance.oneIn(2)) {
                fmpl.bcast(Span.of(word), chance.index(1), own);
            } else {
                fmpl.reduce(Span.of(word), reduction(chance), chance.index(1), own);
            }
        } catch (ArgumentException | CallbackException mistake) {
            // what follows must not know of it
        } catch (BusyException busy) {
            throw new AssertionError("a communicator that nobody else uses", busy);
        }
        if (word[0] != chance.thread) {
            throw new AssertionError("one rank alone has another result");
        }
    }

    /** Memory of the heap, which stays while a buffer of it is used. FMPL may keep sends there. */
    private void touch(Chance chance) {
        HeapSpan span = any(HeapSpan.class, chance);
        ByteBuffer buffer = any(ByteBuffer.class, chance);
        if (span != null && chance.oneIn(2)) {
            keep(span.buffer());
        } else if (buffer != null && buffer.capacity() > 0) {
            buffer.get(chance.below(buffer.capacity()));
        }
    }

    private void split(Chance chance) {
        Communicator from = comm(chance);
        keep((from == null ? fmpl.world() : from).split(chance.below(4) - 1, chance.below(3)));
    }

    private Communicator comm(Chance chance) {
        Communicator comm = any(Communicator.class, chance);
        return comm == null || chance.oneIn(2) ? chance.orNull(fmpl.world()) : comm;
    }

    private Reduction reduction(Chance chance) {
        Reduction made = any(Reduction.class, chance);
        return made != null && chance.oneIn(2) ? made
                : chance.of(Reduction.LONG_SUM, Reduction.DOUBLE_ABS_MAX,
                        Reduction.INT_MIN_LOC, Reduction.COMPLEX_FLOAT_ABS_MIN, null);
    }

    private void collective(Chance chance) {
        long[] values = new long[chance.below(500)];
        Arrays.fill(values, 1 + chance.below(PATTERNS));
        long[] before = values.clone();
        Span span = Span.of(values);
        switch (chance.below(6)) {
            case 0 -> fmpl.barrier(comm(chance));
            case 1 -> fmpl.bcast(span, chance.index(1), comm(chance));
            case 2 -> fmpl.hbcast(span, chance.index(1));
            case 3 -> fmpl.allreduce(span, chance.offset(100), chance.offset(100),
                    Reduction.LONG_SUM, comm(chance));
            case 4 -> fmpl.reduce(span, Reduction.LONG_SUM, chance.index(1), comm(chance));
            default -> {
                Reduction how = reduction(chance);
                boolean fits = how == null || how.element() == null;
                fmpl.allreduce(fits ? span : span.as(how.element()), how, comm(chance));
            }
        }
        if (!Arrays.equals(before, values)) {
            throw new AssertionError("one rank alone has another result");
        }
    }

    /** Of one rank alone: the output is the input. */
    private void blocks(Chance chance) {
        Communicator comm = comm(chance);
        if (comm == null) {
            return;
        }
        long[] in = new long[chance.below(300)];
        Arrays.fill(in, 1 + chance.below(PATTERNS));
        long[] out = new long[in.length];
        Span from = Span.of(in);
        Span to = Span.of(out);
        long[] sizes = {from.bytes()};
        int root = chance.index(1);
        if (chance.oneIn(2)) {
            switch (chance.below(8)) {
                case 0 -> comm.gather(from, to, root);
                case 6 -> comm.neighbors(new int[1], new int[1]).alltoall(from, to);
                case 7 -> comm.alltoallw(new Span[] {from}, new Span[] {to});
                case 4 -> comm.reduce(from, to, Reduction.LONG_SUM, root);
                case 5 -> comm.allreduce(from, to, Reduction.LONG_SUM);
                case 1 -> comm.alltoallv(from, sizes, null, to, sizes, null);
                case 2 -> comm.scan(from, to, Reduction.LONG_SUM);
                default -> comm.scatterv(from, sizes, null, to, root);
            }
        } else {
            Request started = switch (chance.below(7)) {
                case 0 -> comm.iscatter(from, to, root);
                case 6 -> comm.neighbors(new int[1], new int[1]).iallgather(from, to);
                case 4 -> comm.ireduce(from, to, Reduction.LONG_SUM, root);
                case 5 -> comm.iallreduce(from, to, Reduction.LONG_SUM);
                case 1 -> comm.iallgatherv(from, to, sizes, null);
                case 2 -> comm.ireduceScatter(from, to, Reduction.LONG_SUM);
                default -> comm.igatherv(from, to, sizes, null, root);
            };
            while (chance.oneIn(2) && !started.test()) {
                Thread.onSpinWait();
            }
            started.await();
        }
        if (!Arrays.equals(in, out)) {
            throw new AssertionError("one rank alone has another result");
        }
    }

    /** One that copies its input to its output, whatever it is called. */
    private record Prepared(PersistentOperation operation, byte[] in, byte[] out,
            AtomicBoolean started) {
        Prepared(PersistentOperation operation, byte[] in, byte[] out) {
            this(operation, in, out, new AtomicBoolean());
        }

        void start() {
            operation.start();
            started.set(true);
        }

        /** Whoever starts it again copies the same. */
        void test() {
            boolean ran = started.get();
            if (operation.test() && ran) {
                check();
            }
        }

        void check() {
            if (!Arrays.equals(in, out)) {
                throw new AssertionError("not the same: " + operation);
            }
        }
    }

    private void prepare(Chance chance) {
        byte[] in = new byte[8 * chance.below(300)];
        byte[] out = new byte[in.length];
        Arrays.fill(in, (byte) (1 + chance.below(PATTERNS)));
        CollOptions options = chance.orNull(
                CollOptions.AUTO.progress(chance.of(CollOptions.Progress.values())));
        PersistentColl on = PersistentColl.on(comm(chance));
        Span from = Span.of(in);
        Span to = Span.of(out);
        int root = chance.index(1);
        keep(new Prepared(switch (chance.below(9)) {
            case 0 -> on.gather(from, to, root, options);
            case 8 -> on.alltoallw(new Span[] {from}, new Span[] {to}, options);
            case 6 -> on.reduce(from, to, reduction(chance), root, options);
            case 7 -> on.allreduce(from, to, reduction(chance), options);
            case 1 -> on.scatter(from, to, root, options);
            case 2 -> on.allgather(from, to, options);
            case 3 -> on.alltoall(from, to, options);
            case 4 -> on.reduceScatter(from, to, reduction(chance), options);
            default -> on.gatherv(from, to, new long[] {chance.offset(in.length)}, null, root,
                    options);
        }, in, out));
    }

    private void usePrepared(Chance chance) {
        Prepared prepared = any(Prepared.class, chance);
        if (prepared == null) {
            return;
        }
        switch (chance.below(4)) {
            case 0 -> prepared.start();
            case 1 -> prepared.test();
            case 2 -> prepared.operation.describe();
            default -> PersistentColl.on(fmpl.world()).progress();
        }
    }

    private void awaitPrepared(Chance chance) {
        byte[] in = new byte[100];
        byte[] out = new byte[100];
        Arrays.fill(in, (byte) 3);
        try (PersistentOperation own = PersistentColl.on(fmpl.world())
                .allgather(Span.of(in), Span.of(out))) {
            own.start();
            own.await();
            new Prepared(own, in, out).check();
        }
    }

    // ---- the global space

    private void putAndGet(Chance chance) {
        int at = 4096 * (1 + chance.thread) + chance.below(1000);
        int length = chance.below(2000);
        int pattern = chance.below(PATTERNS);
        byte[] in = new byte[length];
        Span from = OUT[pattern].slice(0, length);
        switch (chance.below(3)) {
            case 0 -> ompl.put(from, 0, at);
            case 1 -> {
                ompl.putStart(from, 0, at);
                ompl.flush();
            }
            default -> ompl.putVector(0, List.of(new OmplPiece(from, at)));
        }
        ompl.get(Span.of(in), 0, at);
        check(in, length);
        if (length > 0 && in[0] != pattern + 1) {
            throw new AssertionError("pattern " + in[0] + ", expected " + (pattern + 1));
        }
    }

    private void words(Chance chance) {
        long operand = chance.below(100);
        long least = added.get();
        begun.addAndGet(operand);
        long before = ompl.fetchAdd(0, WORD, operand);
        if (before < least || before + operand > begun.get()) {
            throw new AssertionError("the sum is " + before + ", not from " + least);
        }
        added.addAndGet(operand);
        ompl.waitUntil(WORD, chance.orNull(chance.of(Ompl.Comparison.values())), 5,
                Duration.ofNanos(chance.below(1000)));
    }

    /** All threads add the same to all elements, so their sums differ by what is under way. */
    private void accumulate(Chance chance) {
        int[] ones = {1, 1, 1, 1, 1, 1};
        int[] before = new int[ones.length];
        ompl.getAccumulate(Span.of(ones), Span.of(before), 0, SUMS, Reduction.INT_SUM);
        for (int sum : before) {
            if (sum != before[0]) { // one call is one piece
                throw new AssertionError("sums " + Arrays.toString(before));
            }
        }
        long after = ompl.fetchAndOp(0, SUMS, 0, Reduction.INT_BOR);
        if (after <= before[0]) {
            throw new AssertionError("a sum went from " + before[0] + " to " + after);
        }
        ompl.compareAndSwap(0, SUMS + 32, after, chance.random.nextInt(), Element.INT);
        ompl.exchange(Span.of(ones), Span.of(before), 0, SUMS + 40 + chance.below(100));
    }

    private void misuseSpace(Chance chance) {
        long at = SPACE - chance.below(100);
        switch (chance.below(9)) {
            case 0 -> ompl.get(chance.orNull(Span.of(new byte[200])), chance.index(1), at);
            case 1 -> ompl.getStart(Span.of(new byte[8]), chance.index(1), chance.offset(SPACE));
            case 2 -> ompl.putFlag(chance.index(2), at | 1, 1);
            case 3 -> ompl.load(chance.offset(SPACE));
            case 6 -> ompl.accumulate(chance.orNull(Span.of(new long[20])), chance.index(1), at,
                    chance.orNull(chance.of(Reduction.LONG_SUM, Reduction.INT_MAX)));
            case 7 -> ompl.compareAndSwap(chance.index(1), at, 0, 1, chance.orNull(Element.LONG));
            case 4 -> ompl.flush(chance.index(1));
            case 5 -> ompl.getVector(0, Arrays.asList(chance.orNull(
                    new OmplPiece(chance.orNull(Span.of(new byte[8])), chance.offset(SPACE)))));
            default -> ompl.swap(chance.index(1), chance.of(WORD + 4L, -8L, SPACE + 0L), 1);
        }
    }

    // ---- the rest

    private void closeOne(Chance chance) throws Exception {
        AutoCloseable one = any(AutoCloseable.class, chance);
        Prepared prepared = any(Prepared.class, chance);
        if (one != null && chance.oneIn(2)) {
            one.close();
        } else if (prepared != null) {
            prepared.operation.close();
        }
    }

    private void another(Chance chance) {
        if (chance.oneIn(20)) {
            Fmpl.init(job, chance.index(200)).close();
            Ompl.open(job, chance.offset(1 << 20), chance.index(70)).close();
        }
    }

    private void collect(Chance chance) {
        if (chance.oneIn(50)) {
            forget();
            System.gc();
        }
    }

    @Override
    void close() {
        fmpl.close();
        ompl.close();
        job.close();
    }
}
