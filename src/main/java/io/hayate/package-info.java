// SPDX-License-Identifier: Apache-2.0
/**
 * Hayate, a communication runtime for solvers: the job and its memory
 * ({@link io.hayate.Hayate}, {@link io.hayate.Span}), and message passing on top of it
 * ({@link io.hayate.Fmpl}), collectives that are prepared once ({@link io.hayate.PersistentColl}),
 * and programs as tasks of one address space ({@link io.hayate.Pvas}).
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
 *     fmpl.allreduce(y, Reduction.DSUM);
 * }
 * }</pre>
 *
 * <p>Offsets and lengths are {@code long} and in bytes, counts are in elements. Exceptions are
 * unchecked, see {@link io.hayate.HayateException}. Nothing is written to the standard output. The
 * log goes to the standard error, or, with {@code HAYATE_LOG_TO=logger} in the environment or
 * {@code -Dhayate.log.to=logger}, to the {@link java.lang.System.Logger} named {@code io.hayate}.
 */
package io.hayate;
