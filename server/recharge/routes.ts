import * as api from "#api/recharge.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { FileAnswer } from "#server/platform/http/download.ts";
import { type Paging, toPage, toSlice } from "#server/platform/http/pagination.ts";
import { fileRoute, route } from "#server/platform/http/route.ts";
import { mountUpload } from "#server/platform/http/upload.ts";
import type { Recharges } from "#server/recharge/recharge.ts";
import type { PageFilter } from "#server/recharge/store.ts";

/** Mounts every call of `api/recharge.ts`. */
export function rechargeRoutes(app: App, recharges: Recharges): void {
  route(app, api.drawVoucher, (input, { session }) => recharges.draw(session.userId, input));
  route(app, api.getVoucherList, async (input, { session }) =>
    toListPage(input, await recharges.vouchers(session.userId, getFilter(input))),
  );
  route(app, api.getRechargeRules, (_input, { session }) => recharges.rules(session.userId));
  mountUpload(app, api.recharge, { tooLarge: "recharge.picture_too_large" }, (scope) => {
    idempotentRoute(scope, recharges.ledger, api.recharge, {
      findPending: (id, { session }) => recharges.bodyHashOf(session.userId, id),
      find: (id, { session }) => recharges.find(session.userId, id),
      run: (input, id, bodyHash, { session }) => recharges.accept(session, input, { id, bodyHash }),
    });
  });
  route(app, api.getRechargeList, async (input, { session }) => {
    const attemptId = input.attempt_id ?? session.attemptId;
    return toListPage(input, await recharges.list(session.userId, attemptId, getFilter(input)));
  });
  route(app, api.findRecharge, async ({ recharge_id: id }, { session }) => {
    const recharge = await recharges.find(session.userId, id);
    if (!recharge) throw new ApiError("recharge.unknown");
    return recharge;
  });
  fileRoute(app, api.getRechargeImage, async ({ recharge_id: id }, { session }) => {
    const bytes = await recharges.image(session.userId, id);
    return new FileAnswer(`specimen-${id}.webp`, "image/webp", bytes);
  });
}

interface ListQuery extends Paging {
  coin?: PageFilter["coin"] | undefined;
}

function getFilter(query: ListQuery): PageFilter {
  return { coin: query.coin ?? null, ...toSlice(query) };
}

/** A page of rows that carry their own number. */
function toListPage<View>(query: Paging, rows: { seq: bigint; view: View }[]) {
  return toPage(
    query,
    rows.map(({ view }) => view),
    rows[0]?.seq ?? null,
  );
}
