import { createHash } from "node:crypto";
import * as api from "#api/operator/factors.ts";
import {
  areFactorsReady,
  neededProof,
  relyingPartyId,
  securityKeysMax,
} from "#core/operator/factors.ts";
import { readName } from "#core/operator/name.ts";
import { resetFactors } from "#server/operator/factors.ts";
import { lockMembers, requireMember, requireStillMember } from "#server/operator/members.ts";
import type { Operators } from "#server/operator/operator.ts";
import { algorithms, type Site } from "#server/operator/securityKeys.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App, Context } from "#server/platform/http/context.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import { operatorRoute, preparedOperatorRoute } from "#server/platform/http/operatorRoute.ts";

type Where = Pick<Context, "host" | "protocol">;

/** The origin of the page that a request comes from: behind a proxy that of PUBLIC_URL. */
export function originOf(app: App, { host, protocol }: Where): string {
  const { publicUrl } = app.platform.ctx.config;
  const scheme = host === publicUrl?.host ? publicUrl.protocol : `${protocol}:`;
  return `${scheme}//${host.toLowerCase()}`;
}

/** The console's address for WebAuthn; null where browsers allow no security key. */
export function siteOf(app: App, where: Where): Site | null {
  const origin = originOf(app, where);
  const rpId = relyingPartyId(new URL(origin));
  return rpId === null ? null : { host: where.host.toLowerCase(), origin, rpId };
}

function requireSite(app: App, where: Where): Site {
  const site = siteOf(app, where);
  if (!site) throw new ApiError("operator.no_keys_here");
  return site;
}

/** Before anything costly is computed; checked again in the transaction. */
function requireElevated({ elevatedUntilMs }: Operator, nowMs: number): void {
  if (elevatedUntilMs === null || elevatedUntilMs <= nowMs)
    throw new ApiError("operator.raise_required");
}

/** Mounts the calls of `api/operator/factors.ts`. */
export function factorRoutes(
  app: App,
  ctx: Pick<AppContext, "database" | "realClock" | "world" | "fieldEncryption">,
  service: Operators,
): void {
  mountReads(app, ctx, service);
  mountPassphrase(app, ctx, service);
  mountKeys(app, ctx, service);
  operatorRoute(
    app,
    api.resetFactors,
    async ({ operator_id: operatorId, code_hash: code, why }, { operator, audit, tx }) => {
      await lockMembers(tx, ctx.database);
      await requireStillMember(tx, operator);
      if (operatorId === operator.operatorId) throw new ApiError("operator.reset_of_oneself");
      const { userId } = await requireMember(tx, operatorId);
      const asked = { operatorId, codeHash: Buffer.from(code, "hex") };
      const expiresAtMs = await resetFactors(tx, asked, ctx.realClock.nowMs());
      audit({ what: "operators.factors_reset", target: operatorId, why, touches: { userId } });
      return { expires_at_ms: expiresAtMs };
    },
  );
}

function mountReads(
  app: App,
  { database: { db }, world }: Parameters<typeof factorRoutes>[1],
  { factors, nameOf }: Operators,
): void {
  operatorRoute(app, api.getFactors, async (_input, { operator, host, protocol }) => {
    const { operatorId, userId } = operator;
    const { state, passphraseSetAtMs, keys } = await factors.view(operatorId, userId);
    return {
      ready: areFactorsReady(state),
      needed: neededProof(state),
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
      rp_id: siteOf(app, { host, protocol })?.rpId ?? null,
    };
  });
  operatorRoute(app, api.getKeyChallenge, async (_input, { session, operator, host, protocol }) => {
    const site = requireSite(app, { host, protocol });
    const keys = await factors.keys.list(db, operator.operatorId);
    if (keys.length >= securityKeysMax)
      throw new ApiError("operator.too_many_keys", { max: securityKeysMax });
    const challenge = await factors.keys.challenge(session, site);
    return {
      challenge: challenge.toString("base64url"),
      rp_id: site.rpId,
      rp_name: `Drydock ${world.name}`,
      user_handle: createHash("sha256").update(operator.operatorId).digest().toString("base64url"),
      user_name: (await nameOf(operator.operatorId)) ?? operator.role,
      algorithms,
      exclude: keys
        .filter(({ rpId }) => rpId === site.rpId)
        .map(({ credentialId }) => credentialId.toString("base64url")),
    };
  });
}

function mountPassphrase(
  app: App,
  { realClock }: Pick<AppContext, "realClock">,
  { factors }: Operators,
): void {
  preparedOperatorRoute(app, api.setPassphrase, {
    // Hashing takes a quarter of a second: not while holding a connection.
    prepare: async ({ passphrase }, { operator }) => {
      requireElevated(operator, realClock.nowMs());
      return factors.passphrases.make(passphrase);
    },
    handler: async (_input, { session, operator, audit, tx, prepared }) => {
      const { operatorId } = operator;
      await factors.change(tx, session, operator, () =>
        factors.passphrases.set(tx, operatorId, prepared),
      );
      audit({ what: "operators.passphrase_set", target: operatorId });
      return {};
    },
  });
  operatorRoute(app, api.removePassphrase, async (_input, { session, operator, audit, tx }) => {
    const { operatorId } = operator;
    await factors.change(tx, session, operator, () => factors.passphrases.remove(tx, operatorId));
    audit({ what: "operators.passphrase_removed", target: operatorId });
    return {};
  });
}

function mountKeys(
  app: App,
  { realClock, fieldEncryption }: Pick<AppContext, "realClock" | "fieldEncryption">,
  { factors }: Operators,
): void {
  preparedOperatorRoute(app, api.addKey, {
    prepare: async ({ name: typed, ...attestation }, { session, operator, host, protocol }) => {
      requireElevated(operator, realClock.nowMs());
      const name = readName(typed);
      if (name === null) throw new ApiError("request.malformed", { field: "name" });
      const site = requireSite(app, { host, protocol });
      return {
        made: await factors.keys.verifyNew(session, site, attestation),
        name: await fieldEncryption.encrypt(operator.userId, name),
      };
    },
    handler: async (_input, { session, operator, audit, tx, prepared: { name, made } }) => {
      const keyId = await factors.change(tx, session, operator, () =>
        factors.keys.add(tx, operator.operatorId, name, made),
      );
      audit({ what: "operators.key_added", target: keyId });
      return { key_id: keyId };
    },
  });
  operatorRoute(app, api.removeKey, async ({ key_id: keyId }, { session, operator, audit, tx }) => {
    await factors.change(tx, session, operator, () =>
      factors.keys.remove(tx, operator.operatorId, keyId),
    );
    audit({ what: "operators.key_removed", target: keyId });
    return {};
  });
}
