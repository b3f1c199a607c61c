package pyredisson.interop;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectMapper.DefaultTypeResolverBuilder;
import com.fasterxml.jackson.databind.ObjectMapper.DefaultTyping;
import com.fasterxml.jackson.databind.jsontype.impl.LaissezFaireSubTypeValidator;
import org.redisson.codec.JsonJacksonCodec;

/** A service's codec with which final classes carry their class, too. */
public class EverythingCodec extends JsonJacksonCodec {
    public EverythingCodec() {}

    /** Redisson copies its codecs with this constructor. */
    public EverythingCodec(ClassLoader classLoader, EverythingCodec codec) {
        super(classLoader, codec);
    }

    @Override
    protected void initTypeInclusion(ObjectMapper mapper) {
        DefaultTypeResolverBuilder typing = new DefaultTypeResolverBuilder(
                DefaultTyping.EVERYTHING, LaissezFaireSubTypeValidator.instance);
        typing.init(JsonTypeInfo.Id.CLASS, null);
        typing.inclusion(JsonTypeInfo.As.PROPERTY);
        mapper.setDefaultTyping(typing);
    }
}
