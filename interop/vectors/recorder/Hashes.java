import io.netty.buffer.Unpooled;
import java.util.HexFormat;
import java.util.Random;
import org.redisson.misc.Hash;

/** Writes, as JSON, bytes of each length and their hashes: interop/vectors/record_hashes.py. */
public class Hashes {
    public static void main(String[] arguments) {
        Random random = new Random(7);
        StringBuilder rows = new StringBuilder();
        for (int length = 0; length <= 130; length++) {
            byte[] data = new byte[length];
            random.nextBytes(data);
            String name = Hash.hash128toBase64(Unpooled.wrappedBuffer(data));
            rows.append(rows.length() == 0 ? "{\n" : ",\n");
            rows.append(String.format("\"%s\": \"%s\"", HexFormat.of().formatHex(data), name));
        }
        System.out.print(rows + "\n}\n");
    }
}
