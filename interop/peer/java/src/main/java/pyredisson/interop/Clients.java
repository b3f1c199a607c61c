package pyredisson.interop;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategy;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.TextNode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.Codec;
import org.redisson.config.ClusterServersConfig;
import org.redisson.config.Config;
import org.redisson.config.SentinelServersConfig;
import org.redisson.config.SingleServerConfig;

/** Makes Redisson clients and codecs; what differs between releases is reached by reflection. */
final class Clients {
    private static final String NAMINGS = "com.fasterxml.jackson.databind.PropertyNamingStrategies";

    private Clients() {}

    /**
     * A client from {@code urls}, {@code mode} (single, cluster, sentinel with {@code master}),
     * and optionally {@code codec}, {@code useScriptCache}, {@code namePrefix} (a name mapper) and
     * {@code settings}: any other setter of the server's or the common configuration.
     */
    static RedissonClient create(JsonNode spec) throws Exception {
        Config config = new Config();
        Object server = server(config, spec);
        List<Object> targets = List.of(server, config);
        if (spec.hasNonNull("codec")) {
            config.setCodec(codec(spec.get("codec").asText()));
        }
        if (spec.hasNonNull("useScriptCache")) {
            set(targets, "useScriptCache", spec.get("useScriptCache"));
        }
        if (spec.hasNonNull("namePrefix")) {
            mapNames(targets, spec.get("namePrefix").asText());
        }
        Iterator<Map.Entry<String, JsonNode>> each = spec.path("settings").fields();
        while (each.hasNext()) {
            Map.Entry<String, JsonNode> setting = each.next();
            set(targets, setting.getKey(), setting.getValue());
        }
        return Redisson.create(config);
    }

    private static Object server(Config config, JsonNode spec) throws Exception {
        List<String> addresses = new ArrayList<>();
        URI uri = null;
        for (JsonNode url : spec.get("urls")) {
            uri = URI.create(url.asText());
            addresses.add(uri.getScheme() + "://" + uri.getHost() + ":" + uri.getPort());
        }
        Object server;
        switch (spec.path("mode").asText("single")) {
            case "cluster":
                ClusterServersConfig cluster = config.useClusterServers();
                addresses.forEach(cluster::addNodeAddress);
                cluster.setScanInterval(1000);
                cluster.setMasterConnectionMinimumIdleSize(2).setSlaveConnectionMinimumIdleSize(2);
                server = cluster;
                break;
            case "sentinel":
                SentinelServersConfig sentinel = config.useSentinelServers();
                addresses.forEach(sentinel::addSentinelAddress);
                sentinel.setMasterName(spec.path("master").asText("mymaster"));
                sentinel.setMasterConnectionMinimumIdleSize(2).setSlaveConnectionMinimumIdleSize(2);
                server = sentinel;
                break;
            default:
                SingleServerConfig single = config.useSingleServer();
                single.setAddress(addresses.get(0)).setConnectionMinimumIdleSize(2);
                if (uri.getPath() != null && uri.getPath().length() > 1) {
                    single.setDatabase(Integer.parseInt(uri.getPath().substring(1)));
                }
                server = single;
        }
        login(List.of(server, config), uri);
        return server;
    }

    private static void login(List<Object> targets, URI uri) throws Exception {
        if (uri.getUserInfo() == null) {
            return;
        }
        String[] user = uri.getUserInfo().split(":", 2);
        if (!user[0].isEmpty()) {
            set(targets, "username", TextNode.valueOf(user[0]));
        }
        if (user.length > 1) {
            set(targets, "password", TextNode.valueOf(user[1]));
        }
    }

    private static void set(List<Object> targets, String name, JsonNode value) throws Exception {
        String setter = "set" + Character.toUpperCase(name.charAt(0)) + name.substring(1);
        for (Object target : targets) {
            try {
                Methods.invoke(target.getClass(), target, setter, List.of(value));
                return;
            } catch (NoSuchMethodException e) {
                // The other configuration object may have it.
            }
        }
        throw new NoSuchMethodException("no configuration of this release has " + setter);
    }

    /** NameMapper sits in org.redisson.api up to 3.x and in org.redisson.config since 4.0.0. */
    private static void mapNames(List<Object> targets, String prefix) throws Exception {
        InvocationHandler mapper = (proxy, method, args) -> {
            String name = args == null ? null : (String) args[0];
            switch (method.getName()) {
                case "map": return name == null ? null : prefix + name;
                case "unmap":
                    boolean ours = name != null && name.startsWith(prefix);
                    return ours ? name.substring(prefix.length()) : name;
                default: return "prefix " + prefix;
            }
        };
        for (Object target : targets) {
            for (Method method : target.getClass().getMethods()) {
                if (method.getName().equals("setNameMapper") && !method.isBridge()) {
                    Class<?> type = method.getParameterTypes()[0];
                    ClassLoader loader = type.getClassLoader();
                    method.invoke(target, Proxy.newProxyInstance(loader, new Class<?>[] {type}, mapper));
                    return;
                }
            }
        }
        throw new NoSuchMethodException("no configuration of this release has setNameMapper");
    }

    /**
     * A codec by name: "Kryo5", "Kryo5Codec", a class name, or with the class of its values,
     * "TypedJsonJackson:java.lang.String"; or with an ObjectMapper, "JsonJackson+iso".
     */
    static Codec codec(String spec) throws Exception {
        String[] parts = spec.split(":", 2);
        String[] options = parts[0].split("[+]");
        Class<?> type = codecClass(options[0]);
        if (options.length > 1) {
            ObjectMapper mapper = mapper(options);
            return parts.length == 1
                    ? (Codec) type.getConstructor(ObjectMapper.class).newInstance(mapper)
                    : (Codec) type.getConstructor(Class.class, ObjectMapper.class)
                            .newInstance(Class.forName(parts[1]), mapper);
        }
        if (parts.length == 1 && !type.getSimpleName().startsWith("Typed")) {
            return (Codec) type.getConstructor().newInstance();
        }
        Class<?> value = Class.forName(parts.length == 1 ? "java.lang.Object" : parts[1]);
        return (Codec) type.getConstructor(Class.class).newInstance(value);
    }

    /** With JavaTimeModule; "iso" turns timestamps off, another option is a naming strategy. */
    private static ObjectMapper mapper(String[] options) throws Exception {
        ObjectMapper mapper = new ObjectMapper().findAndRegisterModules();
        for (int i = 1; i < options.length; i++) {
            if (options[i].equals("iso")) {
                mapper.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
                mapper.disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
            } else if (!options[i].equals("arrays")) {
                Object naming = Class.forName(NAMINGS).getField(options[i]).get(null);
                mapper.setPropertyNamingStrategy((PropertyNamingStrategy) naming);
            }
        }
        return mapper;
    }

    private static Class<?> codecClass(String name) throws ClassNotFoundException {
        List<String> tries = new ArrayList<>();
        for (String each : List.of(name, name + "Codec")) {
            tries.add("org.redisson.codec." + each);
            tries.add("org.redisson.client.codec." + each);
            tries.add(each);
        }
        for (String each : tries) {
            try {
                return Class.forName(each);
            } catch (ClassNotFoundException | NoClassDefFoundError e) {
                // The next spelling.
            }
        }
        throw new ClassNotFoundException("no codec " + name);
    }
}
