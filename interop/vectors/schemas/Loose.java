import java.io.Serializable;

/** Without a package. */
public class Loose implements Serializable {
    private static final long serialVersionUID = 1;
    public LooseKind kind;
    public Loose next;

    public static Loose sample() {
        Loose made = new Loose();
        made.kind = new LooseKind.One();
        made.next = new Loose();
        return made;
    }
}
