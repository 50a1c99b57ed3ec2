// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

import io.hayate.Exchange;
import io.hayate.HayateException;
import io.hayate.LaunchException;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import java.util.Arrays;
import java.util.List;

/**
 * Joins a job whose ranks tell each other two records by an exchange of the program. Between the
 * two calls of the exchange, and behind them, native code works; it never calls back.
 */
final class Joining {
    private static final int LONGEST = 4096; // more than any version tells

    private final int rank;
    private final int size;
    private final Exchange exchange;

    private Joining(int rank, int size, Exchange exchange) {
        this.rank = rank;
        this.size = size;
        this.exchange = exchange;
    }

    /** Returns the native job. An exchange that can be closed is, if there is none. */
    static long join(int rank, int size, Exchange exchange) {
        try {
            return new Joining(rank, size, exchange).join();
        } catch (RuntimeException | Error e) {
            if (exchange instanceof AutoCloseable open) {
                close(open, e);
            }
            throw e;
        }
    }

    private static void close(AutoCloseable exchange, Throwable why) {
        try {
            exchange.close();
        } catch (Exception e) {
            why.addSuppressed(e);
        }
    }

    private long join() {
        byte[] record = new byte[SetupBinding.OFFER_BYTES];
        int[] length = new int[1];
        long join = Errors.check(
                SetupBinding.joinOffer(rank, size, MachineKey.own(), record, length));
        Records offers = exchangedOrDropped(join, record, length[0]);
        int told = begun(join, offers, record);
        Records addresses = exchangedOrDropped(join, record, told);
        return VirtualThreads.await(() -> Errors.check(SetupBinding.joinFinish(join,
                addresses.count(), addresses.bytes, addresses.lengths)));
    }

    /** Waits for other ranks of this machine, which may be virtual threads as well. */
    private static int begun(long join, Records offers, byte[] record) {
        try {
            return (int) VirtualThreads.await(() -> SetupBinding.joinBegin(join, offers.count(),
                    offers.bytes, offers.lengths, record));
        } catch (RuntimeException | Error e) { // no memory, or no thread
            SetupBinding.joinDrop(join);
            throw e;
        }
    }

    private Records exchangedOrDropped(long join, byte[] record, int length) {
        try {
            return new Records(exchanged(Arrays.copyOf(record, length)));
        } catch (RuntimeException | Error e) {
            HayateException before = Errors.failureIfRoom(SetupBinding.joinDrop(join));
            if (before != null) {
                e.addSuppressed(before);
            }
            throw e;
        }
    }

    private List<byte[]> exchanged(byte[] record) {
        List<byte[]> records;
        try {
            records = exchange.allgather(record);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("was interrupted", e);
        } catch (LaunchException e) { // of the store
            throw e;
        } catch (Exception e) {
            throw failure("failed: " + e, e);
        }
        if (records == null) {
            throw failure("returned null, expected the records of all ranks", null);
        }
        for (byte[] each : records) {
            if (each == null || each.length > LONGEST) {
                throw failure("returned " + (each == null ? "a record that is null"
                        : "a record of " + each.length + " bytes")
                        + ", expected the records that the ranks have given", null);
            }
        }
        return records;
    }

    private RuntimeException failure(String what, Throwable cause) {
        return Errors.launch("the exchange of rank " + rank + " of " + size + " " + what, cause);
    }

    /** The records one after the other, as native code reads them. */
    private static final class Records {
        private final byte[] bytes;
        private final int[] lengths;

        Records(List<byte[]> records) {
            lengths = records.stream().mapToInt(record -> record.length).toArray();
            bytes = new byte[Math.max(1, Math.toIntExact(
                    Arrays.stream(lengths).asLongStream().sum()))];
            int at = 0;
            for (byte[] record : records) {
                System.arraycopy(record, 0, bytes, at, record.length);
                at += record.length;
            }
        }

        int count() {
            return lengths.length;
        }
    }
}
