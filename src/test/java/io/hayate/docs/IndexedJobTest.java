// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads the recipe for Kubernetes without an operator, and compares its parts. */
class IndexedJobTest {
    private final List<JsonNode> objects = Manifest.objects("kubernetes/indexed-job.yaml");

    private Service service() throws JsonProcessingException {
        return Manifest.read(objects.get(0), Service.class);
    }

    private Job job() throws JsonProcessingException {
        return Manifest.read(objects.get(1), Job.class);
    }

    private PodSpec pod() throws JsonProcessingException {
        return job().getSpec().getTemplate().getSpec();
    }

    private Container container() throws JsonProcessingException {
        assertEquals(1, pod().getContainers().size());
        return pod().getContainers().get(0);
    }

    private String option(String name) throws JsonProcessingException {
        List<String> command = container().getCommand();
        return command.get(command.indexOf(name) + 1);
    }

    /** A pod that fails ends the job: its ranks cannot be replaced. */
    @Test
    void should_start_all_pods_at_once_and_none_again() throws Exception {
        assertEquals("batch/v1", job().getApiVersion());
        assertEquals("Indexed", job().getSpec().getCompletionMode());
        assertEquals(job().getSpec().getCompletions(), job().getSpec().getParallelism());
        assertEquals(String.valueOf(job().getSpec().getCompletions()), option("--nodes"));
        assertEquals(0, job().getSpec().getBackoffLimit());
        assertEquals("Never", pod().getRestartPolicy());
    }

    /** The first pod's name is not known to the service before it is ready, unless told so. */
    @Test
    void should_name_the_first_pod_by_a_headless_service() throws Exception {
        String name = job().getMetadata().getName();
        assertEquals("None", service().getSpec().getClusterIP());
        assertTrue(service().getSpec().getPublishNotReadyAddresses());
        assertEquals(Map.of("batch.kubernetes.io/job-name", name),
                service().getSpec().getSelector());
        assertEquals(service().getMetadata().getName(), pod().getSubdomain());
        assertTrue(option("--store").startsWith(name + "-0." + pod().getSubdomain() + ":"));
    }

    @Test
    void should_tell_each_pod_its_number() throws Exception {
        assertEquals("$(INDEX)", option("--node"));
        assertEquals("metadata.annotations['batch.kubernetes.io/job-completion-index']",
                container().getEnv().stream().filter(each -> each.getName().equals("INDEX"))
                        .findFirst().orElseThrow().getValueFrom().getFieldRef().getFieldPath());
    }

    /** The file belongs to root, and the group of the pod may read it. */
    @Test
    void should_give_the_secret_to_the_user_of_the_ranks_alone() throws Exception {
        assertEquals(0440, pod().getVolumes().get(0).getSecret().getDefaultMode());
        assertEquals(1000L, pod().getSecurityContext().getFsGroup());
        assertEquals(1000L, pod().getSecurityContext().getRunAsUser());
        assertEquals(container().getVolumeMounts().get(0).getMountPath() + "/store",
                option("--secret"));
        assertEquals(pod().getVolumes().get(0).getName(),
                container().getVolumeMounts().get(0).getName());
    }

    @Test
    void should_refuse_a_field_that_jobs_do_not_have() {
        ((ObjectNode) objects.get(1).get("spec")).put("completionsMode", "Indexed");
        assertThrows(UnrecognizedPropertyException.class, this::job);
    }
}
