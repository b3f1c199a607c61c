package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Arguments that are more than data: fluent argument objects, and predicates. */
final class Build {
    private Build() {}

    /**
     * {@code {"class": "org.redisson.api.queue.DequeMoveArgs", "steps": [["pollFirst"],
     * ["addLastTo", "other"]]}}: a static method and then methods of each result.
     */
    static Object fromJson(JsonNode json) throws Exception {
        Class<?> type = Class.forName(json.get("class").asText());
        Object made = null;
        for (JsonNode step : json.get("steps")) {
            List<JsonNode> args = new ArrayList<>();
            for (int i = 1; i < step.size(); i++) {
                args.add(step.get(i));
            }
            made = Methods.invoke(type, made, step.get(0).asText(), args).value;
            type = made.getClass();
        }
        return made;
    }

    static Predicate<Object> equalTo(Object value) {
        return o -> value == null ? o == null : value.equals(o);
    }
}
