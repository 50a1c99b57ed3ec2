// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.RankFailure;
import io.hayate.internal.job.RankThreads;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.ReflectionSupport;

/** The call of a test method on each rank, with the arguments of that rank. */
final class RankCall {
    private final Method method;
    private final Object target;
    /** Those of the ranks are not in it yet. */
    private final List<Object> arguments;
    private final boolean numbered;
    private final Duration limit;

    RankCall(ReflectiveInvocationContext<Method> call, int seconds) {
        method = call.getExecutable();
        target = call.getTarget().orElse(null);
        arguments = call.getArguments();
        numbered = !RanksExtension.isTemplate(method);
        limit = Duration.ofSeconds(seconds);
    }

    /** Returns whether a parameter of this type is for what belongs to a rank. */
    static boolean provides(Class<?> type, boolean template) {
        return type == Hayate.class || type == Fmpl.class || type == int.class && !template;
    }

    List<RankFailure> onThreads(int ranks) {
        List<Hayate> jobs = Hayate.initThreads(ranks);
        try (RankOutput output = RankOutput.open()) {
            return RankThreads.run(jobs, Hayate::rank,
                    rank -> output.tag(rank.rank(), () -> call(rank)), limit,
                    RankCall::waits);
        }
    }

    /** Calls the method on those ranks of a job that are in this JVM. */
    List<RankFailure> on(List<Hayate> ranks) {
        return RankThreads.run(ranks, Hayate::rank, this::call, limit, RankCall::waits);
    }

    private static String waits(Hayate rank) {
        return Job.behind(rank).describeWaits();
    }

    private void call(Hayate rank) {
        boolean wanted = List.of(method.getParameterTypes()).contains(Fmpl.class);
        try (Fmpl fmpl = wanted ? Fmpl.init(rank) : null) {
            Object[] own = arguments.toArray();
            Class<?>[] types = method.getParameterTypes();
            for (int i = 0; i < own.length; i++) {
                own[i] = types[i] == Hayate.class ? rank
                        : types[i] == Fmpl.class ? fmpl
                        : types[i] == int.class && numbered ? (Integer) rank.rank() : own[i];
            }
            ReflectionSupport.invokeMethod(method, target, own);
        }
    }
}
