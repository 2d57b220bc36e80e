import * as api from "#api/operator/operators.ts";
import { mayPublish } from "#core/operator/permissions.ts";
import { addCode, removeCode } from "#server/operator/codes.ts";
import type { Operators } from "#server/operator/operator.ts";
import {
  changeRole,
  endOperator,
  lockOperators,
  requireOperatorRow,
  requireOtherOwner,
  requireStillOperator,
} from "#server/operator/operatorRows.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { App } from "#server/platform/http/context.ts";
import { operatorRoute } from "#server/platform/http/operatorRoute.ts";

/** Mounts the calls of `api/operator/operators.ts`. */
export function operatorsRoutes(
  app: App,
  { database, realClock }: Pick<AppContext, "database" | "realClock">,
  service: Operators,
): void {
  operatorRoute(app, api.getOperators, async (_input, { operator }) => {
    const [operators, codes] = await Promise.all([service.list(), service.codes()]);
    return {
      items: operators.map(({ operatorId, role, name, sinceMs, factorsReady }) => ({
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
      await lockOperators(tx, database);
      await requireStillOperator(tx, operator);
      const codeRow = { codeHash, role, createdBy: operator.operatorId };
      const expiresAtMs = await addCode(tx, codeRow, realClock.nowMs());
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
      await lockOperators(tx, database);
      await requireStillOperator(tx, operator);
      const target = await requireOperatorRow(tx, operatorId);
      if (role !== "owner") await requireOtherOwner(tx, target);
      await changeRole(tx, operatorId, role);
      const touches = { userId: target.userId };
      const details = { from: target.role, to: role };
      audit({ what: "operators.role_changed", target: operatorId, why, touches, details });
      if (!mayPublish(role)) {
        const endedBy = operator.operatorId;
        for (const event of await service.ended(tx, { operatorId, by: endedBy })) audit(event);
      }
      return {};
    },
  );
  operatorRoute(
    app,
    api.removeOperator,
    async ({ operator_id: operatorId, why }, { operator, audit, tx }) => {
      await lockOperators(tx, database);
      await requireStillOperator(tx, operator);
      const target = await requireOperatorRow(tx, operatorId);
      await requireOtherOwner(tx, target);
      await endOperator(tx, operatorId, realClock.nowMs());
      const touches = { userId: target.userId };
      audit({ what: "operators.removed", target: operatorId, why, touches });
      const endedBy = operator.operatorId;
      for (const event of await service.ended(tx, { operatorId, by: endedBy })) audit(event);
      return {};
    },
  );
}
