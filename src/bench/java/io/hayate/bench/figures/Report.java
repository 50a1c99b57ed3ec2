// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Map;

/** Prints what was measured as soon as it is known: rows of a table, or JSON objects. */
public final class Report {
    private static final int DECIMALS = 4;
    private static final Gson GSON = new GsonBuilder().serializeNulls().disableHtmlEscaping()
            .registerTypeAdapter(Double.class, (JsonSerializer<Double>) (value, type, context) ->
                    number(value)).create();

    private final PrintWriter out;
    private final boolean json;
    private final String title;
    private final String[] columns;
    private boolean begun;

    /**
     * Creates a report, which prints nothing before its first row.
     *
     * @param out where to print
     * @param json whether to print JSON
     * @param title what stands above the table
     * @param columns a heading and a format for each column, such as "median us %10.3f"
     */
    public Report(PrintWriter out, boolean json, String title, String... columns) {
        this.out = out;
        this.json = json;
        this.title = title;
        this.columns = columns.clone();
    }

    private static JsonElement number(double value) {
        return Double.isFinite(value) ? new JsonPrimitive(BigDecimal.valueOf(value)
                .setScale(DECIMALS, RoundingMode.HALF_UP)) : JsonNull.INSTANCE;
    }

    /**
     * Prints a result.
     *
     * @param line names and values for JSON; numbers get four decimals
     * @param cells the row; a text may stand where the format wants a number
     */
    public void add(Map<String, ?> line, Object... cells) {
        if (json) {
            out.println(GSON.toJson(line));
        } else {
            addRow(cells);
        }
        out.flush();
    }

    /**
     * Prints a row of the table, if it is one.
     *
     * @param cells the row
     */
    public void addRow(Object... cells) {
        if (json) {
            return;
        }
        if (!begun) {
            out.println(title);
            String[] headings = new String[columns.length];
            for (int i = 0; i < headings.length; i++) {
                headings[i] = columns[i].substring(0, columns[i].indexOf('%')).strip();
            }
            print((Object[]) headings);
            begun = true;
        }
        print(cells);
        out.flush();
    }

    private void print(Object... cells) {
        StringBuilder row = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String format = columns[i].substring(columns[i].indexOf('%'));
            if (cells[i] instanceof String) {
                format = format.replaceFirst("^(%-?[0-9]+).*", "$1s");
            }
            row.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, format, cells[i]));
        }
        out.println(row.toString().stripTrailing());
    }

    /**
     * Reads a line that another process printed by {@link #add}.
     *
     * @param line a JSON object
     * @param members that it must have
     * @return the object
     */
    public static JsonObject read(String line, String... members) {
        try {
            JsonObject object = JsonParser.parseString(line).getAsJsonObject();
            for (String member : members) {
                object.get(member).getAsString();
            }
            return object;
        } catch (JsonParseException | IllegalStateException | NullPointerException
                | UnsupportedOperationException e) {
            throw new Failure("a rank printed '" + line + "' where a result with "
                    + String.join(", ", members) + " was expected");
        }
    }
}
