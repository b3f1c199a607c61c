import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.PropertyNamingStrategy;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The mappers of Jackson 3 that services give their codecs. */
public class Mappers3 {
    public static ObjectMapper mapper(List<String> options) throws Exception {
        JsonMapper.Builder builder = JsonMapper.builder();
        for (String option : options) {
            switch (option) {
                case "plain":
                    break;
                case "arrays":
                    builder.enable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS);
                    break;
                case "non null":
                    builder.changeDefaultPropertyInclusion(each -> each
                            .withValueInclusion(JsonInclude.Include.NON_NULL)
                            .withContentInclusion(JsonInclude.Include.NON_NULL));
                    break;
                default:
                    builder.propertyNamingStrategy((PropertyNamingStrategy)
                            PropertyNamingStrategies.class.getField(option).get(null));
            }
        }
        return builder.build();
    }
}
