package dev.ovation.social;

import java.util.List;

/**
 * Event of this process: names, avatars or friendships of users have changed.
 *
 * @param users ids of the users
 */
public record SocialChange(List<String> users) {

    SocialChange(String... users) {
        this(List.of(users));
    }
}
