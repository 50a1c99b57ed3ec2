// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

/** A call that is made while nearly nothing of the Java heap is left. */
interface Scarce {
    /** With memory: everything that the call needs. */
    Trial prepare(Place place) throws Exception;

    /** What may be thrown. */
    interface Step {
        void run() throws Exception;
    }

    /** With memory again: what must hold, whether the call was done or threw. */
    interface Check {
        void run(boolean done) throws Exception;
    }

    /**
     * One call.
     *
     * @param call without memory
     * @param check afterwards
     */
    record Trial(Step call, Check check) {
    }

    /** Made twice if it threw the first time: then it must succeed, and have done what it says. */
    static Trial again(Step call, Step check) {
        return new Trial(call, done -> {
            if (!done) {
                call.run();
            }
            check.run();
        });
    }
}
