package dev.ovation.web;

import dev.ovation.web.http.HttpAnswer;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodReturnValueHandler;
import org.springframework.web.method.support.ModelAndViewContainer;

import java.io.IOException;
import java.util.Objects;

/** Writes the {@link HttpAnswer} that a controller's method returns. */
final class AnswerHandler implements HandlerMethodReturnValueHandler {

    @Override
    public boolean supportsReturnType(MethodParameter returnType) {
        return returnType.getParameterType() == HttpAnswer.class;
    }

    @Override
    public void handleReturnValue(
            @Nullable Object value,
            MethodParameter returnType,
            ModelAndViewContainer container,
            NativeWebRequest request)
            throws IOException {
        container.setRequestHandled(true);
        var answer = (HttpAnswer) Objects.requireNonNull(value);
        answer.writeTo(
                Objects.requireNonNull(request.getNativeRequest(HttpServletRequest.class)),
                Objects.requireNonNull(request.getNativeResponse(HttpServletResponse.class)));
    }
}
