// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.command.CommandFailure;
import io.hayate.internal.bindings.MeasureBinding;
import io.hayate.internal.bindings.TuneBinding;
import io.hayate.internal.errors.ErrorBinding;
import io.hayate.internal.natives.ToolsLibrary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures the terms of the cost model between two ranks of a node, or of the network between two
 * nodes.
 */
public final class Tuning implements AutoCloseable {
    private static final int RESULTS = 4;
    private static final double STEADY = 95;

    /** Two ranks measure; 0 on the others. */
    private final long measure;
    private final long handle;
    private final int terms;
    private final Map<Integer, String> refused = new TreeMap<>();

    /**
     * Prepares a measurement. Collective over the job, of which two ranks measure.
     *
     * @param member this rank
     */
    public Tuning(Member member) {
        this.terms = countTerms();
        this.measure = Member.checked(MeasureBinding.measureOpen(member.fmpl()));
        this.handle = checked(TuneBinding.tuneOpen(MeasureBinding.measureModel(member.fmpl())));
    }

    private static long checked(long result) {
        if (result < 0) {
            throw new CommandFailure(ToolsLibrary.error());
        }
        return result;
    }

    /**
     * Returns the path of the file of this machine.
     *
     * @return its path
     */
    public static String path() {
        ToolsLibrary.load();
        String path = TuneBinding.tunePath();
        if (path == null) {
            throw new CommandFailure(ToolsLibrary.error());
        }
        if (path.isEmpty()) {
            throw new CommandFailure("HAYATE_TUNING=none: no tuning file is used; unset it, or name"
                    + " a file with --out");
        }
        return path;
    }

    /**
     * Describes the model of the choices.
     *
     * @return the file in use, or the words for the default
     */
    public static String model() {
        ToolsLibrary.load();
        String path = TuneBinding.tunePath();
        return path != null && !path.isEmpty() && isFile(path) ? "model of " + path
                : "default model";
    }

    private static int countTerms() {
        int count = 0;
        while (TuneBinding.tuneTerm(count) != null) {
            count++;
        }
        return count;
    }

    /**
     * Runs all passes. Collective.
     *
     * @param seconds time of all passes
     * @param bar progress bar
     */
    public void measure(double seconds, ProgressBar bar) {
        int steps = measure == 0 ? 0 : TuneBinding.tuneSteps();
        long begin = System.nanoTime();
        for (int step = 0; step < steps; step++) {
            double spent = ProgressBar.secondsSince(begin);
            String what = TuneBinding.tuneTerm(step % terms);
            bar.show((double) step / steps, Math.max(seconds - spent, 0), what);
            double each = Math.max(seconds - spent, 0) / (steps - step);
            measureStep(step, each);
        }
    }

    /** A term that cannot be measured here is not an error. */
    private void measureStep(int step, double seconds) {
        double[] result = new double[MeasureBinding.NUMBERS];
        int code = MeasureBinding.measureStep(measure, step % terms, seconds, result);
        if (code == MeasureBinding.UNSUPPORTED) {
            refused.putIfAbsent(step % terms, ErrorBinding.text());
            return;
        }
        Member.checked(code);
        checked(TuneBinding.tuneAdd(handle, step, result[0], result[1], result[2]));
    }

    /**
     * Returns the result, on rank 0.
     *
     * @param before the file to compare with; if it does not exist, the default
     * @return all numbers of the model
     */
    public List<TunedNumber> numbers(String before) {
        List<TunedNumber> numbers = new ArrayList<>();
        double[] result = new double[RESULTS];
        String name = TuneBinding.tuneNumber(handle, 0, before, result);
        while (name != null) {
            String[] words = name.split("\t");
            numbers.add(new TunedNumber(words[0], words[1], (long) result[0], result[1], result[2],
                    result[3]));
            name = TuneBinding.tuneNumber(handle, numbers.size(), before, result);
        }
        return numbers;
    }

    /**
     * Returns what could not be measured.
     *
     * @return terms by the reason
     */
    public Map<String, List<String>> refused() {
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        refused.forEach((term, reason) -> {
            String name = TuneBinding.tuneTerm(term).replaceFirst(" [0-9]+$", "");
            List<String> names = reasons.computeIfAbsent(reason, key -> new ArrayList<>());
            if (!names.contains(name)) {
                names.add(name);
            }
        });
        return reasons;
    }

    /**
     * Describes how much of the time the CPUs were at one distance from each other.
     *
     * @return a sentence
     */
    public String steadiness() {
        double[] trip = new double[1];
        double percent = TuneBinding.tuneSteady(handle, trip);
        if (Double.isNaN(trip[0])) {
            return "all measurements were used";
        }
        return String.format(Locale.ROOT, "%.0f %% of the measurements were used: in these a round"
                + " trip took about %.0f ns%s", percent, trip[0],
                percent < STEADY ? "; in the others the CPUs were nearer or farther, or changed"
                        : "");
    }

    /**
     * Returns whether there is a valid file.
     *
     * @param path its path
     * @return false if it does not exist or is not valid
     */
    public static boolean isFile(String path) {
        return TuneBinding.tuneLoad(path) == 0;
    }

    /**
     * Writes the file.
     *
     * @param path its path
     */
    public void store(String path) {
        checked(TuneBinding.tuneStore(handle, path));
    }

    /**
     * Describes the machine.
     *
     * @return processor, CPUs, kernel
     */
    public static String machine() {
        return TuneBinding.tuneMachine();
    }

    @Override
    public void close() {
        TuneBinding.tuneClose(handle);
        if (measure != 0) {
            MeasureBinding.measureClose(measure);
        }
    }
}
