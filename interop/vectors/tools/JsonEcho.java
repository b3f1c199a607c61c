import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import org.redisson.client.codec.Codec;
import org.redisson.client.handler.State;
import org.redisson.codec.JsonJacksonCodec;

/**
 * Answers each line of standard input with one line. The first argument is the codec, the others
 * are classes. A carrier is a list with the value in it as JsonJacksonCodec has it.
 * "make SEED" makes a random value: its class, bytes, bytes read and written again,
 * carrier, bytes of what was carried.
 * "take CLASS BYTES CARRIER": the bytes read and written again, the bytes of what was carried.
 * "!" and the reason stand for bytes that Java refuses.
 */
public class JsonEcho {
    private static String name;
    private static final Map<Class<?>, Codec> CODECS = new HashMap<>();
    private static final Codec CARRIER = new JsonJacksonCodec();

    static Codec codec(Class<?> type) throws Exception {
        Class<?> found = Class.forName("org.redisson.codec." + name);
        Class<?> key = name.startsWith("Typed") ? type : Object.class;
        if (!CODECS.containsKey(key)) {
            CODECS.put(key, name.startsWith("Typed")
                    ? (Codec) found.getConstructor(Class.class).newInstance(type)
                    : (Codec) found.getConstructor().newInstance());
        }
        return CODECS.get(key);
    }

    interface Work {
        String run() throws Exception;
    }

    static String tried(Work work) {
        try {
            return work.run();
        } catch (Throwable e) {
            return "!" + e.toString().replaceAll("\\s+", "_");
        }
    }

    static String encode(Codec codec, Object value) throws Exception {
        ByteBuf written = codec.getValueEncoder().encode(value);
        try {
            return ByteBufUtil.hexDump(written);
        } finally {
            written.release();
        }
    }

    static Object decode(Codec codec, String hex) throws Exception {
        ByteBuf data = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
        Object value = codec.getValueDecoder().decode(data, new State());
        if (data.isReadable()) {
            throw new IllegalStateException(data.readableBytes() + " bytes left");
        }
        return value;
    }

    static String carried(Class<?> type, String carrier) throws Exception {
        return encode(codec(type), ((List<?>) decode(CARRIER, carrier)).get(0));
    }

    static String make(long seed, List<Class<?>> beans) throws Exception {
        JsonMaker maker = new JsonMaker(new Random(seed), beans, name.contains("3"), name.startsWith("Typed"));
        Object value = maker.message();
        String own = tried(() -> encode(codec(value.getClass()), value));
        String again = own.startsWith("!") ? own
                : tried(() -> encode(codec(value.getClass()), decode(codec(value.getClass()), own)));
        // Read and written once, for Java reads immutable lists and others as ArrayLists.
        String carrier = tried(() -> encode(CARRIER,
                decode(CARRIER, encode(CARRIER, new ArrayList<>(Arrays.asList(value))))));
        String carried = carrier.startsWith("!") ? carrier : tried(() -> carried(value.getClass(), carrier));
        return value.getClass().getName() + " " + own + " " + again + " " + carrier + " " + carried;
    }

    static String take(Class<?> type, String data, String carrier) throws Exception {
        String again = tried(() -> encode(codec(type), decode(codec(type), data)));
        String carried = tried(() -> carried(type, carrier));
        return again + " " + carried;
    }

    public static void main(String[] args) throws Exception {
        name = args[0];
        List<Class<?>> beans = new ArrayList<>();
        for (int i = 1; i < args.length; i++) {
            beans.add(Class.forName(args[i]));
        }
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, "UTF-8");
        for (String line; (line = in.readLine()) != null;) {
            String[] words = line.split(" ");
            out.println(tried(() -> words[0].equals("make")
                    ? make(Long.parseLong(words[1]), beans)
                    : take(Class.forName(words[1]), words[2], words[3])));
        }
        out.flush();
        System.exit(0);
    }
}
