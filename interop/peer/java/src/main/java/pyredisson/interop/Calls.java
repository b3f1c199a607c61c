package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.redisson.api.RLock;

/** Many calls by one request, so that Java's own speed counts and not the peer's. */
final class Calls {
    private final Handles handles;

    Calls(Handles handles) {
        this.handles = handles;
    }

    private interface Call {
        void run() throws Exception;
    }

    /** Makes the calls, each a method and its arguments, in turns; says how many seconds it took. */
    ObjectNode repeat(JsonNode request) throws Exception {
        Handles.Handle handle = handles.open(request);
        List<Call> calls = new ArrayList<>();
        for (JsonNode call : request.get("calls")) {
            List<JsonNode> words = new ArrayList<>();
            call.forEach(words::add);
            calls.add(bound(handle, words.remove(0).asText(), words));
        }
        int count = request.get("count").asInt();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            for (Call call : calls) {
                call.run();
            }
        }
        return seconds(System.nanoTime() - begin);
    }

    private static Call bound(Handles.Handle handle, String name, List<JsonNode> args)
            throws Exception {
        Methods.Bound method = Methods.find(handle.type, handle.object, name, args);
        return () -> {
            Object value = method.call();
            if (value instanceof Future) {
                ((Future<?>) value).get();
            }
        };
    }

    /** Seconds from releases of a lock until a thread that waits has it, the sum of all. */
    ObjectNode handOver(JsonNode request) throws Exception {
        RLock lock = (RLock) handles.open(request).object;
        long total = 0;
        for (int i = request.get("count").asInt(); i > 0; i--) {
            long[] acquired = new long[1];
            Thread waiter = new Thread(() -> {
                lock.lock();
                acquired[0] = System.nanoTime();
                lock.unlock();
            });
            lock.lock();
            waiter.start();
            Thread.sleep(20);
            long released = System.nanoTime();
            lock.unlock();
            waiter.join();
            total += acquired[0] - released;
        }
        return seconds(total);
    }

    private static ObjectNode seconds(long nanos) {
        return Peer.JSON.createObjectNode().put("seconds", nanos / 1e9);
    }
}
