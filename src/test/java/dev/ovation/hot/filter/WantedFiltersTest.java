package dev.ovation.hot.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ovation.entity.EntityKey;
import dev.ovation.hot.filter.WantedFilters.WantedFilter;

import org.junit.jupiter.api.Test;

class WantedFiltersTest {

    private final WantedFilters wanted = new WantedFilters();

    private static EntityKey key(String entity) {
        return new EntityKey("posts", entity);
    }

    private void lookUp(String entity, int times) {
        for (int i = 0; i < times; i++) {
            wanted.lookedUp(3, key(entity));
        }
    }

    @Test
    void theEntityWithTheMostLookUpsComesFirst() {
        lookUp("warm", WantedFilters.LEAST_LOOKUPS);
        lookUp("hot", WantedFilters.LEAST_LOOKUPS + 1);
        lookUp("cold", WantedFilters.LEAST_LOOKUPS - 1);

        assertThat(wanted.waiting()).isEqualTo(2);
        assertThat(wanted.next()).isEqualTo(new WantedFilter(3, key("hot")));
        assertThat(wanted.next()).isEqualTo(new WantedFilter(3, key("warm")));
        assertThat(wanted.next()).isNull();
        lookUp("cold", 1);
        assertThat(wanted.next()).isEqualTo(new WantedFilter(3, key("cold")));
    }

    @Test
    void coldEntitiesMakeRoomAndHotOnesStay() {
        lookUp("hot", WantedFilters.LEAST_LOOKUPS);
        for (int i = 0; i < 3 * WantedFilters.MOST; i++) {
            lookUp("cold" + i, 1);
        }
        assertThat(wanted.next()).isEqualTo(new WantedFilter(3, key("hot")));
    }

    @Test
    void holdsNoMoreThanItsBound() {
        for (int i = 0; i < 2 * WantedFilters.MOST; i++) {
            lookUp("hot" + i, WantedFilters.LEAST_LOOKUPS);
        }
        assertThat(wanted.waiting()).isEqualTo(WantedFilters.MOST);
    }
}
