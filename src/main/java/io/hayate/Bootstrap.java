// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.store.StoreAccess;
import io.hayate.internal.store.StoreAddress;
import io.hayate.internal.store.StoreEnvironment;
import io.hayate.internal.store.StoreExchange;
import java.nio.file.Path;

/**
 * How the ranks of a job find each other without a launcher: in an engine that starts the
 * processes (Spark, Kubernetes, a service), by an {@link Exchange} of the program, or by a store of
 * Hayate. The argument of {@link Hayate#init(Bootstrap)}.
 *
 * <!-- java: int rank, size; Exchange exchange; -->
 * <pre>{@code
 * try (Hayate job = Hayate.init(Bootstrap.of(rank, size, exchange))) {
 *     System.out.println("rank " + job.rank() + " of " + job.size());
 * }
 * }</pre>
 */
public final class Bootstrap {
    final int rank;
    final int size;
    final Exchange exchange;

    private Bootstrap(int rank, int size, Exchange exchange) {
        this.rank = rank;
        this.size = size;
        this.exchange = exchange;
    }

    /**
     * Describes a rank of a job whose ranks tell each other two records by an exchange.
     *
     * @param rank the number of this rank, 0 to size - 1, different on all ranks
     * @param size the number of ranks, 1 to 65,536, the same on all ranks
     * @param exchange an allgather among these ranks; not used after {@link Hayate#init(Bootstrap)}
     * @return the description, for one call of init()
     * @throws ArgumentException if the size or the rank is out of range, or the exchange is null
     */
    public static Bootstrap of(int rank, int size, Exchange exchange) {
        Errors.required(exchange, "exchange");
        requireRank(rank, size);
        return new Bootstrap(rank, size, exchange);
    }

    /**
     * Describes a rank of a job whose ranks know a port of rank 0's host and a secret. Rank 0
     * listens there while the ranks join, and no longer; the others try until it does. What they
     * tell each other is encrypted by keys made of the secret. All ranks join, or all that have
     * come get a {@link LaunchException} that says who is missing, ended or differs; so after
     * {@code HAYATE_STORE_LIMIT} (5 minutes) at the latest. {@code HAYATE_STORE_NAME} names the
     * job, if several could meet at one port by mistake.
     *
     * @param address {@code host:port}, or {@code [IPv6 address]:port}. Rank 0 listens at this
     *     address only, which may be {@code 0.0.0.0} there; there is no default port
     * @param rank the number of this rank, 0 to size - 1, different on all ranks
     * @param size the number of ranks, 1 to 65,536, the same on all ranks
     * @param secret a file with the secret, of 16 to 4096 bytes, the same on all ranks; line ends
     *     after it do not count. The file belongs to this user, and nobody else has access to it
     * @return the description, for one call of init()
     * @throws ArgumentException if an argument or a variable of the environment is invalid, or the
     *     file cannot be read or is not private
     */
    public static Bootstrap store(String address, int rank, int size, Path secret) {
        requireRank(rank, size);
        return store(new StoreEnvironment(System.getenv())
                .access(StoreAddress.parse(address), secret), rank, size);
    }

    /**
     * Does the same as {@link #store(String, int, int, Path)}, where the environment variable
     * {@code HAYATE_STORE_SECRET} names the file.
     *
     * @param address as there
     * @param rank as there
     * @param size as there
     * @return the description, for one call of init()
     * @throws LaunchException if the variable is not set
     * @throws ArgumentException as there
     */
    public static Bootstrap store(String address, int rank, int size) {
        requireRank(rank, size);
        return store(new StoreEnvironment(System.getenv()).access(address), rank, size);
    }

    private static Bootstrap store(StoreAccess access, int rank, int size) {
        return new Bootstrap(rank, size, new StoreExchange(access, rank, size));
    }

    private static void requireRank(int rank, int size) {
        if (size < 1 || size > 1 << 16) {
            throw Errors.argument("job of " + size + " ranks: expected 1 to 65536");
        }
        if (rank < 0 || rank >= size) {
            throw Errors.argument("rank " + rank + " of " + size + ": expected 0 to " + (size - 1));
        }
    }
}
