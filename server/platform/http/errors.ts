import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { errors } from "#api/errors.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { KeyDestroyedError } from "#server/platform/crypto/fieldEncryption.ts";
import type { HttpPlatform } from "#server/platform/http/context.ts";

/** For sentences whose refusal was thrown without the value they want. */
const fallbackValues = { field: "body", retry_after_seconds: 1 };

/**
 * Answers a refusal: its status, its sentence in the request's language, and `Retry-After` when its
 * data says when.
 */
export function sendApiError(
  { messages }: Pick<HttpPlatform, "messages">,
  request: FastifyRequest,
  reply: FastifyReply,
  { error, data }: ApiError,
): FastifyReply {
  const seconds = data?.retry_after_seconds;
  if (typeof seconds === "number") void reply.header("retry-after", String(seconds));
  return reply.code(errors[error].status).send({
    code: 0,
    error,
    msg: messages.format(request.language, error, {
      ...fallbackValues,
      request_id: request.id,
      ...data,
    }),
    data,
  });
}

/** What a thrown error is to the client. Unknown ones say no more than their request id. */
export function toApiError(error: FastifyError | Error, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  // A request of somebody whose account was deleted while it was under way.
  if (error instanceof KeyDestroyedError) return new ApiError("session.required");
  const { code, statusCode } = error as Partial<FastifyError>;
  if (statusCode === 413) return new ApiError("request.too_large");
  // Paths with `..`, NUL or a broken escape: nothing of ours has such an address.
  if (
    code?.startsWith("FST_STATIC_") ||
    code === "FST_ERR_BAD_URL" ||
    code === "FST_ERR_MAX_PARAM_LENGTH"
  )
    return new ApiError("request.not_found");
  if (code?.startsWith("FST_ERR_CTP") || statusCode === 400 || statusCode === 415) {
    return new ApiError("request.malformed", { field: "body" });
  }
  if (isDatabaseDown(error)) return new ApiError("server.unavailable", { retry_after_seconds: 5 });
  return new ApiError("server.failed", { request_id: requestId });
}

/**
 * Connection errors and "shutting down", "too many connections", "cannot connect now" of
 * PostgreSQL; and what a limit of time ended, which is rolled back.
 */
function isDatabaseDown(error: Error): boolean {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string")
    return /Connection terminated|not queryable|timeout exceeded when trying to connect/.test(
      error.message,
    );
  return (
    /^(08...|57P0[123]|53300|25P03|55P03|57014)$/.test(code) ||
    code === "ECONNREFUSED" ||
    code === "ENOENT" ||
    code === "ECONNRESET"
  );
}
