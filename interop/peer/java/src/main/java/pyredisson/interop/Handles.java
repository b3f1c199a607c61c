package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.redisson.api.RLock;
import org.redisson.api.RQueue;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;

/**
 * The clients and the objects that requests name.
 *
 * <p>An object is made once per (client, kind, name, codec, handle) and kept: every delayed queue
 * made anew is one more user of its transfer task, so tests say with "handle" when they want two.
 */
final class Handles {
    /** An object, and the interface that its methods are looked up in. */
    static final class Handle {
        final Object object;
        final Class<?> type;

        Handle(Object object, Class<?> type) {
            this.object = object;
            this.type = type;
        }
    }

    private final Map<String, RedissonClient> clients = new ConcurrentHashMap<>();
    private final Map<String, Handle> handles = new ConcurrentHashMap<>();

    private static String client(JsonNode request) {
        return request.path("client").asText("default");
    }

    void createClient(JsonNode request) throws Exception {
        if (clients.containsKey(client(request))) {
            throw new IllegalStateException("client exists: " + client(request));
        }
        clients.put(client(request), Clients.create(request));
    }

    void shutdown(JsonNode request) {
        RedissonClient client = clients.remove(client(request));
        handles.keySet().removeIf(key -> key.startsWith(client(request) + "\n"));
        if (client != null) {
            client.shutdown();
        }
    }

    private static String key(JsonNode request) {
        return client(request) + "\n" + request.path("kind").asText("queue") + "\n"
                + request.path("name").asText() + "\n" + request.path("codec").asText() + "\n"
                + request.path("handle").asText();
    }

    Handle open(JsonNode request) throws Exception {
        String key = key(request);
        Handle handle = handles.get(key);
        if (handle == null) {
            synchronized (this) {
                handle = handles.get(key);
                if (handle == null) {
                    handle = make(request);
                    handles.put(key, handle);
                }
            }
        }
        return handle;
    }

    /** Destroys a handle (of a delayed queue, or of anything that has destroy()). */
    void destroy(JsonNode request) throws Exception {
        Handle handle = handles.remove(key(request));
        if (handle == null) {
            throw new IllegalStateException("no such handle");
        }
        handle.object.getClass().getMethod("destroy").invoke(handle.object);
    }

    private Handle make(JsonNode request) throws Exception {
        RedissonClient client = clients.get(client(request));
        if (client == null) {
            throw new IllegalStateException("no client " + client(request));
        }
        String kind = request.path("kind").asText("queue");
        String codec = request.hasNonNull("codec") ? request.get("codec").asText() : null;
        String name = request.path("name").asText();
        if (kind.equals("delayed_queue")) {
            RQueue<?> target = (RQueue<?>) get(client, "queue", name, codec, null).object;
            Method getter = RedissonClient.class.getMethod("getDelayedQueue", RQueue.class);
            return new Handle(getter.invoke(client, target), getter.getReturnType());
        }
        if (kind.equals("multi_lock")) { // of the locks with these names
            RLock[] locks = Arrays.stream(name.split(",")).map(client::getLock).toArray(RLock[]::new);
            return new Handle(client.getMultiLock(locks), RLock.class);
        }
        String[] path = kind.split("\\."); // "read_write_lock.readLock": what its method returns
        Handle handle = get(client, path[0], name, codec, request.get("options"));
        for (int part = 1; part < path.length; part++) {
            Method method = handle.type.getMethod(path[part]);
            handle = new Handle(method.invoke(handle.object), method.getReturnType());
        }
        return handle;
    }

    /** An object by its getter; with options they are its last argument, each of them a setter. */
    private static Handle get(RedissonClient client, String kind, String name, String codec,
            JsonNode options) throws Exception {
        StringBuilder getter = new StringBuilder("get");
        for (String word : kind.split("_")) {
            getter.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        if (name.isEmpty()) { // getKeys, getBuckets; a queue may have an empty name
            for (Method method : RedissonClient.class.getMethods()) {
                if (method.getName().contentEquals(getter) && method.getParameterCount() == 0) {
                    return new Handle(method.invoke(client), method.getReturnType());
                }
            }
        }
        if (codec == null) {
            Method method = RedissonClient.class.getMethod(getter.toString(), String.class);
            return new Handle(method.invoke(client, name), method.getReturnType());
        }
        if (options != null && options.isObject()) {
            Class<?> type = Class.forName("org.redisson.api." + getter.substring(3) + "Options");
            Object made = type.getMethod("defaults").invoke(null);
            Iterator<Map.Entry<String, JsonNode>> each = options.fields();
            while (each.hasNext()) {
                Map.Entry<String, JsonNode> option = each.next();
                Methods.invoke(type, made, option.getKey(), List.of(option.getValue()));
            }
            Method method = RedissonClient.class.getMethod(
                    getter.toString(), String.class, Codec.class, type);
            Object object = method.invoke(client, name, Clients.codec(codec), made);
            return new Handle(object, method.getReturnType());
        }
        Method method =
                RedissonClient.class.getMethod(getter.toString(), String.class, Codec.class);
        Object object = method.invoke(client, name, Clients.codec(codec));
        return new Handle(object, method.getReturnType());
    }
}
