package pyredisson.interop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import org.redisson.client.codec.Codec;
import org.redisson.client.handler.State;

/**
 * How long codecs take, a program of its own.
 *
 * <p>A line of its input is a codec's simple name and a value as Kryo5Codec's bytes in hex; the
 * answer is the codec's bytes of it, and the nanoseconds of one encoding and of one decoding, or "!"
 * and an error. A codec that is made for one class gets the value's.
 */
public final class Rates {
    private static final long WARM_UP = 150_000_000;
    private static final int ROUNDS = 100;

    private Rates() {}

    private interface Work {
        void run() throws Exception;
    }

    public static void main(String[] args) throws Exception {
        BufferedReader lines = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = lines.readLine()) != null; ) {
            try {
                System.out.println(measure(line.split(" ")));
            } catch (Throwable e) {
                System.out.println("!" + e.toString().replaceAll("\\s+", " "));
            }
        }
        System.exit(0);
    }

    private static String measure(String[] words) throws Exception {
        byte[] told = ByteBufUtil.decodeHexDump(words[1]);
        Object value = decode(codec("Kryo5Codec", null), told);
        Codec codec = codec(words[0], value.getClass());
        ByteBuf written = codec.getValueEncoder().encode(value);
        byte[] data = ByteBufUtil.getBytes(written);
        written.release();
        double encode = best(() -> codec.getValueEncoder().encode(value).release());
        double decode = best(() -> decode(codec, data));
        return ByteBufUtil.hexDump(data) + " " + encode + " " + decode;
    }

    private static Object decode(Codec codec, byte[] data) throws Exception {
        return codec.getValueDecoder().decode(Unpooled.wrappedBuffer(data), new State());
    }

    private static Codec codec(String name, Class<?> of) throws Exception {
        Class<?> type;
        try {
            type = Class.forName("org.redisson.codec." + name);
        } catch (ClassNotFoundException e) {
            type = Class.forName("org.redisson.client.codec." + name);
        }
        try {
            return (Codec) type.getConstructor().newInstance();
        } catch (NoSuchMethodException e) {
            return (Codec) type.getConstructor(Class.class).newInstance(of);
        }
    }

    /** The nanoseconds of one run, the best of short rounds after the compiler has done its work. */
    private static double best(Work work) throws Exception {
        long begin = spent();
        int count = 0;
        while (spent() - begin < WARM_UP) {
            work.run();
            count++;
        }
        int number = Math.max(count / 150, 1);
        double best = Double.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long start = spent();
            for (int i = 0; i < number; i++) {
                work.run();
            }
            best = Math.min(best, (spent() - start) / (double) number);
        }
        return best;
    }

    /** The processor time of this thread, so that a busy machine tells the same. */
    private static long spent() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
