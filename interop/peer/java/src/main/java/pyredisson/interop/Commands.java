package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import org.redisson.Redisson;
import org.redisson.client.codec.Codec;
import org.redisson.client.handler.State;

/** The requests: what each "cmd" does and what it answers. */
final class Commands {
    private final Handles handles = new Handles();
    private final Bulk bulk = new Bulk(handles);
    private final Offers offers = new Offers(handles);
    private final Calls calls = new Calls(handles);
    private final Listeners listeners = new Listeners(handles);
    private final Map<String, Thread> running = new ConcurrentHashMap<>();

    /** Runs a request; the reply has "ok" (a typed value) or "result" (plain JSON). */
    ObjectNode execute(JsonNode request) throws Exception {
        String id = request.path("id").asText();
        running.put(id, Thread.currentThread());
        try {
            return dispatch(request);
        } finally {
            running.remove(id);
            Thread.interrupted();
        }
    }

    private ObjectNode dispatch(JsonNode request) throws Exception {
        switch (request.path("cmd").asText()) {
            case "info": return result(info());
            case "client":
                handles.createClient(request);
                return ok(null);
            case "shutdown":
                handles.shutdown(request);
                return ok(null);
            case "open":
                handles.open(request);
                return ok(null);
            case "destroy":
                handles.destroy(request);
                return ok(null);
            case "call": return call(request);
            case "offer_many": return result(bulk.offerMany(request));
            case "measure_offers": return result(offers.measure(request));
            case "repeat": return result(calls.repeat(request));
            case "hand_over": return result(calls.handOver(request));
            case "drain": return result(bulk.drain(request));
            case "listen":
                listeners.listen(request);
                return ok(null);
            case "heard": return result(listeners.heard(request));
            case "encode": return encode(request);
            case "decode": return decode(request);
            case "interrupt":
                Thread thread = running.get(request.get("which").asText());
                if (thread != null) {
                    thread.interrupt();
                }
                return ok(thread != null);
            case "quit":
                Runtime.getRuntime().halt(0);
                return ok(null);
            default: throw new IllegalArgumentException("unknown cmd in " + request);
        }
    }

    static ObjectNode ok(Object value) throws Exception {
        ObjectNode reply = Peer.JSON.createObjectNode();
        reply.set("ok", Values.toJson(value));
        return reply;
    }

    private static ObjectNode result(JsonNode value) {
        ObjectNode reply = Peer.JSON.createObjectNode();
        reply.set("result", value);
        return reply;
    }

    ObjectNode info() {
        ObjectNode info = Peer.JSON.createObjectNode();
        info.put("redisson", jarVersion(Redisson.class));
        info.put("jackson", Peer.JSON.version().toString());
        info.put("java", System.getProperty("java.version"));
        info.put("pid", ProcessHandle.current().pid());
        info.put("now", System.currentTimeMillis());
        return info;
    }

    private static String jarVersion(Class<?> type) {
        String jar = type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return jar.replaceAll(".*/redisson-(.*)\\.jar", "$1");
    }

    private ObjectNode call(JsonNode request) throws Exception {
        Handles.Handle handle = handles.open(request);
        String method = request.get("method").asText();
        List<JsonNode> args = new ArrayList<>();
        request.path("args").forEach(args::add);
        if (method.equals("iterator.remove")) {
            return ok(iteratorRemove((Iterable<?>) handle.object, args));
        }
        Methods.Outcome outcome = Methods.invoke(handle.type, handle.object, method, args);
        Object value = outcome.value;
        if (value instanceof Future) {
            value = ((Future<?>) value).get();
        }
        ObjectNode reply = ok(value);
        for (int i = 0; i < args.size(); i++) {
            if (args.get(i).path("t").asText().equals("sink")) {
                reply.set("out", Values.toJson(outcome.args[i]));
            }
        }
        return reply;
    }

    /** Removes through the iterator what equals the argument; answers with all that was seen. */
    private static List<Object> iteratorRemove(Iterable<?> queue, List<JsonNode> args)
            throws Exception {
        Object unwanted = Values.fromJson(args.get(0));
        List<Object> seen = new ArrayList<>();
        Iterator<?> each = queue.iterator();
        while (each.hasNext()) {
            Object value = each.next();
            seen.add(value);
            if (value.equals(unwanted)) {
                each.remove();
            }
        }
        return seen;
    }

    private static ObjectNode encode(JsonNode request) throws Exception {
        Codec codec = Clients.codec(request.get("codec").asText());
        ArrayNode all = Peer.JSON.createArrayNode();
        for (JsonNode value : request.get("values")) {
            ByteBuf bytes = codec.getValueEncoder().encode(Values.fromJson(value));
            all.add(Base64.getEncoder().encodeToString(ByteBufUtil.getBytes(bytes)));
            bytes.release();
        }
        return result(all);
    }

    private static ObjectNode decode(JsonNode request) throws Exception {
        Codec codec = Clients.codec(request.get("codec").asText());
        ArrayNode all = Peer.JSON.createArrayNode();
        for (JsonNode data : request.get("data")) {
            ByteBuf bytes = Unpooled.wrappedBuffer(Base64.getDecoder().decode(data.asText()));
            all.add(Values.toJson(codec.getValueDecoder().decode(bytes, new State())));
        }
        return result(all);
    }
}
