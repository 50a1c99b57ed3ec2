// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.internal.jfr.Recorder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a recording of the JVM contains. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FlightRecorderTest {
    private final Recording recording = new Recording();
    @TempDir
    private Path directory;

    @BeforeEach
    void start() {
        recording.start();
    }

    @AfterEach
    void end() {
        recording.close();
    }

    private void record(String event) {
        recording.enable(event).withoutThreshold();
    }

    /** The events of the name that were recorded until now. */
    private List<RecordedEvent> events(String name) throws IOException {
        Path file = directory.resolve("test.jfr");
        recording.dump(file);
        try {
            return RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().equals(name)).toList();
        } finally {
            Files.delete(file);
        }
    }

    private List<RecordedEvent> operations(String name) throws IOException {
        return events("io.hayate.Operation").stream()
                .filter(event -> event.getString("operation").equals(name)).toList();
    }

    @Test
    void should_record_the_ranks_that_join() throws Exception {
        record("io.hayate.Init");
        Hayate.initThreads(2).forEach(Hayate::close);
        List<RecordedEvent> events = events("io.hayate.Init");
        assertEquals(List.of(0, 1), events.stream().map(e -> e.getInt("rank")).sorted().toList());
        for (RecordedEvent event : events) {
            assertEquals(2, event.getInt("size"));
            assertEquals(1, event.getInt("nodes"));
            assertTrue(event.getDuration().toNanos() > 0);
        }
    }

    @Test
    void should_record_messages() throws Exception {
        record("io.hayate.Operation");
        ThreadJob.run(2, (job, fmpl) -> {
            Span span = Span.of(new byte[24]);
            if (job.rank() == 0) {
                fmpl.send(span, 1, 3);
            } else {
                fmpl.timeout(Duration.ofMillis(1)); // only a probe that waits is recorded
                assertThrows(TimedOutException.class, () -> fmpl.probe(0, 6));
                fmpl.timeout(Ompl.FOREVER);
                fmpl.probe(0, 3);
                fmpl.recv(span, 0, 3);
                fmpl.isend(span, 0, 4).await();
            }
            fmpl.irecv(span, Fmpl.NO_RANK, 5).await();
            assertTrue(fmpl.isend(span, Fmpl.NO_RANK, 5).test());
        });
        assertEquals(Set.of("barrier", "probe", "receive", "send"),
                events("io.hayate.Operation").stream().map(event -> event.getString("operation"))
                        .filter(name -> !name.equals("init")).collect(Collectors.toSet()));
        RecordedEvent receive = operations("receive").get(0);
        assertEquals(1, receive.getInt("rank"));
        assertEquals(0, receive.getInt("peer"));
        assertEquals(3, receive.getInt("mai"));
        assertEquals(24, receive.getLong("bytes"));
        assertEquals(List.of(3, 4), operations("send").stream()
                .map(event -> event.getInt("mai")).sorted().toList());
        assertEquals(2, operations("barrier").size());
    }

    @Test
    void should_record_collectives_by_their_names() throws Exception {
        record("io.hayate.Operation");
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job);
                HeapSpan span = job.allocate(16)) {
            fmpl.bcast(span, 0);
            fmpl.allreduce(span, Reduction.LONG_SUM);
            fmpl.world().ibarrier().await();
            try (PersistentOperation operation = PersistentColl.on(fmpl.world()).barrier()) {
                operation.start();
                operation.await();
            }
            fmpl.waitAny(fmpl.isend(span, 0, 1), fmpl.irecv(span, 0, 1));
        }
        assertEquals(16, operations("bcast").get(0).getLong("bytes"));
        assertEquals(16, operations("allreduce").get(0).getLong("bytes"));
        assertEquals(2, operations("barrier").size());
        assertEquals(1, operations("requests").size());
    }

    @Test
    void should_record_waits_for_the_global_space() throws Exception {
        record("io.hayate.Operation");
        try (Hayate job = Hayate.init(); Ompl ompl = Ompl.open(job, 4096)) {
            ompl.putWord(0, 64);
            ompl.await(64);
            ompl.flush();
        }
        assertEquals(1, operations("word").size());
        assertEquals(-1, operations("flush").get(0).getInt("peer"));
    }

    @Test
    void should_record_failures() throws Exception {
        record("io.hayate.Failure");
        List<Hayate> jobs = Hayate.initThreads(2);
        Thread other = new Thread(() -> {
            Fmpl.init(jobs.get(1));
            jobs.get(1).close();
        });
        other.start();
        Fmpl fmpl = Fmpl.init(jobs.get(0));
        Span span = Span.of(new byte[8]);
        HayateException failure = assertThrows(PeerFailedException.class,
                () -> fmpl.recv(span, 1, 0));
        Request request = fmpl.irecv(span, 0, 1);
        assertThrows(TimedOutException.class, () -> request.await(Duration.ofMillis(1)));
        jobs.get(0).close();
        other.join();
        List<RecordedEvent> events = events("io.hayate.Failure");
        assertEquals(List.of("PeerFailedException", "TimedOutException"), events.stream()
                .map(event -> event.getString("exception")).collect(Collectors.toList()));
        assertEquals(0, events.get(0).getInt("rank"));
        assertEquals(1, events.get(0).getInt("peer"));
        assertEquals(failure.reason(), events.get(0).getString("text"));
    }

    @Test
    void should_leave_out_what_is_shorter_than_the_threshold() throws Exception {
        recording.enable("io.hayate.Operation").withThreshold(Duration.ofHours(1));
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            fmpl.barrier();
        }
        assertTrue(events("io.hayate.Operation").isEmpty());
    }

    @Test
    void should_be_off_unless_a_recording_asks() throws Exception {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            fmpl.barrier();
            assertTrue(Recorder.isOff());
            record("io.hayate.Failure");
            assertFalse(Recorder.isOff());
            recording.disable("io.hayate.Failure");
            assertTrue(Recorder.isOff());
        }
        assertTrue(events("io.hayate.Init").isEmpty());
        assertTrue(events("io.hayate.Operation").isEmpty());
        EventType operation = FlightRecorder.getFlightRecorder().getEventTypes().stream()
                .filter(type -> type.getName().equals("io.hayate.Operation")).findAny().get();
        assertFalse(operation.isEnabled());
    }
}
