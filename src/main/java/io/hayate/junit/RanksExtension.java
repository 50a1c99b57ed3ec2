// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import io.hayate.Hayate;
import io.hayate.internal.job.RankFailure;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Calls the methods of {@link Ranks} on all ranks instead of once. JUnit finds it by reflection, so
 * it need not be exported.
 */
final class RanksExtension implements InvocationInterceptor, ParameterResolver {
    private static final int MOST_RANKS = 4096;

    @Override
    public void interceptTestMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> call, ExtensionContext context) throws Throwable {
        invocation.skip();
        callOnRanks(call, context);
    }

    @Override
    public void interceptTestTemplateMethod(Invocation<Void> invocation,
            ReflectiveInvocationContext<Method> call, ExtensionContext context) throws Throwable {
        invocation.skip();
        callOnRanks(call, context);
    }

    private static void callOnRanks(ReflectiveInvocationContext<Method> call,
            ExtensionContext context) throws Throwable {
        Ranks ranks = ranks(context);
        RankCall body = new RankCall(call, ranks.seconds());
        if (RankProcess.isHere()) {
            RankProcess.check(body.on(List.of(Hayate.init())));
            return;
        }
        List<RankFailure> failures = ranks.processes()
                ? new RankProcesses(context.getUniqueId(), ranks).run()
                : body.onThreads(ranks.value());
        if (!failures.isEmpty()) {
            throw RanksReport.of(failures, ranks.value());
        }
    }

    /** Returns the annotation of the method, or else of the class or one around it. */
    private static Ranks ranks(ExtensionContext context) {
        Method method = context.getRequiredTestMethod();
        Optional<Ranks> found = AnnotationSupport.findAnnotation(method, Ranks.class);
        if (found.isPresent() && isTemplate(method)) {
            throw new ExtensionConfigurationException("@Ranks makes " + method.getName()
                    + " a test of its own, in addition to that of its other annotation: put @Ranks"
                    + " on the class");
        }
        for (Class<?> type = context.getRequiredTestClass(); found.isEmpty() && type != null;
                type = type.getEnclosingClass()) {
            found = AnnotationSupport.findAnnotation(type, Ranks.class);
        }
        return checked(found.orElseThrow(() -> new ExtensionConfigurationException(
                "no @Ranks on " + method.getName() + " or its class")));
    }

    private static Ranks checked(Ranks ranks) {
        if (ranks.value() < 1 || ranks.value() > MOST_RANKS) {
            throw new ExtensionConfigurationException("@Ranks(" + ranks.value()
                    + "): expected 1 to " + MOST_RANKS + " ranks");
        }
        if (ranks.seconds() < 1) {
            throw new ExtensionConfigurationException("@Ranks(seconds = " + ranks.seconds()
                    + "): expected at least 1");
        }
        return ranks;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Method method = context.getTestMethod().orElse(null);
        return parameter.getDeclaringExecutable().equals(method)
                && RankCall.provides(parameter.getParameter().getType(), isTemplate(method));
    }

    /** Returns what stands in for the argument until each rank has its own. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == int.class ? 0 : null;
    }

    static boolean isTemplate(Method method) {
        return AnnotationSupport.isAnnotated(method, TestTemplate.class);
    }
}
