import * as api from "#api/operator/operators.ts";
import { addCode, removeCode } from "#server/operator/codes.ts";
import {
  changeRole,
  endMember,
  lockMembers,
  requireMember,
  requireOtherOwner,
  requireStill,
} from "#server/operator/members.ts";
import type { Operators } from "#server/operator/operator.ts";
import type { Parts } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import { operatorRoute } from "#server/platform/http/operatorRoute.ts";

/** Mounts the calls of `api/operator/operators.ts`. */
export function membersRoutes(
  app: App,
  { database, realClock }: Pick<Parts, "database" | "realClock">,
  service: Operators,
): void {
  operatorRoute(app, api.getOperators, async (_input, { operator }) => {
    const [members, codes] = await Promise.all([service.list(), service.codes()]);
    return {
      items: members.map(({ operatorId, role, name, sinceMs }) => ({
        operator_id: operatorId,
        role,
        name,
        since_ms: sinceMs,
        me: operatorId === operator.operatorId,
      })),
      codes: codes.map(({ codeHash, role, madeBy, expiresAtMs }) => ({
        code_hash: codeHash,
        role,
        made_by: madeBy,
        expires_at_ms: expiresAtMs,
      })),
    };
  });
  operatorRoute(
    app,
    api.inviteOperator,
    async ({ code_hash: codeHash, role }, { operator, act, tx }) => {
      await lockMembers(tx, database);
      await requireStill(tx, operator);
      const made = { codeHash, role, madeBy: operator.operatorId };
      const expiresAtMs = await addCode(tx, made, realClock.nowMs());
      act({ what: "operators.invited", target: codeHash, details: { role } });
      return { expires_at_ms: expiresAtMs };
    },
  );
  operatorRoute(app, api.withdrawInvitation, async ({ code_hash: codeHash }, { act, tx }) => {
    await removeCode(tx, codeHash);
    act({ what: "operators.uninvited", target: codeHash });
    return {};
  });
  operatorRoute(
    app,
    api.setRole,
    async ({ operator_id: operatorId, role, why }, { operator, act, tx }) => {
      await lockMembers(tx, database);
      await requireStill(tx, operator);
      const member = await requireMember(tx, operatorId);
      if (role !== "owner") await requireOtherOwner(tx, member);
      await changeRole(tx, operatorId, role);
      const touches = { userId: member.userId };
      const details = { from: member.role, to: role };
      act({ what: "operators.role_changed", target: operatorId, why, touches, details });
      return {};
    },
  );
  operatorRoute(
    app,
    api.removeOperator,
    async ({ operator_id: operatorId, why }, { operator, act, tx }) => {
      await lockMembers(tx, database);
      await requireStill(tx, operator);
      const member = await requireMember(tx, operatorId);
      await requireOtherOwner(tx, member);
      await endMember(tx, operatorId, realClock.nowMs());
      const touches = { userId: member.userId };
      act({ what: "operators.removed", target: operatorId, why, touches });
      return {};
    },
  );
}
