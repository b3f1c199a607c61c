package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.redisson.api.RBlockingQueue;
import org.redisson.api.RDelayedQueue;
import org.redisson.api.RQueue;

/** Many offers, many takes: one request for what would be thousands of round trips. */
final class Bulk {
    private final Handles handles;

    Bulk(Handles handles) {
        this.handles = handles;
    }

    /**
     * Offers {@code count} values numbered from {@code first}.
     *
     * <p>{@code type} "string" (the default: {@code prefix} and the number; with {@code stamp} also
     * "@" and the due time in epoch ms), "long" or "int" (the number). {@code delay} is [least, most]
     * in ms, drawn with {@code seed}; {@code window} offers are under way at once (1: one by one).
     */
    @SuppressWarnings("unchecked")
    ObjectNode offerMany(JsonNode request) throws Exception {
        Object queue = handles.open(request).object;
        int window = request.path("window").asInt(50);
        Semaphore free = new Semaphore(window);
        AtomicInteger errors = new AtomicInteger();
        AtomicReference<Throwable> firstError = new AtomicReference<>();
        JsonNode delays = request.path("delay");
        long least = delays.path(0).asLong();
        int spread = (int) (delays.path(1).asLong(least) - least) + 1;
        Random random = new Random(request.path("seed").asLong());
        int first = request.path("first").asInt();
        int count = request.get("count").asInt();
        long begin = System.currentTimeMillis();
        for (int i = first; i < first + count; i++) {
            long delay = least + random.nextInt(spread);
            Object value = value(request, i, System.currentTimeMillis() + delay);
            free.acquire();
            CompletionStage<?> sent = queue instanceof RDelayedQueue
                    ? ((RDelayedQueue<Object>) queue)
                            .offerAsync(value, delay, TimeUnit.MILLISECONDS)
                    : ((RQueue<Object>) queue).addAsync(value);
            sent.whenComplete((done, error) -> {
                if (error != null) {
                    errors.incrementAndGet();
                    firstError.compareAndSet(null, error);
                }
                free.release();
            });
        }
        free.acquire(window);
        ObjectNode result = Peer.JSON.createObjectNode();
        result.put("count", count).put("errors", errors.get());
        if (firstError.get() != null) {
            result.set("error", Errors.toJson(firstError.get()));
        }
        return result.put("start", begin).put("end", System.currentTimeMillis());
    }

    private static Object value(JsonNode request, int i, long due) {
        switch (request.path("type").asText("string")) {
            case "long": return (long) i;
            case "int": return i;
            default:
                String text = request.path("prefix").asText() + i;
                return request.path("stamp").asBoolean() ? text + "@" + due : text;
        }
    }

    /**
     * Polls with {@code threads} consumers until {@code count} values are there or {@code seconds}
     * are over: {"values": typed, "at": ms of each receipt}, in order of receipt.
     */
    @SuppressWarnings("unchecked")
    ObjectNode drain(JsonNode request) throws Exception {
        RBlockingQueue<Object> queue = (RBlockingQueue<Object>) handles.open(request).object;
        int count = request.path("count").asInt(Integer.MAX_VALUE);
        long begin = System.currentTimeMillis();
        long deadline = begin + (long) (request.get("seconds").asDouble() * 1000);
        AtomicInteger left = new AtomicInteger(count);
        List<Object[]> got = new ArrayList<>();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> consumers = new ArrayList<>();
        for (int i = 0; i < request.path("threads").asInt(1); i++) {
            Thread consumer = new Thread(() -> {
                try {
                    consume(queue, deadline, left, got);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            consumer.setDaemon(true);
            consumer.start();
            consumers.add(consumer);
        }
        try {
            for (Thread consumer : consumers) {
                consumer.join();
            }
        } catch (InterruptedException e) {
            consumers.forEach(Thread::interrupt);
            throw e;
        }
        ObjectNode result = Peer.JSON.createObjectNode();
        ArrayNode values = result.putArray("values");
        ArrayNode at = result.putArray("at");
        for (Object[] each : got) {
            values.add(Values.toJson(each[0]));
            at.add((long) each[1]);
        }
        if (failure.get() != null) {
            result.set("error", Errors.toJson(failure.get()));
        }
        return result.put("start", begin).put("end", System.currentTimeMillis());
    }

    /** A consumer reserves a place before it polls, so that together they never take too many. */
    private static void consume(
            RBlockingQueue<Object> queue, long deadline, AtomicInteger left, List<Object[]> got)
            throws Exception {
        while (System.currentTimeMillis() < deadline) {
            if (left.getAndDecrement() <= 0) {
                return;
            }
            Object value = queue.poll(1, TimeUnit.SECONDS);
            if (value == null) {
                left.incrementAndGet();
                continue;
            }
            synchronized (got) {
                got.add(new Object[] {value, System.currentTimeMillis()});
            }
        }
    }
}
