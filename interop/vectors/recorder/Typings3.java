import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.redisson.client.codec.Codec;
import org.redisson.codec.JsonJackson3Codec;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;
import tools.jackson.databind.jsontype.impl.DefaultTypeResolverBuilder;

/** The Jackson 3 codec of a service whose initTypeInclusion covers all types. */
public class Typings3 {
    static final PolymorphicTypeValidator ALL = BasicPolymorphicTypeValidator.builder()
            .allowIfBaseType(Object.class).allowIfSubType(Object.class).build();

    static class Everything extends DefaultTypeResolverBuilder {
        Everything() {
            super(ALL, DefaultTyping.NON_FINAL, "@class");
        }

        @Override
        public boolean useForType(JavaType type) {
            return true;
        }
    }

    public static Codec codec(String name) {
        return new JsonJackson3Codec() {
            @Override
            protected void initTypeInclusion(JsonMapper.Builder builder) {
                builder.setDefaultTyping(new Everything());
            }
        };
    }
}
