import type { FastifyRequest } from "fastify";
import type { ErrorName } from "#api/errors.ts";
import type { ApiError } from "#server/platform/apiError.ts";
import type { SecurityEventName, SecurityLog } from "#server/platform/securityLog.ts";

/** The refusals that are security events in any call. */
const eventOf: Partial<Record<ErrorName, SecurityEventName>> = {
  "session.nonce_unknown": "sign_in.refused",
  "session.nonce_expired": "sign_in.refused",
  "session.nonce_used": "sign_in.refused",
  "session.message_malformed": "sign_in.refused",
  "session.message_mismatch": "sign_in.refused",
  "session.signature_wrong": "sign_in.refused",
  "session.contract_wallet": "sign_in.refused",
  "session.type_unknown": "sign_in.refused",
  "session.sign_up_closed": "sign_in.refused",
  "operator.required": "authority.refused",
  "operator.not_permitted": "authority.refused",
  "operator.raise_required": "authority.refused",
  "operator.factor_required": "authority.refused",
  "operator.code_unknown": "operator.code_refused",
  "operator.proof_required": "operator.elevation_refused",
  "operator.passphrase_wrong": "operator.elevation_refused",
  "operator.passphrase_locked": "operator.elevation_refused",
  "operator.key_wrong": "operator.elevation_refused",
  "people.code_unknown": "viewing.code_refused",
  "pin.wrong": "pin.refused",
  "pin.locked": "pin.refused",
  "request.wrong_host": "origin.refused",
  "request.too_many": "limit.reached",
};

/** Logs a refusal that an administrator may want to know about. */
export function recordRefusal(
  log: SecurityLog,
  request: FastifyRequest,
  { error, data }: ApiError,
): void {
  const limit = typeof data?.limit === "string" ? data.limit : null;
  // The limit of all requests together is not the sender's fault, and has no own name.
  const isOverload = error === "server.unavailable" && limit !== null;
  const event = isOverload ? "limit.reached" : eventOf[error];
  if (event === undefined) return;
  const userId = request.session?.userId ?? null;
  const route = request.routeOptions.url ?? "none";
  const { ip } = request;
  if (event === "limit.reached") {
    // By network and kind: the route is irrelevant for a limit over all routes.
    log.note({ event, cause: limit ?? error, userId, ip, ...(limit === null && { route }) });
    return;
  }
  // The same proof is requested again within a session.
  const isElevation =
    event === "sign_in.refused" && userId !== null && route.includes("/operator/");
  log.note({
    event: isElevation ? "operator.elevation_refused" : event,
    cause: error,
    userId,
    ip,
    route,
  });
}
