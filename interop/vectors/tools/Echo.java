import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.redisson.client.codec.Codec;

/**
 * Answers each line of standard input with one line: "echo HEX" decodes and encodes again, "make
 * CLASS SEED" encodes a random object, "sample CLASS" what the class's sample() returns, "codec NAME
 * [CLASS]" takes another codec, "!" and the reason is a failure.
 */
public class Echo {
    static List<String> made;
    static boolean references;

    /** The codec: its name, the class of its values where it is told one, an Avro schema. */
    static Codec fresh() throws Exception {
        Class<?> type = Class.forName("org.redisson.codec." + made.get(0));
        if (references) {
            return (Codec) type.getConstructor(Set.class, boolean.class).newInstance(Set.of(), true);
        }
        if (made.size() == 1) {
            return (Codec) type.getConstructor().newInstance();
        }
        Class<?> of = Class.forName(made.get(1));
        if (made.size() == 2) {
            return (Codec) type.getConstructor(Class.class).newInstance(of);
        }
        String jackson = made.get(0).contains("3") ? "tools.jackson" : "com.fasterxml.jackson";
        Class<?> schema = Class.forName(jackson + ".dataformat.avro.AvroSchema");
        Object parser = Class.forName("org.apache.avro.Schema$Parser").getConstructor().newInstance();
        Object parsed = parser.getClass().getMethod("parse", String.class).invoke(parser, made.get(2));
        Object wrapped = schema.getConstructor(Class.forName("org.apache.avro.Schema")).newInstance(parsed);
        return (Codec) type.getConstructor(Class.class, schema).newInstance(of, wrapped);
    }

    static String encode(Codec codec, Object value) throws Exception {
        ByteBuf bytes = codec.getValueEncoder().encode(value);
        try {
            return ByteBufUtil.hexDump(bytes);
        } finally {
            bytes.release();
        }
    }

    public static void main(String[] args) throws Exception {
        made = new ArrayList<>(Arrays.asList(args));
        references = made.remove("references");
        boolean serialized = made.remove("serialized");
        Codec codec = fresh();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), false, "UTF-8");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            String answer;
            try {
                if (words[0].equals("echo")) {
                    ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(words[1]));
                    Object value = codec.getValueDecoder().decode(bytes, null);
                    if (bytes.isReadable()) {
                        throw new IllegalStateException(bytes.readableBytes() + " bytes left");
                    }
                    answer = encode(codec, value);
                } else if (words[0].equals("codec")) {
                    made = new ArrayList<>(Arrays.asList(words).subList(1, words.length));
                    codec = fresh();
                    answer = "";
                } else if (words[0].equals("sample")) {
                    answer = encode(codec, Class.forName(words[1]).getMethod("sample").invoke(null));
                } else {
                    Object value = new Maker(new Random(Long.parseLong(words[2])), references, serialized).root(Class.forName(words[1]));
                    answer = encode(codec, value);
                }
            } catch (Throwable e) {
                codec = fresh(); // a failure spoils the type arguments of a pooled Kryo
                answer = "!" + e.toString().replace('\n', ' ');
            }
            out.println(answer);
            if (!in.ready()) {
                out.flush();
            }
        }
        out.flush();
        System.exit(0);
    }
}
