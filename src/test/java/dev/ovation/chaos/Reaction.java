package dev.ovation.chaos;

import java.util.List;

/**
 * A reaction that clients send to a namespace.
 *
 * @param name as answers count it
 * @param forms as a user may see the own reaction: the name, then the same emoji with skin tones
 * @param spelling another spelling of the name in requests
 * @param isTaken whether the namespace accepts it
 */
record Reaction(String name, List<String> forms, String spelling, boolean isTaken) {

    /** Number of forms that a request may choose from. */
    static final int FORMS = 4;

    static Reaction of(String name) {
        return new Reaction(name, List.of(name), name, true);
    }

    /** A reaction that requests may spell in another way. */
    static Reaction spelled(String name, String spelling) {
        return new Reaction(name, List.of(name), spelling, true);
    }

    /** An emoji whose skin tones count as one; the first form has none. */
    static Reaction toned(String... forms) {
        return new Reaction(forms[0], List.of(forms), forms[0], true);
    }

    /** A text that the namespace must refuse. */
    static Reaction foreign(String name) {
        return new Reaction(name, List.of(name), name, false);
    }

    /** The reaction in a request that chooses this form. */
    String sent(int form) {
        return forms.size() > 1 ? forms.get(form) : form % 2 == 0 ? name : spelling;
    }

    /** The number of the form that such a request leads to. */
    int formOf(int form) {
        return forms.size() > 1 ? form : 0;
    }

    /** The reaction as Postgres names it: without the selector of an emoji. */
    String key() {
        return key(name);
    }

    static String key(String name) {
        return name.replace("\uFE0F", "");
    }
}
