package pyredisson.interop;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/**
 * A real Redisson that obeys JSON lines.
 *
 * <p>Usage: {@code Peer [--port N] [--host ADDRESS] [--stay]}. One request per line, one reply per
 * line, in order, on standard input and output and on every connection to the port (0, the default:
 * any free one; {@code --port none}: no port). Each connection has a thread of its own, so that a
 * take that waits holds up nobody else. The first line on standard output says which port it is.
 *
 * <p>The process ends with {@code quit} or when its standard input ends, so that it never outlives
 * the process that started it; {@code --stay} keeps it alive without a standard input.
 */
public final class Peer {
    static final ObjectMapper JSON = new ObjectMapper();

    private final Commands commands = new Commands();

    private Peer() {}

    /** Starts the peer; returns when standard input has ended, and then the process ends. */
    public static void main(String[] args) throws Exception {
        JSON.configure(JsonGenerator.Feature.ESCAPE_NON_ASCII, true);
        String port = "0";
        String host = "127.0.0.1";
        boolean stay = false;
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--port")) {
                port = args[++i];
            } else if (args[i].equals("--host")) {
                host = args[++i];
            } else if (args[i].equals("--stay")) {
                stay = true;
            } else {
                throw new IllegalArgumentException("unknown argument " + args[i]);
            }
        }
        // Only replies belong on standard output; whatever libraries print goes to stderr.
        OutputStream out = System.out;
        System.setOut(System.err);
        new Peer().run(port, host, stay, out);
        Runtime.getRuntime().halt(0);
    }

    private void run(String port, String host, boolean stay, OutputStream out) throws Exception {
        ObjectNode hello = commands.info();
        if (!port.equals("none")) {
            ServerSocket server = new ServerSocket();
            server.bind(new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(port)));
            hello.put("port", server.getLocalPort());
            thread("accept", () -> accept(server));
        }
        out.write((hello + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        serve(System.in, out);
        if (stay) {
            Thread.currentThread().join();
        }
    }

    private void accept(ServerSocket server) {
        while (true) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                thread("peer-" + socket.getPort(), () -> {
                    try (socket) {
                        serve(socket.getInputStream(), socket.getOutputStream());
                    } catch (IOException e) {
                        // The other side has gone; there is nobody to tell.
                    }
                });
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static void thread(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void serve(InputStream in, OutputStream out) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        BufferedWriter replies =
                new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (!line.isEmpty()) {
                replies.write(answer(line).toString());
                replies.write('\n');
                replies.flush();
            }
        }
    }

    private ObjectNode answer(String line) {
        ObjectNode reply = JSON.createObjectNode();
        long begin = System.nanoTime();
        try {
            JsonNode request = JSON.readTree(line);
            if (request.has("id")) {
                reply.set("id", request.get("id"));
            }
            reply.setAll(commands.execute(request));
        } catch (Throwable e) {
            reply.set("error", Errors.toJson(e));
        }
        reply.put("ms", (System.nanoTime() - begin) / 1e6);
        return reply;
    }
}
