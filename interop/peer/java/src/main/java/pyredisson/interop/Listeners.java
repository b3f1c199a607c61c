package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Subscriptions on elements (RBlockingQueue.subscribeOnElements and its deque forms), and listeners. */
final class Listeners {
    private final Handles handles;
    private final Map<String, List<Object[]>> heard = new ConcurrentHashMap<>();

    Listeners(Handles handles) {
        this.handles = handles;
    }

    /**
     * Subscribes as {@code listener} by {@code method} (default subscribeOnElements; or one that
     * takes a class and a listener, whose last argument counts, as RTopic.addListener; or with
     * {@code of} the class of a listener, one that takes such a listener); with
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
        Object number = request.hasNonNull("of")
                ? addOnly(handle, name, Class.forName(request.get("of").asText()), consumer)
                : add(handle, name, consumer);
        synchronized (got) {
            got.add(0, new Object[] {number, 0L});
        }
        heard.put(request.get("listener").asText(), got);
    }

    private static Object add(Handles.Handle handle, String name, Consumer<Object> consumer)
            throws Exception {
        for (Method method : handle.type.getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            if (method.getName().equals(name) && types.length == 2 && types[0] == Class.class) {
                return method.invoke(handle.object, Object.class, listener(types[1], consumer));
            }
        }
        return handle.type.getMethod(name, Consumer.class).invoke(handle.object, consumer);
    }

    private static Object addOnly(Handles.Handle handle, String name, Class<?> of,
            Consumer<Object> consumer) throws Exception {
        Consumer<Object> text = event -> consumer.accept(event.toString());
        for (Method method : handle.type.getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            if (method.getName().equals(name) && types.length == 1 && types[0].isAssignableFrom(of)) {
                return method.invoke(handle.object, listener(of, text));
            }
        }
        throw new NoSuchMethodException(name + "(" + of + ")");
    }

    private static Object listener(Class<?> type, Consumer<Object> consumer) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                (proxy, method, args) -> {
                    switch (method.getName()) {
                        case "hashCode": return System.identityHashCode(proxy);
                        case "equals": return proxy == args[0];
                        case "toString": return type.getName();
                        default: consumer.accept(args[args.length - 1]);
                    }
                    return null;
                });
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
