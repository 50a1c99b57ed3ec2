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
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Reads the recipe for Kubernetes as an API server would that refuses unknown fields: the pods by
 * the classes of the Kubernetes client, the job around them by the fields of the MPI operator.
 */
class KubernetesRecipeTest {
    private final JsonNode job = Manifest.objects("kubernetes/solver.yaml").get(0);

    private JsonNode replicas(String which) {
        return job.at("/spec/mpiReplicaSpecs/" + which);
    }

    private Container container(String which) throws JsonProcessingException {
        PodTemplateSpec pods =
                Manifest.read(replicas(which).get("template"), PodTemplateSpec.class);
        assertEquals(1, pods.getSpec().getContainers().size());
        return pods.getSpec().getContainers().get(0);
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    /** The names are those of the operator's CustomResourceDefinition, version v2beta1. */
    @Test
    void should_be_a_job_of_the_mpi_operator() {
        assertEquals("kubeflow.org/v2beta1", job.get("apiVersion").textValue());
        assertEquals("MPIJob", job.get("kind").textValue());
        assertEquals(Set.of("apiVersion", "kind", "metadata", "spec"), names(job));
        assertEquals(Set.of("mpiImplementation", "mpiReplicaSpecs", "runPolicy", "slotsPerWorker",
                "sshAuthMountPath"), names(job.get("spec")));
        assertEquals(Set.of("Launcher", "Worker"), names(job.at("/spec/mpiReplicaSpecs")));
        for (String which : List.of("Launcher", "Worker")) {
            assertEquals(Set.of("replicas", "template"), names(replicas(which)));
        }
    }

    @Test
    void should_start_as_many_ranks_as_the_workers_have_slots() throws Exception {
        int ranks = replicas("Worker").get("replicas").intValue()
                * job.at("/spec/slotsPerWorker").intValue();
        List<String> command = container("Launcher").getCommand();
        assertEquals(String.valueOf(ranks), command.get(command.indexOf("-n") + 1));
        assertEquals("MPICH", job.at("/spec/mpiImplementation").textValue());
    }

    @Test
    void should_fit_the_image_of_the_nodes() throws Exception {
        Container node = container("Worker");
        assertTrue(Manifest.text("node/Dockerfile").contains(String.join(", ",
                node.getCommand().stream().map(word -> '"' + word + '"').toList())),
                node::toString);
        int port = node.getReadinessProbe().getTcpSocket().getPort().getIntVal();
        assertTrue(Manifest.text("node/sshd_config").contains("\nPort " + port + "\n"),
                "port " + port);
        assertTrue(Manifest.text("node/sshd_config").contains("\nHostKey "
                + job.at("/spec/sshAuthMountPath").textValue() + "/id_rsa\n"));
        for (String which : List.of("Launcher", "Worker")) {
            assertEquals(1000L, container(which).getSecurityContext().getRunAsUser());
            assertEquals("hayate-node", container(which).getImage());
        }
    }

    @Test
    void should_refuse_a_field_that_pods_do_not_have() {
        ((ObjectNode) replicas("Worker").at("/template/spec/containers/0"))
                .put("readynessProbe", 1);
        assertThrows(UnrecognizedPropertyException.class, () -> container("Worker"));
    }
}
