import { getAttempts, startOver } from "#api/attempts.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import type { Attempts, Started } from "#server/attempts/attempts.ts";
import { moneyRoute } from "#server/ledger/idempotentRoute.ts";
import { Refusal } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

export function attemptsRoutes(app: App, attempts: Attempts): void {
  route(app, getAttempts, async (input, { session }) => {
    const { page, page_size: size, before, attempt_id: only } = input;
    if (before !== undefined && !/^[0-9]{1,9}$/.test(before)) {
      throw new Refusal("request.malformed", { field: "before" });
    }
    const asked = {
      upTo: before === undefined ? null : Number(before),
      only: only ?? null,
      limit: size + 1,
      offset: (page - 1) * size,
    };
    const { items, newest, nextStartAtMs } = await attempts.list(session.userId, asked);
    return {
      items: items.slice(0, size),
      page,
      page_size: size,
      has_more: items.length > size,
      before: before ?? String(newest),
      display_currency: displayCurrency,
      next_start_at_ms: nextStartAtMs,
    };
  });
  moneyRoute(app, attempts, startOver, {
    find: async (id) => {
      const started = await attempts.find(id);
      return started && answerOf(started);
    },
    run: async ({ attempt_id: attemptId }, id, bodyHash, { session }) =>
      answerOf(await attempts.startOver({ userId: session.userId, attemptId }, id, bodyHash)),
  });
}

function answerOf(started: Started) {
  return {
    attempt_id: started.attemptId,
    number: started.number,
    closed_attempt_id: started.closedAttemptId,
    opened_at_ms: started.openedAtMs,
    next_start_at_ms: started.nextStartAtMs,
  };
}
