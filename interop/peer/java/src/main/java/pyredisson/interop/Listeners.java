package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Subscriptions on elements (RBlockingQueue.subscribeOnElements and its deque forms). */
final class Listeners {
    private final Handles handles;
    private final Map<String, List<Object[]>> heard = new ConcurrentHashMap<>();

    Listeners(Handles handles) {
        this.handles = handles;
    }

    /**
     * Subscribes as {@code listener} by {@code method} (default subscribeOnElements); with
     * {@code fails} the consumer throws at each element. Unsubscribing is a call with the listener's
     * number, which heard() gives.
     */
    void listen(JsonNode request) throws Exception {
        Handles.Handle handle = handles.open(request);
        List<Object[]> got = new ArrayList<>();
        boolean fails = request.path("fails").asBoolean();
        Consumer<Object> consumer = value -> {
            synchronized (got) {
                got.add(new Object[] {value, System.currentTimeMillis()});
            }
            if (fails) {
                throw new IllegalStateException("asked to fail");
            }
        };
        String name = request.path("method").asText("subscribeOnElements");
        Method method = handle.type.getMethod(name, Consumer.class);
        Object number = method.invoke(handle.object, consumer);
        synchronized (got) {
            got.add(0, new Object[] {number, 0L});
        }
        heard.put(request.get("listener").asText(), got);
    }

    ObjectNode heard(JsonNode request) throws Exception {
        List<Object[]> got = heard.get(request.get("listener").asText());
        if (got == null) {
            throw new IllegalStateException("no such listener");
        }
        ObjectNode result = Peer.JSON.createObjectNode();
        synchronized (got) {
            result.set("number", Values.toJson(got.get(0)[0]));
            result.putArray("values");
            result.putArray("at");
            for (Object[] each : got.subList(1, got.size())) {
                result.withArray("values").add(Values.toJson(each[0]));
                result.withArray("at").add((long) each[1]);
            }
        }
        return result;
    }
}
