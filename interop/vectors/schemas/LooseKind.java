/** An interface without a package. */
public interface LooseKind {
    final class One implements LooseKind, java.io.Serializable {
        private static final long serialVersionUID = 1;
        public int number = 1;

        public static One sample() {
            return new One();
        }
    }
}
