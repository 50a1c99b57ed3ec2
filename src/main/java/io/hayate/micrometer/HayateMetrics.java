// SPDX-License-Identifier: Apache-2.0
package io.hayate.micrometer;

import io.hayate.ArgumentException;
import io.hayate.Hayate;
import io.hayate.internal.errors.Errors;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;

/**
 * Binds the counters of a rank ({@link Hayate#counters()}) to a registry of Micrometer. Each metric
 * has the tag {@code rank}. Nothing is counted twice or delayed: the counters are read when the
 * registry is.
 *
 * <p>The registry does not keep the rank alive. After close, its counters stay as they were.
 *
 * @see <a href="https://docs.micrometer.io/micrometer/reference/concepts/binders.html">Binders</a>
 */
@SuppressWarnings("exports")
public final class HayateMetrics implements MeterBinder {
    private static final Tags NONE = Tags.empty();

    /** What becomes of a counter; a gauge counts bytes that are in use. */
    private record Metric(String counter, String name, Tags tags, String unit, boolean gauge,
            String what) {
        static Metric count(String counter, String name, String what) {
            return new Metric(counter, name, NONE, null, false, what);
        }

        static Metric data(String counter, String name, String what) {
            return new Metric(counter, "data." + name, NONE, BaseUnits.BYTES, false, what);
        }

        static Metric moved(String protocol) {
            return new Metric(protocol, "messages.moved", Tags.of("protocol", protocol),
                    null, false, "Messages sent that are not short, by the way they took");
        }

        static Metric held(String counter, String area) {
            return new Metric(counter, "memory.held", Tags.of("area", area),
                    BaseUnits.BYTES, true, "Memory that Hayate uses now for messages");
        }
    }

    private static final List<Metric> METRICS = List.of(
            Metric.count("sent", "messages.sent", "Messages sent"),
            Metric.data("bytes_sent", "sent", "Data of the messages sent"),
            Metric.count("received", "messages.received", "Messages received"),
            Metric.data("bytes_received", "received", "Data of the messages received"),
            Metric.moved("eager"),
            Metric.moved("heap"),
            Metric.moved("cma"),
            Metric.moved("direct"),
            Metric.moved("pipeline"),
            Metric.count("buffered", "messages.buffered", "Sends copied into the send buffer"),
            Metric.count("collectives", "collectives", "Collectives begun"),
            Metric.count("sleeps", "waits.slept", "Waits that went to sleep"),
            Metric.count("puts", "puts", "Puts into the global space"),
            Metric.data("bytes_put", "put", "Data put into the global space"),
            Metric.count("gets", "gets", "Gets from the global space"),
            Metric.data("bytes_got", "got", "Data got from the global space"),
            Metric.count("flags", "flags", "Flags and words written into the global space"),
            Metric.count("atomics", "atomics", "Atomics on words of the global space"),
            Metric.count("endpoint_waits", "endpoint.waits", "Calls that found no endpoint free"),
            Metric.held("eager_held", "eager"),
            Metric.held("lanes_held", "lanes"));

    private final Hayate job;
    private final Tags tags;

    /**
     * Describes the metrics of a rank.
     *
     * @param job the rank
     * @throws ArgumentException if the job is null
     */
    public HayateMetrics(Hayate job) {
        this(job, NONE);
    }

    /**
     * Describes the metrics of a rank, with more tags, such as the name of the job.
     *
     * @param job the rank
     * @param tags the tags of each metric, besides {@code rank}
     * @throws ArgumentException if the job or the tags are null
     */
    public HayateMetrics(Hayate job, Iterable<Tag> tags) {
        this.job = Errors.required(job, "job");
        this.tags = Tags.of("rank", String.valueOf(job.rank())).and(Errors.required(tags, "tags"));
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        METRICS.forEach(metric -> bind(metric, registry));
    }

    private void bind(Metric metric, MeterRegistry registry) {
        String name = "hayate." + metric.name;
        Tags all = tags.and(metric.tags);
        if (metric.gauge) {
            Gauge.builder(name, job, rank -> value(rank, metric)).tags(all)
                    .baseUnit(metric.unit).description(metric.what).register(registry);
        } else {
            FunctionCounter.builder(name, job, rank -> value(rank, metric)).tags(all)
                    .baseUnit(metric.unit).description(metric.what).register(registry);
        }
    }

    private static double value(Hayate rank, Metric metric) {
        return rank.counters().getOrDefault(metric.counter, 0L);
    }
}
