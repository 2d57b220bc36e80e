import * as api from "#api/recharge.ts";
import { moneyRoute } from "#server/ledger/idempotentRoute.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import { mountUpload } from "#server/platform/http/upload.ts";
import type { Recharges } from "#server/recharge/recharge.ts";
import type { PageFilter } from "#server/recharge/store.ts";

/** Mounts every call of `api/recharge.ts`. */
export function rechargeRoutes(app: App, recharges: Recharges): void {
  route(app, api.drawVoucher, (input, { session }) => recharges.draw(session.userId, input));
  route(app, api.getVoucherList, async (input, { session }) =>
    pageOf(input, await recharges.vouchers(session.userId, filterOf(input))),
  );
  route(app, api.getRechargeRules, (_input, { session }) => recharges.rules(session.userId));
  mountUpload(app, api.recharge, { tooLarge: "recharge.picture_too_large" }, (scope) => {
    moneyRoute(scope, recharges.ledger, api.recharge, {
      taken: (id, { session }) => recharges.bodyHashOf(session.userId, id),
      find: (id, { session }) => recharges.find(session.userId, id),
      run: (input, id, bodyHash, { session }) => recharges.accept(session, input, { id, bodyHash }),
    });
  });
  route(app, api.getRechargeList, async (input, { session }) => {
    const attemptId = input.attempt_id ?? session.attemptId;
    return pageOf(input, await recharges.list(session.userId, attemptId, filterOf(input)));
  });
  route(app, api.findRecharge, async ({ recharge_id: id }, { session }) => {
    const found = await recharges.find(session.userId, id);
    if (!found) throw new Refusal("recharge.unknown");
    return found;
  });
  mountImage(app, recharges);
}

/** A file, not an envelope; never shown as a page of ours, whatever its address is opened with. */
function mountImage(app: App, recharges: Recharges): void {
  app.get(api.getRechargeImage.path, async (request, reply) => {
    if (!request.session) throw new Refusal("session.required");
    const input = api.getRechargeImage.input.safeParse(request.query);
    if (!input.success) throw new Refusal("request.malformed", { field: "recharge_id" });
    const id = input.data.recharge_id;
    const bytes = await recharges.image(request.session.userId, id);
    return reply
      .type("image/webp")
      .header("content-disposition", `attachment; filename="specimen-${id}.webp"`)
      .send(bytes);
  });
}

interface Asked {
  coin?: PageFilter["coin"] | undefined;
  page: number;
  page_size: number;
  before?: string | undefined;
}

/** One more than the page, to know whether there is more. */
function filterOf({ coin, page, page_size: size, before }: Asked): PageFilter {
  if (before !== undefined && !/^[0-9]{1,18}$/.test(before)) {
    throw new Refusal("request.malformed", { field: "before" });
  }
  return {
    coin: coin ?? null,
    upToSeq: before === undefined ? null : BigInt(before),
    limit: size + 1,
    offset: (page - 1) * size,
  };
}

function pageOf<View>(
  { page, page_size: size, before }: Asked,
  rows: { seq: bigint; view: View }[],
) {
  return {
    items: rows.slice(0, size).map(({ view }) => view),
    page,
    page_size: size,
    has_more: rows.length > size,
    before: before ?? (rows[0] ? String(rows[0].seq) : null),
  };
}
