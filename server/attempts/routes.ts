import { getAttempts, startOver } from "#api/attempts.ts";
import { displayCurrency } from "#core/wallet/valuation.ts";
import type { Attempts, StartedAttempt } from "#server/attempts/attempts.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import type { App } from "#server/platform/http/context.ts";
import { toPage, toSlice } from "#server/platform/http/pagination.ts";
import { route } from "#server/platform/http/route.ts";

export function attemptsRoutes(app: App, attempts: Attempts): void {
  route(app, getAttempts, async (input, { session }) => {
    const { upToSeq, limit, offset } = toSlice(input);
    const params = { upTo: upToSeq, only: input.attempt_id ?? null, limit, offset };
    const { items, newest, nextStartAtMs } = await attempts.list(session.userId, params);
    return {
      ...toPage(input, items, newest),
      display_currency: displayCurrency,
      next_start_at_ms: nextStartAtMs,
    };
  });
  idempotentRoute(app, attempts, startOver, {
    find: async (id) => {
      const attempt = await attempts.find(id);
      return attempt && toAnswer(attempt);
    },
    run: async ({ attempt_id: attemptId }, id, bodyHash, { session }) =>
      toAnswer(await attempts.startOver({ userId: session.userId, attemptId }, id, bodyHash)),
  });
}

function toAnswer(startedAttempt: StartedAttempt) {
  return {
    attempt_id: startedAttempt.attemptId,
    number: startedAttempt.number,
    closed_attempt_id: startedAttempt.closedAttemptId,
    opened_at_ms: startedAttempt.openedAtMs,
    next_start_at_ms: startedAttempt.nextStartAtMs,
  };
}
