// SPDX-License-Identifier: Apache-2.0
/**
 * Hayate, a communication runtime for solvers. A program joins a job and allocates memory
 * ({@link io.hayate.Hayate}, {@link io.hayate.Span}). It then passes messages
 * ({@link io.hayate.Fmpl}), runs persistent collectives ({@link io.hayate.PersistentColl}), uses a
 * global address space ({@link io.hayate.Ompl}), or starts programs as tasks in one address space
 * ({@link io.hayate.Pvas}).
 *
 * <pre>{@code
 * try (Hayate job = Hayate.init();
 *         Fmpl fmpl = Fmpl.init(job);
 *         HeapSpan x = job.allocate(8 * 1000)) {
 *     int next = (job.rank() + 1) % job.size();
 *     int previous = (job.rank() + job.size() - 1) % job.size();
 *     HeapSpan y = job.allocate(x.bytes());
 *     Request arrival = fmpl.irecv(y, previous, 0);
 *     fmpl.send(x, next, 0);
 *     arrival.await();
 *     fmpl.allreduce(y, Reduction.DOUBLE_SUM);
 * }
 * }</pre>
 *
 * <p>Offsets and lengths are {@code long} and in bytes; counts are in elements. Exceptions are
 * unchecked; see {@link io.hayate.HayateException}. The library writes nothing to standard output.
 * It writes its log to standard error, or, with {@code HAYATE_LOG_TO=logger} in the environment or
 * {@code -Dhayate.log.to=logger}, to the {@link java.lang.System.Logger} named {@code io.hayate}.
 */
package io.hayate;
