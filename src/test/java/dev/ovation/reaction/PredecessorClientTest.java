package dev.ovation.reaction;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The older client against the HTTP form alone. */
@SpringBootTest(
        classes = ReactionsTestApplication.class,
        webEnvironment = WebEnvironment.RANDOM_PORT)
class PredecessorClientTest extends PredecessorClientContract {

    @LocalServerPort int port;

    @Override
    int port() {
        return port;
    }
}
