package dev.ovation.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AddressesTest {

    @Test
    void eachIpv4AddressHasAHolderOfItsOwn() {
        assertThat(Addresses.holder("192.0.2.1")).isEqualTo("192.0.2.1");
        assertThat(Addresses.holder("192.0.2.2")).isNotEqualTo(Addresses.holder("192.0.2.1"));
        assertThat(Addresses.holder("::ffff:192.0.2.1")).isEqualTo("192.0.2.1");
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2::1, 2001:db8:1:2:ffff::9, true",
        "2001:db8:1:2::1, 2001:db8:1:3::1, false",
        "2001:db8:1:2::1, 2001:0db8:0001:0002:0:0:0:1, true"
    })
    void anIpv6NetworkOf64BitsHasOneHolder(String one, String other, boolean same) {
        assertThat(Addresses.holder(one).equals(Addresses.holder(other))).isEqualTo(same);
    }

    @Test
    void aMalformedAddressIsItsOwnHolder() {
        assertThat(Addresses.holder("a:b")).isEqualTo("a:b");
    }
}
