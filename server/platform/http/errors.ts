import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { errors } from "#api/errors.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { KeyDestroyedError } from "#server/platform/crypto/fieldEncryption.ts";
import type { HttpPlatform } from "#server/platform/http/context.ts";

/** Fallbacks for sentences whose error was thrown without the value they need. */
const fallbackValues = { field: "body", retry_after_seconds: 1 };

/**
 * Sends an error: its status, its sentence in the request's language, and `Retry-After` if its data
 * says when.
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

/** Maps a thrown error to the client's answer. Unknown errors reveal only their request id. */
export function toApiError(error: FastifyError | Error, requestId: string): ApiError {
  if (error instanceof ApiError) return error;
  // A request in flight when its sender's account was deleted.
  if (error instanceof KeyDestroyedError) return new ApiError("session.required");
  const { code, statusCode } = error as Partial<FastifyError>;
  if (statusCode === 413) return new ApiError("request.too_large");
  // Paths with `..`, NUL or an invalid escape: none of our URLs look like that. 403 is a folder.
  if (
    statusCode === 403 ||
    code?.startsWith("FST_STATIC_") ||
    code === "FST_ERR_BAD_URL" ||
    code === "FST_ERR_MAX_PARAM_LENGTH"
  )
    return new ApiError("request.not_found");
  if (code?.startsWith("FST_ERR_CTP") || statusCode === 400 || statusCode === 415) {
    return new ApiError("request.malformed", { field: "body" });
  }
  if (isDatabaseDown(error) || code === "FST_ERR_HANDLER_TIMEOUT")
    return new ApiError("server.unavailable", { retry_after_seconds: 5 });
  return new ApiError("server.failed", { request_id: requestId });
}

/**
 * Connection errors and PostgreSQL's "shutting down", "cannot connect now" and class 53 (too many
 * connections, disk full, out of memory); also anything ended by a timeout, which is rolled back.
 */
function isDatabaseDown(error: Error): boolean {
  const code = (error as { code?: unknown }).code;
  if (typeof code !== "string")
    return /Connection terminated|not queryable|timeout exceeded when trying to connect/.test(
      error.message,
    );
  return (
    /^(08...|53...|57P0[123]|58030|25P03|55P03|57014)$/.test(code) ||
    code === "ECONNREFUSED" ||
    code === "ENOENT" ||
    code === "ECONNRESET" ||
    code === "EPIPE" ||
    // Every file descriptor is used up, or the disk is full.
    code === "EMFILE" ||
    code === "ENFILE" ||
    code === "ENOSPC"
  );
}
