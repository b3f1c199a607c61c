package pyredisson.interop;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Exceptions as JSON: what Redisson threw, without the wrappers of reflection and of futures. */
final class Errors {
    private Errors() {}

    static Throwable unwrap(Throwable e) {
        Throwable t = e;
        while (t.getCause() != null
                && (t instanceof InvocationTargetException
                        || t instanceof ExecutionException
                        || t instanceof CompletionException)) {
            t = t.getCause();
        }
        return t;
    }

    /** {@code {"class", "message", "causes": [{"class", "message"}...], "trace"}}. */
    static ObjectNode toJson(Throwable e) {
        Throwable error = unwrap(e);
        ObjectNode json = describe(error);
        ArrayNode causes = json.putArray("causes");
        Throwable cause = error.getCause();
        while (cause != null && causes.size() < 8) {
            causes.add(describe(cause));
            cause = cause.getCause();
        }
        ArrayNode trace = json.putArray("trace");
        StackTraceElement[] frames = error.getStackTrace();
        for (int i = 0; i < Math.min(8, frames.length); i++) {
            trace.add(frames[i].toString());
        }
        return json;
    }

    private static ObjectNode describe(Throwable t) {
        ObjectNode json = Peer.JSON.createObjectNode();
        json.put("class", t.getClass().getName());
        json.put("message", t.getMessage());
        return json;
    }
}
