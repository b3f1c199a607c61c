package com.example;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;

/** Fields and getters that differ in capitals, as IDEs and Lombok write them. */
public class Capitals {
    private String URL;
    private String xPos;
    private String aBC;
    private String ID;
    private String eMail;
    private String IName;
    private int XCount;
    private boolean SSL;
    private boolean isReady;

    public String getURL() {
        return URL;
    }

    public void setURL(String value) {
        URL = value;
    }

    public String getXPos() {
        return xPos;
    }

    public void setXPos(String value) {
        xPos = value;
    }

    public String getABC() {
        return aBC;
    }

    public void setABC(String value) {
        aBC = value;
    }

    public String getId() {
        return ID;
    }

    public void setId(String value) {
        ID = value;
    }

    public String getEMail() {
        return eMail;
    }

    public void setEMail(String value) {
        eMail = value;
    }

    public String getIName() {
        return IName;
    }

    public void setIName(String value) {
        IName = value;
    }

    public int getXCount() {
        return XCount;
    }

    public void setXCount(int value) {
        XCount = value;
    }

    public boolean isSSL() {
        return SSL;
    }

    public void setSSL(boolean value) {
        SSL = value;
    }

    public boolean isReady() {
        return isReady;
    }

    public void setReady(boolean value) {
        isReady = value;
    }

    /** The annotation is on the field. */
    public static class Link {
        @JsonProperty("link")
        private String URL;

        public String getURL() {
            return URL;
        }
    }

    /** The annotation is on the getter, which Jackson 2 takes for another property. */
    public static class Named {
        private String URL;

        @JsonProperty("link")
        public String getURL() {
            return URL;
        }

        @JsonProperty("link")
        public void setURL(String value) {
            URL = value;
        }
    }

    /** Ignored by Jackson 3 alone. */
    public static class Secret {
        private String URL;
        private String other;

        @JsonIgnore
        public String getURL() {
            return URL;
        }

        public String getOther() {
            return other;
        }
    }

    /** Getters whose property is no field to Jackson. */
    public static class Odd {
        private String url;
        private String name;
        private String eMail;
        private String _x;

        public String getURL() {
            return url;
        }

        public void setURL(String value) {
            url = value;
        }

        public String getHTML() {
            return name;
        }

        public String geteMail() {
            return eMail;
        }

        public String get_x() {
            return _x;
        }
    }

    /** A field without a getter. */
    public static class Above {
        private String URL;
        private boolean up;

        String read() {
            return URL + up;
        }
    }

    /** The getters of the superclass's fields. */
    public static class Below extends Above {
        private String other;

        public String getURL() {
            return "https://" + other;
        }

        public String getOther() {
            return other;
        }

        public boolean isUp() {
            return other != null;
        }
    }

    /** The accessors of a record and a getter of its component. */
    public record Row(String URL, String xPos, boolean up) {
        public String getURL() {
            return URL;
        }
    }

    /** A record without components. */
    public record Nothing() {}
}
