import { createHash } from "node:crypto";
import * as api from "#api/operator/factors.ts";
import type { AuditEvent, AuditEventName } from "#core/operator/auditEvents.ts";
import {
  areFactorsReady,
  getNeededProof,
  getRelyingPartyId,
  securityKeysMax,
} from "#core/operator/factors.ts";
import { parseName } from "#core/operator/name.ts";
import type { Operators } from "#server/operator/operator.ts";
import {
  lockOperators,
  requireOperatorRow,
  requireStillOperator,
} from "#server/operator/operatorRows.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import {
  type OperatorContext,
  operatorRoute,
  preparedOperatorRoute,
} from "#server/platform/http/operatorRoute.ts";
import { resetFactors } from "./factors.ts";
import { algorithms, type Site } from "./securityKeys.ts";

type RequestOrigin = Pick<Context, "host" | "protocol">;

/** The origin of the page that a request comes from. */
export function getOrigin({ host, protocol }: RequestOrigin): string {
  return `${protocol}://${host.toLowerCase()}`;
}

/** The console's address for WebAuthn; null where browsers allow no security key. */
export function getSite(requestOrigin: RequestOrigin): Site | null {
  const origin = getOrigin(requestOrigin);
  const rpId = getRelyingPartyId(new URL(origin));
  return rpId === null ? null : { host: requestOrigin.host.toLowerCase(), origin, rpId };
}

function requireSite(origin: RequestOrigin): Site {
  const site = getSite(origin);
  if (!site) throw new ApiError("operator.no_keys_here");
  return site;
}

/** Before anything costly is computed; checked again in the transaction. */
function requireElevated({ elevatedUntilMs }: Operator, nowMs: number): void {
  if (elevatedUntilMs === null || elevatedUntilMs <= nowMs)
    throw new ApiError("operator.raise_required");
}

type FactorContext = Pick<
  AppContext,
  "database" | "fieldEncryption" | "realClock" | "securityLog" | "world"
>;
type FactorEvent = Extract<
  AuditEventName,
  `operators.${"passphrase" | "key" | "factors"}_${string}`
>;

/** Records a change of factors: in the audit, and in the log, on which an alert may rest. */
function record(
  { securityLog }: Pick<AppContext, "securityLog">,
  { session: { userId }, ip, audit, afterCommit }: OperatorContext,
  event: AuditEvent & { what: FactorEvent },
): void {
  audit(event);
  const securityEvent = {
    event: "operator.factor_changed",
    cause: event.what,
    userId,
    ip,
  } as const;
  afterCommit(() => securityLog.note(securityEvent));
}

/** Mounts the calls of `api/operator/factors.ts`. */
export function factorRoutes(app: App, ctx: FactorContext, service: Operators): void {
  mountReads(app, ctx, service);
  mountPassphrase(app, ctx, service);
  mountKeys(app, ctx, service);
  operatorRoute(app, api.resetFactors, async (input, context) => {
    const { operator, tx } = context;
    const { operator_id: target, why } = input;
    await lockOperators(tx, ctx.database);
    await requireStillOperator(tx, operator);
    if (target === operator.operatorId) throw new ApiError("operator.reset_of_oneself");
    const { userId } = await requireOperatorRow(tx, target);
    const params = { operatorId: target, codeHash: Buffer.from(input.code_hash, "hex") };
    const expiresAtMs = await resetFactors(tx, params, ctx.realClock.nowMs());
    record(ctx, context, { what: "operators.factors_reset", target, why, touches: { userId } });
    return { expires_at_ms: expiresAtMs };
  });
}

function mountReads(
  app: App,
  { database: { db }, world }: FactorContext,
  service: Operators,
): void {
  const { factors } = service;
  operatorRoute(app, api.getFactors, async (_input, { operator, host, protocol }) => {
    const { operatorId, userId } = operator;
    const { state, passphraseSetAtMs, keys } = await factors.view(operatorId, userId);
    return {
      ready: areFactorsReady(state),
      needed: getNeededProof(state),
      passphrase: passphraseSetAtMs === null ? null : { set_at_ms: passphraseSetAtMs },
      keys: keys.map((key) => ({
        key_id: key.keyId,
        name: key.name,
        rp_id: key.rpId,
        credential_id: key.credentialId.toString("base64url"),
        transports: key.transports,
        created_at_ms: key.createdAtMs,
        last_used_at_ms: key.lastUsedAtMs,
      })),
      rp_id: getSite({ host, protocol })?.rpId ?? null,
    };
  });
  operatorRoute(app, api.getKeyChallenge, async (_input, { session, operator, host, protocol }) => {
    const site = requireSite({ host, protocol });
    const keys = await factors.keys.list(db, operator.operatorId);
    if (keys.length >= securityKeysMax)
      throw new ApiError("operator.too_many_keys", { max: securityKeysMax });
    const challenge = await factors.keys.challenge(session, site);
    return {
      challenge: challenge.toString("base64url"),
      rp_id: site.rpId,
      rp_name: `Drydock ${world.name}`,
      user_handle: createHash("sha256").update(operator.operatorId).digest().toString("base64url"),
      user_name: (await service.nameOf(operator.operatorId)) ?? operator.role,
      algorithms,
      exclude: keys
        .filter(({ rpId }) => rpId === site.rpId)
        .map(({ credentialId }) => credentialId.toString("base64url")),
    };
  });
}

function mountPassphrase(app: App, ctx: FactorContext, { factors }: Operators): void {
  preparedOperatorRoute(app, api.setPassphrase, {
    // Hashing takes a quarter of a second: not while holding a connection.
    prepare: async ({ passphrase }, { operator }) => {
      requireElevated(operator, ctx.realClock.nowMs());
      return factors.passphrases.make(passphrase);
    },
    handler: async (_input, context) => {
      const { operator, tx, prepared } = context;
      const { operatorId: target } = operator;
      await factors.change(context, () => factors.passphrases.set(tx, target, prepared));
      record(ctx, context, { what: "operators.passphrase_set", target });
      return {};
    },
  });
  operatorRoute(app, api.removePassphrase, async (_input, context) => {
    const { operatorId: target } = context.operator;
    await factors.change(context, () => factors.passphrases.remove(context.tx, target));
    record(ctx, context, { what: "operators.passphrase_removed", target });
    return {};
  });
}

function mountKeys(app: App, ctx: FactorContext, { factors }: Operators): void {
  preparedOperatorRoute(app, api.addKey, {
    prepare: async ({ name: rawName, ...attestation }, { session, operator, host, protocol }) => {
      requireElevated(operator, ctx.realClock.nowMs());
      const name = parseName(rawName);
      if (name === null) throw new ApiError("request.malformed", { field: "name" });
      const site = requireSite({ host, protocol });
      return {
        made: await factors.keys.verifyNew(session, site, attestation),
        name: await ctx.fieldEncryption.encrypt(operator.userId, name),
      };
    },
    handler: async (_input, context) => {
      const { operator, tx, prepared } = context;
      const { name, made } = prepared;
      const target = await factors.change(context, () =>
        factors.keys.add(tx, operator.operatorId, name, made),
      );
      record(ctx, context, { what: "operators.key_added", target });
      return { key_id: target };
    },
  });
  operatorRoute(app, api.removeKey, async ({ key_id: target }, context) => {
    const { operator, tx } = context;
    await factors.change(context, () => factors.keys.remove(tx, operator.operatorId, target));
    record(ctx, context, { what: "operators.key_removed", target });
    return {};
  });
}
