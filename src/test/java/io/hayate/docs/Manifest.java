// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.Yaml;

/**
 * The objects of a recipe for Kubernetes, read as an API server would that refuses unknown fields,
 * by the classes of the Kubernetes client.
 */
final class Manifest {
    private static final Path RECIPES = Path.of("src/examples/recipes");
    private static final ObjectMapper STRICT = new ObjectMapper()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .setAnnotationIntrospector(new JacksonAnnotationIntrospector() {
                /** The classes would keep unknown fields in a map. */
                @Override
                public Boolean hasAnySetter(Annotated member) {
                    return false;
                }
            });

    private Manifest() {
    }

    /** Jackson's own reader of YAML leaves anchors unresolved. */
    static List<JsonNode> objects(String recipe) {
        List<JsonNode> objects = new ArrayList<>();
        new Yaml().loadAll(text(recipe)).forEach(each -> objects.add(STRICT.valueToTree(each)));
        return objects;
    }

    static <T> T read(JsonNode object, Class<T> type) throws JsonProcessingException {
        return STRICT.treeToValue(object, type);
    }

    static String text(String recipe) {
        return String.join("\n", Document.lines(RECIPES.resolve(recipe)));
    }
}
