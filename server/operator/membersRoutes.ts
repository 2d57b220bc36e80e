import * as api from "#api/operator/operators.ts";
import { mayPublish } from "#core/operator/permissions.ts";
import { addCode, removeCode } from "#server/operator/codes.ts";
import {
  changeRole,
  endMember,
  lockMembers,
  requireMember,
  requireOtherOwner,
  requireStillMember,
} from "#server/operator/members.ts";
import type { Operators } from "#server/operator/operator.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import { operatorRoute } from "#server/platform/http/operatorRoute.ts";

/** Mounts the calls of `api/operator/operators.ts`. */
export function membersRoutes(
  app: App,
  { database, realClock }: Pick<AppContext, "database" | "realClock">,
  service: Operators,
): void {
  operatorRoute(app, api.getOperators, async (_input, { operator }) => {
    const [members, codes] = await Promise.all([service.list(), service.codes()]);
    return {
      items: members.map(({ operatorId, role, name, sinceMs, factorsReady }) => ({
        operator_id: operatorId,
        role,
        name,
        since_ms: sinceMs,
        factors_ready: factorsReady,
        me: operatorId === operator.operatorId,
      })),
      codes: codes.map(({ codeHash, role, createdBy, expiresAtMs }) => ({
        code_hash: codeHash,
        role,
        made_by: createdBy,
        expires_at_ms: expiresAtMs,
      })),
    };
  });
  operatorRoute(
    app,
    api.inviteOperator,
    async ({ code_hash: codeHash, role }, { operator, audit, tx }) => {
      await lockMembers(tx, database);
      await requireStillMember(tx, operator);
      const made = { codeHash, role, createdBy: operator.operatorId };
      const expiresAtMs = await addCode(tx, made, realClock.nowMs());
      audit({ what: "operators.invited", target: codeHash, details: { role } });
      return { expires_at_ms: expiresAtMs };
    },
  );
  operatorRoute(app, api.withdrawInvitation, async ({ code_hash: codeHash }, { audit, tx }) => {
    await removeCode(tx, codeHash);
    audit({ what: "operators.uninvited", target: codeHash });
    return {};
  });
  operatorRoute(
    app,
    api.setRole,
    async ({ operator_id: operatorId, role, why }, { operator, audit, tx }) => {
      await lockMembers(tx, database);
      await requireStillMember(tx, operator);
      const member = await requireMember(tx, operatorId);
      if (role !== "owner") await requireOtherOwner(tx, member);
      await changeRole(tx, operatorId, role);
      const touches = { userId: member.userId };
      const details = { from: member.role, to: role };
      audit({ what: "operators.role_changed", target: operatorId, why, touches, details });
      if (!mayPublish(role)) {
        const by = operator.operatorId;
        for (const event of await service.ended(tx, { operatorId, by })) audit(event);
      }
      return {};
    },
  );
  operatorRoute(
    app,
    api.removeOperator,
    async ({ operator_id: operatorId, why }, { operator, audit, tx }) => {
      await lockMembers(tx, database);
      await requireStillMember(tx, operator);
      const member = await requireMember(tx, operatorId);
      await requireOtherOwner(tx, member);
      await endMember(tx, operatorId, realClock.nowMs());
      const touches = { userId: member.userId };
      audit({ what: "operators.removed", target: operatorId, why, touches });
      const by = operator.operatorId;
      for (const event of await service.ended(tx, { operatorId, by })) audit(event);
      return {};
    },
  );
}
