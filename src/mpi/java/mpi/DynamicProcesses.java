// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * What would connect processes that were not started together. Hayate cannot: each method throws
 * ERR_UNSUPPORTED_OPERATION.
 */
class DynamicProcesses extends IntracommCollectives {
    DynamicProcesses() {
    }

    private static MPIException unsupported(String what) {
        return new MPIException(ErrorClass.UNSUPPORTED_OPERATION, what + " is not supported: start"
                + " all processes together, and create communicators of some of them with split");
    }

    /**
     * Is not supported.
     *
     * @param port the port
     * @param info hints
     * @param root the rank whose arguments count
     * @return never
     */
    public final Intercomm accept(String port, Info info, int root) {
        throw unsupported("accept");
    }

    /**
     * Is not supported.
     *
     * @param port the port
     * @param root the rank whose arguments count
     * @return never
     */
    public final Intercomm accept(String port, int root) {
        throw unsupported("accept");
    }

    /**
     * Is not supported.
     *
     * @param port the port
     * @param info hints
     * @param root the rank whose arguments count
     * @return never
     */
    public final Intercomm connect(String port, Info info, int root) {
        throw unsupported("connect");
    }

    /**
     * Is not supported.
     *
     * @param port the port
     * @param root the rank whose arguments count
     * @return never
     */
    public final Intercomm connect(String port, int root) {
        throw unsupported("connect");
    }

    /**
     * Is not supported.
     *
     * @param name the port
     */
    public static void closePort(String name) {
        throw unsupported("closePort");
    }

    /**
     * Is not supported.
     *
     * @param service the name
     * @return never
     */
    public static String lookupName(String service) {
        throw unsupported("lookupName");
    }

    /**
     * Is not supported.
     *
     * @param service the name
     * @param info hints
     * @return never
     */
    public static String lookupName(String service, Info info) {
        throw unsupported("lookupName");
    }

    /**
     * Is not supported.
     *
     * @return never
     */
    public static String openPort() {
        throw unsupported("openPort");
    }

    /**
     * Is not supported.
     *
     * @param info hints
     * @return never
     */
    public static String openPort(Info info) {
        throw unsupported("openPort");
    }

    /**
     * Is not supported.
     *
     * @param service the name
     * @param info hints
     * @param port the port
     */
    public static void publishName(String service, Info info, String port) {
        throw unsupported("publishName");
    }

    /**
     * Is not supported.
     *
     * @param service the name
     * @param port the port
     */
    public static void publishName(String service, String port) {
        throw unsupported("publishName");
    }

    /**
     * Is not supported.
     *
     * @param service the name
     * @param info hints
     * @param port the port
     */
    public static void unpublishName(String service, Info info, String port) {
        throw unsupported("unpublishName");
    }

    /**
     * Is not supported.
     *
     * @param service the name
     * @param port the port
     */
    public static void unpublishName(String service, String port) {
        throw unsupported("unpublishName");
    }

    /**
     * Is not supported.
     *
     * @param command the program
     * @param args arguments
     * @param maxProcesses the number of processes
     * @param info hints
     * @param root the rank whose arguments count
     * @param errorCodes room for error codes
     * @return never
     */
    public final Intercomm spawn(String command, String[] args, int maxProcesses, Info info,
            int root, int[] errorCodes) {
        throw unsupported("spawn");
    }

    /**
     * Is not supported.
     *
     * @param commands the programs
     * @param args arguments
     * @param maxProcesses the number of processes
     * @param info hints
     * @param root the rank whose arguments count
     * @param errorCodes room for error codes
     * @return never
     */
    public final Intercomm spawnMultiple(String[] commands, String[][] args, int[]
            maxProcesses, Info[] info, int root, int[] errorCodes) {
        throw unsupported("spawnMultiple");
    }
}
