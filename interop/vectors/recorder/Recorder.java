import com.example.*;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.lang.reflect.Field;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.*;
import java.util.*;
import java.util.concurrent.Callable;
import java.util.stream.*;
import org.redisson.client.codec.Codec;
import org.redisson.codec.*;

/** Prints "@number hex" for each value that its codec can write. */
public class Recorder {
    record Entry(Callable<Object> value, Callable<Codec> codec) {}

    static final List<Entry> ENTRIES = new ArrayList<>();

    static void add(Callable<Object> value, Callable<Codec> codec) {
        ENTRIES.add(new Entry(value, codec));
    }

    static ArrayList<Object> list(Object... values) {
        return new ArrayList<>(Arrays.asList(values));
    }

    static Stack<Object> stack(Object... values) {
        return add(new Stack<>(), values);
    }

    static HashSet<Object> set(Object... values) {
        return add(new HashSet<>(), values);
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    static <C extends Collection> C add(C collection, Object... values) {
        collection.addAll(Arrays.asList(values));
        return collection;
    }

    @SuppressWarnings({"rawtypes", "unchecked"})
    static <M extends Map> M fill(M map, Object... entries) {
        for (int i = 0; i < entries.length; i += 2) {
            map.put(entries[i], entries[i + 1]);
        }
        return map;
    }

    static HashMap<Object, Object> map(Object... entries) {
        return fill(new HashMap<>(), entries);
    }

    static LinkedHashMap<Object, Object> linked(Object... entries) {
        return fill(new LinkedHashMap<>(), entries);
    }

    static ArrayList<Object> twice(Object value) {
        return list(value, value);
    }

    static <T extends Throwable> T quiet(T error) {
        error.setStackTrace(new StackTraceElement[0]);
        return error;
    }

    static Object[] loop() {
        Object[] made = new Object[1];
        made[0] = made;
        return made;
    }

    static Tree knot() {
        Tree tree = new Tree();
        tree.name = "knot";
        tree.twin = tree;
        tree.children = new ArrayList<>(List.of(tree));
        return tree;
    }

    static Calendar calendar(String zone, long millis) {
        Calendar made = Calendar.getInstance(TimeZone.getTimeZone(zone), Locale.US);
        made.setTimeInMillis(millis);
        return made;
    }

    static class IndexMaker {
        Names.Index make() {
            return new Names.Index();
        }
    }

    /** Sets fields by name; "Base.name" is the one that class Base declares. */
    static <T> T of(T made, Object... fields) throws Exception {
        for (int i = 0; i < fields.length; i += 2) {
            String[] path = ((String) fields[i]).split("\\.");
            Class<?> type = made.getClass();
            while (path.length == 2 && !type.getSimpleName().equals(path[0])) {
                type = type.getSuperclass();
            }
            Field field = null;
            for (; field == null; type = type.getSuperclass()) {
                for (Field each : type.getDeclaredFields()) {
                    if (each.getName().equals(path[path.length - 1])) {
                        field = each;
                    }
                }
            }
            field.setAccessible(true);
            field.set(made, fields[i + 1]);
        }
        return made;
    }

/*ADDS*/

    public static void main(String[] args) throws Exception {
/*CALLS*/
        for (int i = 0; i < ENTRIES.size(); i++) {
            try {
                Codec codec = ENTRIES.get(i).codec().call();
                ByteBuf bytes = codec.getValueEncoder().encode(ENTRIES.get(i).value().call());
                System.out.println("@" + i + " " + ByteBufUtil.hexDump(bytes));
            } catch (Throwable e) {
                System.err.println("refused " + i + ": " + e);
            }
        }
        System.exit(0);
    }
}
