import com.example.Things; import com.example.Things.*; import io.netty.buffer.*; import java.util.*; import org.redisson.client.codec.Codec;
/** Prints tests/vectors/things.json: codec, expression, bytes. Class path: Redisson 3.18.1 and Things. */
public class RecordThings { static Map<String, Object> v = new LinkedHashMap<>();
 public static void main(String[] a) throws Exception {
  v.put("Things.family()", Things.family()); v.put("Things.knot()", Things.knot()); v.put("new Outer().inner()", new Outer().inner());
  Outer o = new Outer(); v.put("list(o, o.inner(), o.inner())", new ArrayList<>(Arrays.asList(o, o.inner(), o.inner())));
  v.put("fill(new Tags(), b, a)", Things.fill(new Tags(), "b", "a")); v.put("fill(new Table(), b, 1, a, 2)", Things.fill(new Table(), "b", 1, "a", 2));
  v.put("fill(new Names(), x, y, longer)", Things.fill(new Names(), "x", "y", "longer")); v.put("fill(new Sorted(), b, 1, a, x)", Things.fill(new Sorted(), "b", 1, "a", "x"));
  v.put("fill(new Config(), a, b)", Things.fill(new Config(), "a", "b")); v.put("fill(new Row(), 1, null)", Things.fill(new Row(), 1, null, "z"));
  v.put("Things.oops()", Things.oops()); v.put("new HashMap<>(100)", new HashMap<>(100)); v.put("fill(new HashMap<>(100), a, 1)", Things.fill(new HashMap<>(100), "a", 1));
  v.put("fill(new LinkedHashSet<>(100), a, b)", Things.fill(new LinkedHashSet<>(100), "a", "b")); v.put("new Hashtable<>(50)", Things.fill(new Hashtable<>(50), "a", 1));
  v.put("new HashMap<>(16, 0.5f)", Things.fill(new HashMap<>(16, 0.5f), "a", 1)); v.put("new Vector<>(4)", Things.fill(new Vector<>(4), "a"));
  for (String n : new String[]{"SerializationCodec", "MarshallingCodec"}) { Codec c = (Codec) Class.forName("org.redisson.codec." + n).getConstructor().newInstance();
   for (var e : v.entrySet()) System.out.println("@" + n + "\t" + e.getKey() + "\t" + ByteBufUtil.hexDump((ByteBuf) c.getValueEncoder().encode(e.getValue())) + "\t"); }
  System.exit(0); } }
