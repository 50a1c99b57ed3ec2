/* SPDX-License-Identifier: Apache-2.0 */

/** Does nothing: what starting it costs is what the JVM and the launcher cost. */
public final class EmptyProgram {
    private EmptyProgram() {}

    public static void main(String[] args) {}
}
