package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.redisson.api.RDelayedQueue;

/** Offers as fast as it can for a while: what a benchmark measures. */
final class Offers {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private final Handles handles;

    Offers(Handles handles) {
        this.handles = handles;
    }

    /**
     * Offers one value for {@code seconds}, each time with another delay between {@code delay}'s
     * [least, most] ms: by {@code threads} that wait for each offer, or, without them, with
     * {@code window} offers under way. Answers {@code count}, {@code seconds}, and {@code cpu}: the
     * seconds of processor time of this process.
     */
    @SuppressWarnings("unchecked")
    ObjectNode measure(JsonNode request) throws Exception {
        RDelayedQueue<Object> queue = (RDelayedQueue<Object>) handles.open(request).object;
        String value = request.get("value").asText();
        long[] delays = delays(request.get("delay"));
        int threads = request.path("threads").asInt();
        long cpu = SYSTEM.getProcessCpuTime();
        long begin = System.nanoTime();
        long end = begin + (long) (request.get("seconds").asDouble() * 1e9);
        long count = threads > 0
                ? waiting(queue, value, delays, end, threads)
                : underWay(queue, value, delays, end, request.get("window").asInt());
        double seconds = (System.nanoTime() - begin) / 1e9;
        return Peer.JSON.createObjectNode().put("count", count).put("seconds", seconds)
                .put("cpu", (SYSTEM.getProcessCpuTime() - cpu) / 1e9);
    }

    private static long[] delays(JsonNode range) {
        long least = range.get(0).asLong();
        int spread = (int) (range.get(1).asLong() - least);
        return new Random(1).ints(4096, 0, spread).mapToLong(each -> least + each).toArray();
    }

    private static long waiting(
            RDelayedQueue<Object> queue, Object value, long[] delays, long end, int threads)
            throws InterruptedException, ExecutionException {
        List<FutureTask<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            FutureTask<Long> task = new FutureTask<>(() -> {
                long count = 0;
                while (System.nanoTime() < end) {
                    long delay = delays[(int) (count++ & 4095)];
                    queue.offer(value, delay, TimeUnit.MILLISECONDS);
                }
                return count;
            });
            tasks.add(task);
            new Thread(task).start();
        }
        long count = 0;
        for (FutureTask<Long> task : tasks) {
            count += task.get();
        }
        return count;
    }

    private static long underWay(
            RDelayedQueue<Object> queue, Object value, long[] delays, long end, int window)
            throws Exception {
        Semaphore free = new Semaphore(window);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        long count = 0;
        while (System.nanoTime() < end) {
            free.acquire();
            long delay = delays[(int) (count++ & 4095)];
            CompletionStage<?> sent = queue.offerAsync(value, delay, TimeUnit.MILLISECONDS);
            sent.whenComplete((done, error) -> {
                if (error != null) {
                    failure.compareAndSet(null, error);
                }
                free.release();
            });
        }
        free.acquire(window);
        if (failure.get() != null) {
            throw new ExecutionException(failure.get());
        }
        return count;
    }
}
