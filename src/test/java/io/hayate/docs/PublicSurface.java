// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The public types of the exported packages, as the compiled classes have them. */
final class PublicSurface {
    private static final int SHOWN = Modifier.STATIC | Modifier.ABSTRACT | Modifier.FINAL;

    /** The packages that the module exports to everybody. */
    static List<String> packages(Path classes) {
        try (InputStream module = Files.newInputStream(classes.resolve("module-info.class"))) {
            return ModuleDescriptor.read(module).exports().stream()
                    .filter(each -> !each.isQualified()).map(ModuleDescriptor.Exports::source)
                    .sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Public and nested public types of a package, by name. */
    static List<Class<?>> types(Path classes, String name, ClassLoader loader) {
        Path folder = classes.resolve(name.replace('.', '/'));
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(file -> file.endsWith(".class") && !file.equals("package-info.class"))
                    .sorted()
                    .<Class<?>>map(file -> load(name + "." + file.replace(".class", ""), loader))
                    .filter(PublicSurface::isPublic).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isPublic(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) && !type.isSynthetic()
                && (type.getDeclaringClass() == null || isPublic(type.getDeclaringClass()));
    }

    /** A line for the type, then one for each member that a program can use or override. */
    static List<String> signatures(Class<?> type) {
        TreeSet<String> members = new TreeSet<>();
        for (Field field : type.getDeclaredFields()) {
            add(members, type, field.getModifiers(), field.isSynthetic(), field(field));
        }
        for (Constructor<?> each : type.getDeclaredConstructors()) {
            add(members, type, each.getModifiers(), each.isSynthetic(), "new" + parameters(each));
        }
        for (Method method : type.getDeclaredMethods()) {
            add(members, type, method.getModifiers(), isImplied(type, method),
                    variables(method.getTypeParameters()) + name(method.getGenericReturnType())
                            + " " + method.getName() + parameters(method));
        }
        List<String> lines = new ArrayList<>(List.of(head(type)));
        lines.addAll(members);
        return lines;
    }

    /** What every enum or record has. */
    private static boolean isImplied(Class<?> type, Method method) {
        return method.isSynthetic()
                || type.isEnum() && Modifier.isStatic(method.getModifiers())
                        && method.getName().matches("values|valueOf")
                || type.isRecord() && Modifier.isFinal(method.getModifiers())
                        && method.getName().matches("equals|hashCode|toString");
    }

    private static void add(TreeSet<String> members, Class<?> type, int modifiers,
            boolean isImplied, String text) {
        boolean inherited =
                Modifier.isProtected(modifiers) && !Modifier.isFinal(type.getModifiers());
        if ((Modifier.isPublic(modifiers) || inherited) && !isImplied) {
            members.add("    " + (inherited ? "protected " : "") + words(modifiers & SHOWN) + text);
        }
    }

    private static String head(Class<?> type) {
        String kind = type.isRecord() ? "record" : type.isEnum() ? "enum"
                : type.isInterface() ? "interface" : "class";
        List<Type> above = new ArrayList<>(Arrays.asList(type.getGenericInterfaces()));
        if (kind.equals("class") && type.getSuperclass() != Object.class) {
            above.add(0, type.getGenericSuperclass());
        }
        String permits = type.isSealed() ? " permits " + names(type.getPermittedSubclasses()) : "";
        return words(type.getModifiers() & SHOWN & ~(kind.equals("class") ? 0 : ~0)) + kind + " "
                + type.getTypeName().replace('$', '.') + variables(type.getTypeParameters())
                + (above.isEmpty() ? "" : " : " + names(above.toArray(new Type[0]))) + permits;
    }

    private static String field(Field field) {
        String text = name(field.getGenericType()) + " " + field.getName();
        boolean constant = Modifier.isStatic(field.getModifiers())
                && (field.getType().isPrimitive() || field.getType() == String.class);
        try {
            return constant ? text + " = " + field.get(null) : text;
        } catch (IllegalAccessException e) {
            return text;
        }
    }

    private static String parameters(Executable member) {
        String thrown = names(member.getGenericExceptionTypes());
        return "(" + names(member.getGenericParameterTypes()) + ")"
                + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String variables(TypeVariable<?>[] variables) {
        return variables.length == 0 ? "" : Stream.of(variables)
                .map(each -> each.getName() + " extends " + names(each.getBounds()))
                .collect(Collectors.joining(", ", "<", "> "));
    }

    private static String words(int modifiers) {
        return modifiers == 0 ? "" : Modifier.toString(modifiers) + " ";
    }

    private static String names(Type[] types) {
        return Stream.of(types).map(PublicSurface::name).collect(Collectors.joining(", "));
    }

    private static String name(Type type) {
        return type.getTypeName().replace('$', '.')
                .replaceAll("\\b(java\\.lang|java\\.util|io\\.hayate)\\.(?=[A-Z])", "");
    }
}
