// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.conformance.Disagreement;
import io.hayate.docs.Document;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What differs between ranks is told as the table of docs/guide/collectives.md says. */
@Timeout(300)
class DisagreementTest {
    private static final int RANKS = 3;
    /** For what nobody tells. */
    private static final Duration SHORT = Duration.ofMillis(300);

    private interface Body {
        void run(Hayate job, Fmpl fmpl, boolean odd) throws Exception;
    }

    /** Other things than collectives that ranks must do alike; the last rank does not. */
    private enum Other {
        PREPARED("the arguments of a persistent collective", MismatchException.class, true,
                (job, fmpl, odd) -> PersistentColl.on(fmpl.world()).bcast(eight(), odd ? 1 : 0)),
        RUNS("the number of runs of a persistent collective", PeerFailedException.class, false,
                (job, fmpl, odd) -> {
                    try (PersistentOperation sum = PersistentColl.on(fmpl.world())
                            .allreduce(eight(), Reduction.DOUBLE_SUM)) {
                        for (int i = odd ? 2 : 1; i > 0; i--) {
                            sum.start();
                            sum.await();
                        }
                    }
                }),
        NEIGHBORS("the neighbours that members name", MismatchException.class, true,
                (job, fmpl, odd) -> fmpl.world().neighbors(
                        new int[0], odd ? new int[] {0} : new int[0])),
        SPACE("the size of an `Ompl`", MismatchException.class, true,
                (job, fmpl, odd) -> Ompl.open(job, odd ? 16 : 8)),
        ENTRIES("the number of entries of an `Fmpl`", MismatchException.class, true,
                (job, fmpl, odd) -> Fmpl.init(job, odd ? 2 : 1)),
        SET_UP("what ranks set up", MismatchException.class, true, (job, fmpl, odd) -> {
                    if (odd) {
                        fmpl.create(true);
                    } else {
                        Ompl.open(job, 8);
                    }
                }),
        WIDTH("the width, the elements or the corners of a `HaloExchange`",
                MismatchException.class, true,
                (job, fmpl, odd) -> halo(fmpl, true, odd ? 2 : 1, 0)),
        GRID("the grid or the mai of a `HaloExchange`", MismatchException.class, true,
                (job, fmpl, odd) -> halo(fmpl, odd, 1, 0)),
        MAI(GRID.what, MismatchException.class, true,
                (job, fmpl, odd) -> halo(fmpl, true, 1, odd ? 2 : 0)),
        EXCHANGES("the number of exchanges of a `HaloExchange`", PeerFailedException.class, false,
                (job, fmpl, odd) -> {
                    HaloExchange halo = halo(fmpl, true, 1, 0); // closed with the Fmpl
                    for (int i = odd ? 2 : 1; i > 0; i--) {
                        halo.exchange();
                    }
                }),
        VALUE_ROOT("the root of `Values.bcast`", MismatchException.class, false,
                (job, fmpl, odd) -> Values.of(fmpl, 0, Codec.strings()).bcast("x", odd ? 1 : 0)),
        CODEC("the codec of `Values`", CallbackException.class, false, (job, fmpl, odd) -> {
                    if (odd) {
                        Values.of(fmpl, 0, Codec.longs()).bcast(null, 0);
                    } else {
                        Values.of(fmpl, 0, Codec.bytes()).bcast(new byte[3], 0);
                    }
                }),
        GATHER_ROOT("the root of `Values.gather`", PeerFailedException.class, false,
                (job, fmpl, odd) -> Values.of(fmpl, 0, Codec.strings())
                        .gather("x", odd ? 1 : 0)),
        REDUCER("what a function of `Reduction.of` computes", null, false,
                (job, fmpl, odd) -> fmpl.allreduce(eight(), Reduction.of(fmpl, 8,
                        (inout, in, count) -> inout.putLong(0, odd ? 1 : 2)))),
        ORDER("the order of calls on two communicators", TimedOutException.class, false,
                (job, fmpl, odd) -> {
                    Communicator one = fmpl.world().dup();
                    Communicator two = fmpl.world().dup();
                    fmpl.timeout(SHORT);
                    (odd ? two : one).barrier();
                    (odd ? one : two).barrier();
                });

        private final String what;
        private final Class<?> told; // to some, or to all
        private final boolean toAll;
        private final Body body;

        Other(String what, Class<?> told, boolean toAll, Body body) {
            this.what = what;
            this.told = told;
            this.toAll = toAll;
            this.body = body;
        }

        private static Span eight() {
            return Span.of(new double[1]);
        }

        private static HaloExchange halo(Fmpl fmpl, boolean periodic, int width, int mai) {
            Cartesian grid = Cartesian.of(fmpl.world(), new int[] {RANKS}, periodic);
            return HaloExchange.ofFaces(grid, Span.of(new double[4 + 2 * width]), 8,
                    new int[] {4}, width, mai);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void should_tell_somebody_of_each_difference(int ranks) throws Exception {
        ThreadJob.run(ranks, (job, fmpl) -> {
            for (Disagreement one : Disagreement.all(ranks)) {
                one.verify(job, fmpl, false);
            }
        });
    }

    /** Who waits in a call need not wait for the end of the communicator. */
    @Test
    void should_tell_whoever_waits_in_the_call() throws Exception {
        ThreadJob.run(RANKS, (job, fmpl) -> {
            for (Disagreement one : Disagreement.all(RANKS)) {
                if (one.isToldInTheCall()) {
                    one.verify(job, fmpl, true);
                }
            }
        });
    }

    private static Collection<Throwable> thrownBy(Body body) {
        Collection<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
        Hayate.runThreads(RANKS, job -> {
            try (job; Fmpl fmpl = Fmpl.init(job, 8)) {
                body.run(job, fmpl, job.rank() == RANKS - 1);
            } catch (HayateException e) {
                thrown.add(e);
            }
        });
        return thrown;
    }

    @ParameterizedTest
    @EnumSource
    void should_tell_what_else_differs(Other other) {
        Collection<Throwable> thrown = thrownBy(other.body);
        Set<Class<?>> types = thrown.stream().map(Throwable::getClass).collect(Collectors.toSet());
        types.removeIf(type -> type == BrokenCommunicatorException.class); // of a limit elsewhere
        if (!other.toAll && types.size() > 1) {
            types.remove(PeerFailedException.class); // a consequence
        }
        assertEquals(other.told == null ? Set.of() : Set.of(other.told), types, thrown::toString);
        assertTrue(!other.toAll || thrown.size() == RANKS, thrown::toString);
    }

    private static String row(String what, Collection<Class<?>> told) {
        return "| " + what + " | " + (told.isEmpty() ? "none" : told.stream()
                .map(type -> "`" + type.getSimpleName() + "`").sorted()
                .collect(Collectors.joining(" or "))) + " | ";
    }

    /** The other rows of the table are those of this test, too. */
    @Test
    void should_be_documented() {
        List<String> table = Document.load(Path.of("docs/guide/collectives.md")).text().stream()
                .map(Document.Found::text).dropWhile(line -> !line.startsWith("| what differs"))
                .takeWhile(line -> line.startsWith("|")).skip(2).toList();
        Stream<String> collectives = Arrays.stream(Disagreement.Kind.values())
                .map(kind -> row(kind.what, kind.told));
        Stream<String> others = Arrays.stream(Other.values()).map(other -> row(other.what,
                other.told == null || other.told == TimedOutException.class ? Set.of()
                        : Set.of(other.told)) + (other.toAll ? "all " : ""));
        List<String> expected = Stream.concat(collectives, others).distinct().toList();
        assertEquals(expected.size(), table.size());
        for (int i = 0; i < table.size(); i++) {
            assertTrue(table.get(i).startsWith(expected.get(i)),
                    table.get(i) + "\nexpected: " + expected.get(i));
        }
    }
}
