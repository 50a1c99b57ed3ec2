// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import io.hayate.cli.output.Printable;
import io.hayate.internal.bindings.SettingsBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The settings of this process, each with its value, default and source. */
final class Settings {
    private static final String UNITS = "KMGT";
    private static final int WIDTH = 80;
    private static final String INDENT = "    ";

    private final Function<String, String> variables;
    private final Function<String, String> properties;

    /**
     * Creates the settings, which read their sources at each call.
     *
     * @param variables returns the value of an environment variable, or null
     * @param properties returns the value of a system property, or null
     */
    Settings(Function<String, String> variables, Function<String, String> properties) {
        this.variables = variables;
        this.properties = properties;
    }

    /** Returns an environment variable, or null if it is unset or empty. */
    static String environment(String name) {
        return value(System::getenv, name);
    }

    /** Returns the value in the environment, or the default. */
    static String inForce(String name) {
        String set = environment(name);
        for (int i = 0; set == null && i < SettingsBinding.settingCount(); i++) {
            if (SettingsBinding.text(i, SettingsBinding.NAME).equals(name)) {
                set = SettingsBinding.text(i, SettingsBinding.DEFAULT);
            }
        }
        return set;
    }

    /**
     * Returns a map for each setting, for JSON.
     *
     * @param heap the heap of each rank of the job in bytes; 0 outside a job
     */
    List<Map<String, Object>> describe(long heap) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (int i = 0; i < SettingsBinding.settingCount(); i++) {
            String type = SettingsBinding.text(i, SettingsBinding.TYPE);
            if (!type.equals("rank")) {
                all.add(describe(i, type, heap));
            }
        }
        return all;
    }

    private Map<String, Object> describe(int index, String type, long heap) {
        String name = SettingsBinding.text(index, SettingsBinding.NAME);
        String property = SettingsBinding.text(index, SettingsBinding.PROPERTY);
        String set = value(variables, name);
        String own = value(properties, property);
        boolean byProperty = own != null
                && (set == null || SettingsBinding.settingPropertyFirst(index) != 0);
        String fallback = SettingsBinding.text(index, SettingsBinding.DEFAULT);
        String value = byProperty ? own : set;
        String source = byProperty ? "property " + property : set != null ? "environment"
                : "default";
        String problem = value == null ? null : SettingsBinding.settingProblem(index, value);
        if (name.equals("HAYATE_HEAP") && heap > 0) {
            value = size(heap);
            source = "job";
        }
        Map<String, Object> setting = new LinkedHashMap<>();
        setting.put("name", name.isEmpty() ? "-D" + property : name);
        setting.put("type", type);
        setting.put("value", value == null ? fallback : value);
        setting.put("source", source);
        setting.put("default", fallback);
        setting.put("expected", SettingsBinding.text(index, SettingsBinding.ACCEPTED));
        setting.put("property", property.isEmpty() ? null : property);
        setting.put("reader", orNull(SettingsBinding.text(index, SettingsBinding.READER)));
        setting.put("meaning", SettingsBinding.text(index, SettingsBinding.MEANING));
        setting.put("problem", problem);
        return setting;
    }

    /** Formats a size such as "64M". */
    private static String size(long bytes) {
        int unit = 0;
        long count = bytes;
        for (; unit < UNITS.length() && count % 1024 == 0; unit++) {
            count /= 1024;
        }
        return count + (unit == 0 ? "" : UNITS.substring(unit - 1, unit));
    }

    private static String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    /** Treats an empty value as unset. */
    private static String value(Function<String, String> from, String name) {
        String value = name.isEmpty() ? null : from.apply(name);
        return value == null || value.isEmpty() ? null : value;
    }

    /** Returns a sentence for each variable HAYATE_... that is not a setting. */
    static List<String> unknown(Set<String> names) {
        return names.stream().sorted().map(SettingsBinding::unknown).filter(text -> !text.isEmpty())
                .toList();
    }

    /**
     * Formats each setting as a line with its value, then its meaning; values other than the
     * default are marked.
     */
    static String text(List<Map<String, Object>> settings, List<String> unknown) {
        StringBuilder out = new StringBuilder();
        for (Map<String, Object> one : settings) {
            boolean isDefault = one.get("source").equals("default");
            String line = (isDefault ? "  " : "* ") + one.get("name") + " = "
                    + Printable.of(one.get("value"));
            String source = isDefault ? "(default)"
                    : "(" + one.get("source") + "; default " + one.get("default") + ")";
            boolean fits = line.length() + source.length() < WIDTH;
            out.append(line).append(fits ? " " + source : "").append('\n');
            if (!fits) {
                add(out, source);
            }
            if (one.get("problem") != null) {
                add(out, "NOT USABLE: " + Printable.of(one.get("problem")));
            }
            add(out, one.get("meaning").toString());
        }
        unknown.forEach(sentence -> out.append(sentence).append('\n'));
        return out.toString();
    }

    private static void add(StringBuilder out, String text) {
        StringBuilder line = new StringBuilder(INDENT);
        for (String word : text.split(" ")) {
            if (line.length() + word.length() + 1 > WIDTH && line.length() > INDENT.length()) {
                out.append(line).append('\n');
                line = new StringBuilder(INDENT);
            }
            line.append(line.length() > INDENT.length() ? " " : "").append(word);
        }
        out.append(line).append('\n');
    }
}
