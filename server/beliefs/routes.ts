import * as api from "#api/beliefs.ts";
import type { Beliefs } from "#server/beliefs/beliefs.ts";
import type { Consent } from "#server/beliefs/consent.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

export function beliefsRoutes(app: App, beliefs: Beliefs & { consent: Consent }): void {
  route(app, api.stateBelief, async (input, { session }) => {
    await beliefs.state(session.userId, input);
    return {};
  });
  route(app, api.removeBelief, async ({ order_id: id }, { session }) => {
    await beliefs.remove(session.userId, id);
    return {};
  });
  route(app, api.getBeliefs, (_input, { session }) =>
    beliefs.read(session.userId, session.attemptId),
  );
  route(app, api.getClassConsent, (_input, { session }) => beliefs.consent.read(session.userId));
  route(app, api.setClassConsent, ({ agreed }, { session }) =>
    beliefs.consent.set(session.userId, agreed),
  );
}
