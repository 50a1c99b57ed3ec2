// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.CommandFailure;
import io.hayate.internal.ErrorBinding;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.TuneBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The terms of the model, measured between two ranks: of a node, or of the network between two. */
public final class Tuning implements AutoCloseable {
    private static final int RESULTS = 4;
    private static final double STEADY = 95;

    private final long handle;
    private final int terms = countTerms();

    /**
     * Gets ready. Collective over the job, of which two ranks measure.
     *
     * @param member this rank
     */
    public Tuning(Member member) {
        this.handle = Member.checked(TuneBinding.tuneOpen(member.fmpl()));
    }

    /**
     * Where the file of this machine is.
     *
     * @return its path
     */
    public static String path() {
        NativeLoader.load();
        String path = TuneBinding.tunePath();
        if (path == null) {
            throw new CommandFailure(ErrorBinding.text());
        }
        if (path.isEmpty()) {
            throw new CommandFailure("HAYATE_TUNING=none: no tuning file is used; unset it, or name"
                    + " a file with --out");
        }
        return path;
    }

    /**
     * What choices are made by.
     *
     * @return the file that is used, or that it is the default
     */
    public static String model() {
        NativeLoader.load();
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
     * All passes. Collective.
     *
     * @param seconds for all
     * @param bar shown meanwhile
     */
    public void measure(double seconds, ProgressBar bar) {
        int steps = handle == 0 ? 0 : TuneBinding.tuneSteps();
        long begin = System.nanoTime();
        for (int step = 0; step < steps; step++) {
            double spent = ProgressBar.secondsSince(begin);
            String what = TuneBinding.tuneTerm(step % terms);
            bar.show((double) step / steps, Math.max(seconds - spent, 0), what);
            double each = Math.max(seconds - spent, 0) / (steps - step);
            Member.checked(TuneBinding.tuneStep(handle, step, each));
        }
    }

    /**
     * The result, on rank 0.
     *
     * @param before the file that it is compared with; where that is none, the default
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
     * What could not be measured.
     *
     * @return terms by the reason
     */
    public Map<String, List<String>> refused() {
        Map<String, List<String>> reasons = new LinkedHashMap<>();
        for (int term = 0; term < terms; term++) {
            String reason = TuneBinding.tuneRefused(handle, term);
            if (reason != null) {
                String name = TuneBinding.tuneTerm(term).replaceFirst(" [0-9]+$", "");
                List<String> names = reasons.computeIfAbsent(reason, key -> new ArrayList<>());
                if (!names.contains(name)) {
                    names.add(name);
                }
            }
        }
        return reasons;
    }

    /**
     * How much of the time the CPUs were at one distance from each other.
     *
     * @return a sentence
     */
    public String steadiness() {
        double[] trip = new double[1];
        double percent = TuneBinding.tuneSteady(handle, trip);
        if (Double.isNaN(trip[0])) {
            return "all measurements count";
        }
        return String.format(Locale.ROOT, "%.0f %% of the measurements count: there a round trip"
                + " took about %.0f ns%s", percent, trip[0],
                percent < STEADY ? "; in the others the CPUs were nearer or farther, or changed"
                        : "");
    }

    /**
     * Is there a file that is in order?
     *
     * @param path of it
     * @return false: there is none, or one that is not
     */
    public static boolean isFile(String path) {
        return TuneBinding.tuneLoad(path) == 0;
    }

    /**
     * Writes the file.
     *
     * @param path of it
     */
    public void store(String path) {
        Member.checked(TuneBinding.tuneStore(handle, path));
    }

    /**
     * What it was measured on.
     *
     * @return processor, CPUs, kernel
     */
    public static String machine() {
        return TuneBinding.tuneMachine();
    }

    @Override
    public void close() {
        if (handle != 0) {
            TuneBinding.tuneClose(handle);
        }
    }
}
