// SPDX-License-Identifier: Apache-2.0
package linkage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import linkage.Spec.Line;
import linkage.Spec.Member;
import linkage.Spec.Type;

/**
 * Looks up types and members of package mpi as the virtual machine does for a class file of another
 * package: by name and exact descriptor, in the class, its superclasses and interfaces.
 */
final class Linker {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final Map<String, Class<?>> PRIMITIVES = Map.of("void", void.class, "boolean",
            boolean.class, "byte", byte.class, "char", char.class, "short", short.class, "int",
            int.class, "long", long.class, "float", float.class, "double", double.class);
    private static final List<String> PACKAGES = List.of("mpi.", "java.lang.", "java.nio.");

    /** The types that programs can extend: not final, with a constructor. */
    private final Set<String> extended = new HashSet<>();

    /** Looks up lines of one binding, which are all given. */
    Linker(List<Line> lines) {
        for (Line line : lines) {
            if (line instanceof Member member && member.isConstructor()) {
                extended.add(member.type());
            }
        }
        for (Line line : lines) {
            if (line instanceof Type type && type.flags().contains("final")) {
                extended.remove(type.type());
            }
        }
    }

    /** Returns the class of a simple name, or an array of it. */
    static Class<?> classOf(String name) throws ClassNotFoundException {
        if (name.endsWith("[]")) {
            return classOf(name.substring(0, name.length() - 2)).arrayType();
        }
        if (PRIMITIVES.containsKey(name)) {
            return PRIMITIVES.get(name);
        }
        for (String where : PACKAGES) {
            try {
                return Class.forName(where + name, false, Linker.class.getClassLoader());
            } catch (ClassNotFoundException e) {
                // The next package may have it.
            }
        }
        throw new ClassNotFoundException(name);
    }

    static boolean exists(String name) {
        try {
            classOf(name);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns why a line does not hold, or null. */
    String problem(Line line) {
        try {
            return line instanceof Type type ? problem(type) : problem((Member) line);
        } catch (ReflectiveOperationException e) {
            return e.toString();
        }
    }

    private String problem(Type spec) throws ReflectiveOperationException {
        Class<?> type = classOf(spec.type());
        for (String above : spec.above()) {
            if (!classOf(above).isAssignableFrom(type)) {
                return "is no " + above;
            }
        }
        boolean isFinal = Modifier.isFinal(type.getModifiers());
        boolean isAbstract = Modifier.isAbstract(type.getModifiers()) && !type.isInterface();
        return !Modifier.isPublic(type.getModifiers()) ? "is not public"
                : type.isInterface() != spec.isInterface() ? "is a class, or is an interface"
                : isFinal && !spec.flags().contains("final") && extended.contains(spec.type())
                        ? "is final"
                : isAbstract && !spec.flags().contains("abstract") ? "is abstract" : null;
    }

    private String problem(Member spec) throws ReflectiveOperationException {
        Class<?> type = classOf(spec.type());
        if (spec.isField()) {
            return field(type, spec);
        }
        Class<?>[] parameters = new Class<?>[spec.parameters().size()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] = classOf(spec.parameters().get(i));
        }
        if (spec.isConstructor()) {
            return visible(type.getDeclaredConstructor(parameters).getModifiers(), spec);
        }
        return method(type, MethodType.methodType(classOf(spec.result()), parameters), spec);
    }

    private static String visible(int modifiers, Member spec) {
        return Modifier.isPublic(modifiers) || spec.is("protected")
                && Modifier.isProtected(modifiers) ? null : "is not visible";
    }

    /** A static field may be final where the binding's is not: programs do not write it. */
    private static String field(Class<?> type, Member spec) throws ReflectiveOperationException {
        Class<?> result = classOf(spec.result());
        if (spec.is("static")) {
            LOOKUP.findStaticGetter(type, spec.name(), result);
            return null;
        }
        LOOKUP.findGetter(type, spec.name(), result);
        if (!spec.is("final")) {
            LOOKUP.findSetter(type, spec.name(), result);
        }
        return null;
    }

    private String method(Class<?> type, MethodType descriptor, Member spec)
            throws ReflectiveOperationException {
        if (!spec.is("protected") && spec.is("static")) {
            LOOKUP.findStatic(type, spec.name(), descriptor);
        } else if (!spec.is("protected")) {
            LOOKUP.findVirtual(type, spec.name(), descriptor);
        }
        int found = declared(type, spec.name(), descriptor).getModifiers();
        return Modifier.isStatic(found) != spec.is("static") ? "is static, or is not"
                : Modifier.isAbstract(found) && !spec.is("abstract") ? "is abstract"
                : Modifier.isFinal(found) && !spec.is("final") && !spec.is("static")
                        && extended.contains(spec.type()) ? "is final"
                : visible(found, spec);
    }

    private static Method declared(Class<?> type, String name, MethodType descriptor)
            throws NoSuchMethodException {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(name)
                        && method.getReturnType() == descriptor.returnType()
                        && Arrays.equals(method.getParameterTypes(), descriptor.parameterArray())) {
                    return method;
                }
            }
        }
        throw new NoSuchMethodException(name + descriptor);
    }
}
