// SPDX-License-Identifier: Apache-2.0
package io.hayate.container;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.model.Capability;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** process_vm_readv, which a container may use or not. */
@InContainers
class SingleCopyIT {
    /** The default profile of Docker before 23; since then it permits the calls. */
    private static final String DENYING = "seccomp={\"defaultAction\":\"SCMP_ACT_ALLOW\","
            + "\"syscalls\":[{\"names\":[\"process_vm_readv\",\"process_vm_writev\"],"
            + "\"action\":\"SCMP_ACT_ERRNO\"}]}";
    private static final int PERMITTING_ENGINE = 23;
    /** Makes short messages use single copies. */
    private static final String CMA_FROM = "HAYATE_CMA_FROM=8K";

    private static Sandbox denied() {
        return Sandbox.start(limits -> limits.withSecurityOpts(List.of(DENYING)));
    }

    private static Sandbox permitted() {
        return Sandbox.start(limits -> limits.withCapAdd(Capability.SYS_PTRACE));
    }

    /** The way that messages between direct buffers took, as the command line measures it. */
    private static String measuredPath(Sandbox sandbox) throws Exception {
        String line = sandbox.hayate("perf", "pingpong", "--bytes", "24M", "--buffers", "direct",
                "--iterations", "3", "--json").good().out();
        return JsonParser.parseString(line).getAsJsonObject().get("path").getAsString();
    }

    private static JsonObject finding(Sandbox sandbox, String check) throws Exception {
        return sandbox.hayate("doctor", "--json").out().lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .filter(line -> line.get("check").getAsString().equals(check))
                .findFirst().orElseThrow();
    }

    @Test
    void should_pass_every_message_by_pipeline_where_seccomp_denies_single_copy() throws Exception {
        try (Sandbox sandbox = denied()) {
            String out = sandbox.exchange(4).exchanged(4).out();
            assertTrue(out.matches("(?s)(EXCHANGED \\d of 4, cma=0 pipeline=[1-9]\\d*\n){4}"), out);
            assertEquals("pipeline", measuredPath(sandbox));
        }
    }

    @Test
    void should_name_the_reason_and_the_cure_where_seccomp_denies_single_copy() throws Exception {
        try (Sandbox sandbox = denied()) {
            JsonObject cma = finding(sandbox, "cma");
            assertEquals("warn", cma.get("level").getAsString());
            assertTrue(cma.toString().contains("process_vm_readv"), cma::toString);
            assertTrue(cma.toString().contains("--cap-add SYS_PTRACE"), cma::toString);
            String info = sandbox.hayate("info").good().out();
            assertTrue(info.matches("(?s).*cma +NOT USABLE: process_vm_readv.*seccomp.*"), info);
        }
    }

    @Test
    void should_refuse_forced_single_copy_where_seccomp_denies_it() throws Exception {
        try (Sandbox sandbox = denied()) {
            Sandbox.Outcome outcome = sandbox.exchange(2, "-x", "HAYATE_RENDEZVOUS=cma");
            assertNotEquals(0, outcome.exit(), outcome::toString);
            assertNotEquals(124, outcome.exit(), outcome::toString);
            assertTrue(outcome.err().contains("io.hayate.UnsupportedException"), outcome::toString);
            assertTrue(outcome.err().contains("SYS_PTRACE"), outcome::toString);
        }
    }

    @Test
    void should_use_single_copy_with_the_capability_to_trace() throws Exception {
        try (Sandbox sandbox = permitted()) {
            String out = sandbox.exchange(4, "-x", CMA_FROM).exchanged(4).out();
            assertTrue(out.matches("(?s)(EXCHANGED \\d of 4, cma=[1-9]\\d* pipeline=\\d+\n){4}"),
                    out);
            assertEquals("cma", measuredPath(sandbox));
            assertEquals("ok", finding(sandbox, "cma").get("level").getAsString());
        }
    }

    @Test
    void should_do_what_the_default_profile_of_the_engine_permits() throws Exception {
        try (Sandbox sandbox = Sandbox.start(limits -> { })) {
            String out = sandbox.exchange(2, "-x", CMA_FROM).exchanged(2).out();
            boolean used = !out.contains("cma=0");
            assertEquals(finding(sandbox, "cma").get("level").getAsString().equals("ok"), used);
            assertEquals(Sandbox.engine() >= PERMITTING_ENGINE, used);
        }
    }
}
