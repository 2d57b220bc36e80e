import * as api from "#api/send.ts";
import { idempotentRoute } from "#server/ledger/idempotentRoute.ts";
import type { Pin } from "#server/pin/pin.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import { type Sends, toSendView } from "#server/send/send.ts";

/** Mounts the calls of sending and receiving. Signing in comes first, the PIN (if set) second. */
export function sendRoutes(app: App, send: Sends, pin: Pick<Pin, "check">): void {
  route(app, api.getReceiveAddress, ({ coin, network }, { session }) =>
    send.receive(session.userId, coin, network),
  );
  route(app, api.checkRecipient, (params, { session }) => send.check(session.userId, params));
  route(app, api.getRecipients, ({ coin }, { session }) => send.recipients(session.userId, coin));
  idempotentRoute(app, send.ledger, api.send, {
    excludeFromHash: ["pin"],
    find: (id, { session }) => send.find(session.userId, id),
    run: async ({ pin: enteredPin, ...params }, id, bodyHash, { session }) => {
      await pin.check(session, enteredPin);
      const row = await send.move(session, params, id, bodyHash);
      if (row) return toSendView(row);
      const before = await send.find(session.userId, id);
      // A journal with this id that is not a send cannot exist: its body would differ.
      if (!before) throw new ApiError("ledger.refused");
      return before;
    },
  });
}
