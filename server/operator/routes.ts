import * as api from "#api/operator/session.ts";
import {
  type Permission,
  permissionNames,
  permissions,
  roleNames,
  roles,
} from "#core/operator/permissions.ts";
import { checksumAddress } from "#core/session/address.ts";
import { auditRoutes } from "#server/operator/audit/routes.ts";
import { elevationStatement } from "#server/operator/elevation.ts";
import { factorRoutes, getOrigin, getSite } from "#server/operator/factors/routes.ts";
import type { Operators } from "#server/operator/operator.ts";
import {
  endOperator,
  lockOperators,
  requireOperatorRow,
  requireOtherOwner,
} from "#server/operator/operatorRows.ts";
import { operatorsRoutes } from "#server/operator/operatorsRoutes.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import type { Operator } from "#server/platform/http/operator.ts";
import { operatorRoute, preparedOperatorRoute } from "#server/platform/http/operatorRoute.ts";
import { route } from "#server/platform/http/route.ts";

/**
 * Mounts the calls of `api/operator/`, and the check that every other operator call goes through.
 */
export function operatorRoutes(
  app: App,
  ctx: Pick<AppContext, "database" | "realClock" | "securityLog" | "world" | "fieldEncryption">,
  service: Operators,
): void {
  app.platform.operators = service.httpDeps;
  const { realClock, database } = ctx;
  const toView = async ({ operatorId, role, factorsReady, elevatedUntilMs }: Operator) => ({
    operator_id: operatorId,
    role,
    name: await service.nameOf(operatorId),
    permissions: [...roles[role]],
    raised_until_ms: elevatedUntilMs,
    factors_ready: factorsReady,
    now_ms: realClock.nowMs(),
  });
  route(app, api.getMe, async (_input, { session }) => {
    const operatorMe = await service.me(session);
    return { operator: operatorMe && (await toView(operatorMe)) };
  });
  route(app, api.claim, async (input, { session }) => ({
    operator: await toView(await service.claim(session, input)),
  }));
  route(app, api.getPowers, async () => {
    const [counts, head] = await Promise.all([service.count(), service.audit.head()]);
    return {
      permissions: permissionNames.map(getPower),
      operators: roleNames.map((role) => ({ role, count: counts.get(role) ?? 0 })),
      audit: { acts: head.seq, leaf: head.leaf, head: head.hash },
    };
  });
  operatorRoute(
    app,
    api.getRaiseNonce,
    async ({ chain_id: chainId }, { session, host, protocol }) => {
      const nonce = await service.elevation.issue(session, { chainId, host });
      return {
        address: checksumAddress(nonce.address),
        nonce: nonce.nonce,
        domain: nonce.host,
        uri: getOrigin({ host: nonce.host, protocol }),
        statement: elevationStatement,
        issued_at: new Date(nonce.issuedAtMs).toISOString(),
        expiration_time: new Date(nonce.expiresAtMs).toISOString(),
        expires_at_ms: nonce.expiresAtMs,
      };
    },
  );
  preparedOperatorRoute(app, api.raise, {
    // The signature comes first: without the wallet, attempts at the passphrase cannot be used up.
    prepare: async (
      { message, signature, ...proof },
      { session, host, protocol, operator: { operatorId } },
    ) => {
      const { elevation, factors } = service;
      const challenge = await elevation.prove(session, { message, signature, host });
      return factors.prove(operatorId, proof, challenge, getSite({ host, protocol }));
    },
    handler: async (_input, { session, operator, audit, tx, ip, prepared, afterCommit }) => {
      await service.factors.requireStillProven(tx, operator.operatorId, prepared);
      audit({ what: "operators.raised", details: { with: prepared.with } });
      const { userId } = session;
      const elevationEvent = {
        event: "operator.elevated",
        cause: prepared.with,
        userId,
        ip,
      } as const;
      afterCommit(() => ctx.securityLog.note(elevationEvent));
      return { raised_until_ms: await service.elevation.elevate(tx, session, operator) };
    },
  });
  operatorRoute(app, api.lower, async (_input, { session, audit, tx }) => {
    await service.elevation.drop(tx, session);
    audit({ what: "operators.lowered" });
    return {};
  });
  operatorRoute(app, api.leave, async (_input, { operator, audit, tx }) => {
    await lockOperators(tx, database);
    const target = await requireOperatorRow(tx, operator.operatorId);
    await requireOtherOwner(tx, target);
    await endOperator(tx, target.operatorId, realClock.nowMs());
    audit({ what: "operators.left", target: target.operatorId });
    const { operatorId } = target;
    for (const event of await service.ended(tx, { operatorId, by: operatorId })) audit(event);
    return {};
  });
  operatorsRoutes(app, ctx, service);
  factorRoutes(app, ctx, service);
  auditRoutes(app, ctx.world.name, service.audit);
}

function getPower(name: Permission) {
  return {
    name,
    raised: permissions[name].elevated,
    touches: permissions[name].touches,
    roles: roleNames.filter((role) => roles[role].includes(name)),
  };
}
