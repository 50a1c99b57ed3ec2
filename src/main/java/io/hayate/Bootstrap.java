// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;

/**
 * How the ranks of a job find each other without a launcher: in an engine that starts the
 * processes (Spark, Kubernetes, a service), by an {@link Exchange} of the program. The argument of
 * {@link Hayate#init(Bootstrap)}.
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
        if (size < 1 || size > 1 << 16) {
            throw Errors.argument("job of " + size + " ranks: expected 1 to 65536");
        }
        if (rank < 0 || rank >= size) {
            throw Errors.argument("rank " + rank + " of " + size + ": expected 0 to " + (size - 1));
        }
        return new Bootstrap(rank, size, exchange);
    }
}
