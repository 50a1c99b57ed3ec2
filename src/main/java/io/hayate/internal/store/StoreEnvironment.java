// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import io.hayate.internal.errors.Errors;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What the environment says of the store, in variables {@code HAYATE_STORE...}. An empty value
 * counts as unset.
 */
public final class StoreEnvironment {
    private static final String STORE = "HAYATE_STORE";
    private static final String SECRET = "HAYATE_STORE_SECRET";
    private static final String NAME = "HAYATE_STORE_NAME";
    private static final String LIMIT = "HAYATE_STORE_LIMIT";
    private static final int LONGEST_S = 86_400;
    private static final int RANKS = 1 << 16;
    /** Variables that launchers set for the ranks that they start. */
    private static final Map<String, List<String>> LAUNCHERS = Map.of(
            "hayate run", List.of("HAYATE_BOOT_FD"),
            "an MPI launcher", List.of("PMIX_NAMESPACE", "PMI_FD", "PMI_PORT"));

    private final Map<String, String> variables;

    /** Takes the environment, such as {@link System#getenv()}. */
    public StoreEnvironment(Map<String, String> variables) {
        this.variables = variables;
    }

    /** Returns whether this process is a rank of a job with a store. */
    public boolean isSet() {
        return !text(STORE).isEmpty();
    }

    /**
     * Returns the number of ranks.
     *
     * @throws io.hayate.LaunchException if it is missing or invalid, or if a launcher has started
     *     this process
     */
    public int size() {
        LAUNCHERS.forEach(this::refuse);
        return number("HAYATE_SIZE", 1, RANKS);
    }

    /** Returns the number of this rank; a LaunchException if it is missing or invalid. */
    public int rank() {
        return number("HAYATE_RANK", 0, size() - 1);
    }

    private void refuse(String launcher, List<String> names) {
        for (String name : names) {
            if (!text(name).isEmpty()) {
                throw Errors.launch(STORE + " is set, but " + launcher + " has started this"
                        + " process (" + name + " is set): remove one of both", -1);
            }
        }
    }

    /** Returns the store of {@code HAYATE_STORE}; an exception as {@link #access} throws it. */
    public StoreAccess access() {
        return access(text(STORE));
    }

    /**
     * Returns a store whose secret is in the file that the environment names.
     *
     * @throws io.hayate.LaunchException if it names none
     * @throws io.hayate.ArgumentException if a value is invalid, or the file is not private
     */
    public StoreAccess access(String address) {
        StoreAddress at = StoreAddress.parse(address);
        if (text(SECRET).isEmpty()) {
            throw Errors.launch(SECRET + " is not set: expected a private file with the secret of"
                    + " the job" + StoreSecret.HOW, -1);
        }
        return access(at, Path.of(text(SECRET)));
    }

    /** Returns a store with this secret; an exception as {@link #access(String)} throws it. */
    public StoreAccess access(StoreAddress address, Path secret) {
        return new StoreAccess(address, StoreSecret.read(secret), text(NAME), limit());
    }

    private Duration limit() {
        String seconds = text(LIMIT).replaceFirst("s$", "");
        if (text(LIMIT).isEmpty()) {
            return StoreAccess.LIMIT;
        }
        if (!seconds.matches("[0-9]{1,5}") || !isWithin(seconds, 1, LONGEST_S)) {
            throw Errors.argument(LIMIT + " is " + text(LIMIT) + ", expected 1 to " + LONGEST_S
                    + " seconds");
        }
        return Duration.ofSeconds(Integer.parseInt(seconds));
    }

    private int number(String name, int low, int high) {
        String text = text(name);
        if (!text.matches("[0-9]{1,5}") || !isWithin(text, low, high)) {
            throw Errors.launch(STORE + " is set, but " + name + " is "
                    + (text.isEmpty() ? "not set" : text) + ": expected " + low + " to " + high,
                    -1);
        }
        return Integer.parseInt(text);
    }

    private static boolean isWithin(String digits, int low, int high) {
        int value = Integer.parseInt(digits);
        return value >= low && value <= high;
    }

    private String text(String name) {
        return variables.getOrDefault(name, "");
    }
}
