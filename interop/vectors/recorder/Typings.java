import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectMapper.DefaultTypeResolverBuilder;
import com.fasterxml.jackson.databind.ObjectMapper.DefaultTyping;
import com.fasterxml.jackson.databind.jsontype.impl.LaissezFaireSubTypeValidator;
import org.redisson.client.codec.Codec;
import org.redisson.codec.*;

/** The codecs of services that override initTypeInclusion with EVERYTHING. */
public class Typings {
    static void everything(ObjectMapper mapper) {
        DefaultTypeResolverBuilder typer = new DefaultTypeResolverBuilder(
                DefaultTyping.EVERYTHING, LaissezFaireSubTypeValidator.instance);
        typer.init(JsonTypeInfo.Id.CLASS, null);
        typer.inclusion(JsonTypeInfo.As.PROPERTY);
        mapper.setDefaultTyping(typer);
    }

    public static Codec codec(String name) {
        switch (name) {
            case "JsonJacksonCodec":
                return new JsonJacksonCodec() {
                    @Override
                    protected void initTypeInclusion(ObjectMapper mapper) {
                        everything(mapper);
                    }
                };
            case "MsgPackJacksonCodec":
                return new MsgPackJacksonCodec() {
                    @Override
                    protected void initTypeInclusion(ObjectMapper mapper) {
                        everything(mapper);
                    }
                };
            case "CborJacksonCodec":
                return new CborJacksonCodec() {
                    @Override
                    protected void initTypeInclusion(ObjectMapper mapper) {
                        everything(mapper);
                    }
                };
            case "SmileJacksonCodec":
                return new SmileJacksonCodec() {
                    @Override
                    protected void initTypeInclusion(ObjectMapper mapper) {
                        everything(mapper);
                    }
                };
            case "IonJacksonCodec":
                return new IonJacksonCodec() {
                    @Override
                    protected void initTypeInclusion(ObjectMapper mapper) {
                        everything(mapper);
                    }
                };
            default:
                throw new IllegalArgumentException(name);
        }
    }
}
