import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.PropertyNamingStrategy;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.List;

/** The ObjectMappers that services give their codecs. */
public class Mappers {
    public static ObjectMapper mapper(List<String> options) throws Exception {
        ObjectMapper mapper = new ObjectMapper();
        for (String option : options) {
            switch (option) {
                case "arrays":
                    mapper.registerModule(new JavaTimeModule());
                    break;
                case "iso":
                    mapper.registerModule(new JavaTimeModule());
                    mapper.disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS);
                    break;
                case "iso durations":
                    mapper.disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
                    break;
                case "no nanoseconds":
                    mapper.disable(SerializationFeature.WRITE_DATE_TIMESTAMPS_AS_NANOSECONDS);
                    mapper.disable(DeserializationFeature.READ_DATE_TIMESTAMPS_AS_NANOSECONDS);
                    break;
                case "overridden": // by Redisson: no effect
                    mapper.setSerializationInclusion(JsonInclude.Include.ALWAYS);
                    mapper.enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
                    break;
                default:
                    mapper.setPropertyNamingStrategy((PropertyNamingStrategy)
                            PropertyNamingStrategies.class.getField(option).get(null));
            }
        }
        return mapper;
    }
}
