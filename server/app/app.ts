import { calls } from "#api/calls.ts";
import { accountRoutes } from "#server/account/routes.ts";
import { addressBookRoutes } from "#server/address-book/routes.ts";
import type { WorldServices } from "#server/app/modules.ts";
import { attemptsRoutes } from "#server/attempts/routes.ts";
import { historyRoutes } from "#server/backtest/routes.ts";
import { contractsRoutes } from "#server/contracts/routes.ts";
import { exchangeRoutes } from "#server/exchange/routes.ts";
import { hostingRoutes } from "#server/hosting/routes.ts";
import { identityRoutes } from "#server/identity/routes.ts";
import { invitesRoutes } from "#server/invites/routes.ts";
import { lessonRoutes } from "#server/lesson/routes.ts";
import { indexRoutes } from "#server/meta/routes.ts";
import { miningRoutes } from "#server/mining/routes.ts";
import { instanceRoutes } from "#server/operator/instance/routes.ts";
import { classRoutes } from "#server/operator/people/classRoutes.ts";
import { peopleRoutes } from "#server/operator/people/routes.ts";
import { operatorRoutes } from "#server/operator/routes.ts";
import { pinRoutes } from "#server/pin/routes.ts";
import type { Parts } from "#server/platform/context.ts";
import { createHttpApp } from "#server/platform/http/app.ts";
import type { App } from "#server/platform/http/context.ts";
import { describeApi } from "#server/platform/http/openapi.ts";
import { createStream } from "#server/platform/http/stream.ts";
import { publishingRoutes } from "#server/publishing/operatorRoutes.ts";
import { newsRoutes } from "#server/publishing/routes.ts";
import { rechargeRoutes } from "#server/recharge/routes.ts";
import { recordsRoutes } from "#server/records/routes.ts";
import { sendRoutes } from "#server/send/routes.ts";
import { sessionRoutes } from "#server/session/routes.ts";
import { logRoutes } from "#server/transparency-log/routes.ts";
import { walletRoutes } from "#server/wallet/routes.ts";
import { withdrawRoutes } from "#server/withdraw/routes.ts";

/** The web server with every domain's routes, the stream, and the built pages in `pages` (null: none). `onRoute` hears of each route. */
export async function createApp(
  parts: Parts,
  services: WorldServices,
  pages: string | null,
  onRoute: (method: string, path: string) => void = () => {},
): Promise<App> {
  const app = await createHttpApp(parts, services.session.resolve, pages);
  app.addHook("onRoute", ({ method, url }) => {
    for (const one of [method].flat()) onRoute(one, url);
  });
  const hub = await createStream(app, parts.bus);
  services.connect(hub);
  indexRoutes(app, services.index);
  logRoutes(app, parts, services.log);
  sessionRoutes(app, services.session);
  accountRoutes(app, services.account);
  operatorRoutes(app, parts, services.operator);
  instanceRoutes(app, parts, services.instance);
  peopleRoutes(app, services.people);
  classRoutes(app, services.classes);
  rechargeRoutes(app, services.recharges);
  walletRoutes(app, services.wallet, services.attempts);
  attemptsRoutes(app, services.attempts);
  recordsRoutes(app, services.records);
  pinRoutes(app, services.pin);
  withdrawRoutes(app, services.withdraw, services.pin);
  addressBookRoutes(app, services.addressBook);
  exchangeRoutes(app, services.exchange);
  sendRoutes(app, services.send, services.pin);
  contractsRoutes(app, services.contracts);
  hostingRoutes(app, services.hosting);
  historyRoutes(app, services.history);
  miningRoutes(app, services.mining);
  invitesRoutes(app, services.invites);
  lessonRoutes(app, services.lesson);
  newsRoutes(app, services.publishing);
  publishingRoutes(app, services.publishing.publications);
  identityRoutes(app, services.identity);
  const description = JSON.stringify(describeApi(calls, services.version));
  app.get("/api/openapi.json", (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(description),
  );
  await app.ready();
  return app;
}
