// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Ranks that meet at a store on this host, each a thread of the test. */
final class StoreJob {
    static final byte[] SECRET = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final long PATIENCE_S = 60;

    final int port;
    final int size;
    private Duration limit = StoreAccess.LIMIT;
    private byte[] record = new byte[0]; // what each rank adds to its number

    /** A rank, and the thread in which it joins. */
    static final class Rank {
        final CompletableFuture<List<List<String>>> result = new CompletableFuture<>();
        Thread thread;

        /** Returns the records of both rounds, or throws what the exchange threw. */
        List<List<String>> await() throws Exception {
            try {
                return result.get(PATIENCE_S, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw (Exception) e.getCause();
            } catch (TimeoutException e) {
                throw new AssertionError("the rank still waits", e);
            }
        }

        /** Returns what the exchange threw. */
        Exception failure() {
            try {
                throw new AssertionError("the rank has joined: " + await());
            } catch (Exception e) {
                return e;
            }
        }
    }

    StoreJob(int size) throws IOException {
        this(size, freePort());
    }

    StoreJob(int size, int port) {
        this.size = size;
        this.port = port;
    }

    static int freePort() throws IOException {
        try (ServerSocket any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return any.getLocalPort();
        }
    }

    StoreJob limit(long millis) {
        limit = Duration.ofMillis(millis);
        return this;
    }

    StoreJob records(int bytes) {
        record = " ".repeat(bytes).getBytes(StandardCharsets.US_ASCII);
        return this;
    }

    InetSocketAddress address() {
        return new InetSocketAddress("127.0.0.1", port);
    }

    StoreAccess access(byte[] secret, String name) {
        return new StoreAccess(new StoreAddress("127.0.0.1", port), secret, name, limit);
    }

    StoreExchange exchange(int rank) {
        return new StoreExchange(access(SECRET, ""), rank, size);
    }

    Rank start(int rank) {
        return start(rank, exchange(rank));
    }

    Rank start(int number, StoreExchange exchange) {
        Rank rank = new Rank();
        rank.thread = new Thread(() -> {
            try (exchange) {
                List<String> first = texts(exchange.allgather(record(number, 1)));
                rank.result.complete(List.of(first, texts(exchange.allgather(record(number, 2)))));
            } catch (Exception | Error e) {
                rank.result.completeExceptionally(e);
            }
        });
        rank.thread.setDaemon(true);
        rank.thread.start();
        return rank;
    }

    List<Rank> start(int from, int to) {
        List<Rank> ranks = new ArrayList<>();
        for (int rank = from; rank < to; rank++) {
            ranks.add(start(rank));
        }
        return ranks;
    }

    byte[] record(int rank, int round) {
        byte[] head = (rank + "/" + round).getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(head, head.length + record.length);
        System.arraycopy(record, 0, all, head.length, record.length);
        return all;
    }

    private static List<String> texts(List<byte[]> records) {
        return records.stream().map(record -> new String(record, StandardCharsets.US_ASCII).strip())
                .toList();
    }

    /** Returns what every rank is to get. */
    List<List<String>> expected() {
        List<List<String>> rounds = new ArrayList<>();
        for (int round = 1; round <= 2; round++) {
            List<String> records = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                records.add(rank + "/" + round);
            }
            rounds.add(records);
        }
        return rounds;
    }
}
