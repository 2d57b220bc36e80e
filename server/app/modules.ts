import { readFileSync } from "node:fs";
import { join } from "node:path";
import { accountModule } from "#server/account/module.ts";
import { addressBookModule } from "#server/address-book/module.ts";
import { addressesModule } from "#server/addresses/module.ts";
import { attemptsModule } from "#server/attempts/module.ts";
import { backtestModule } from "#server/backtest/module.ts";
import { beliefsModule } from "#server/beliefs/module.ts";
import { classesModule } from "#server/classes/module.ts";
import { contractsModule } from "#server/contracts/module.ts";
import { exchangeModule } from "#server/exchange/module.ts";
import { hostingModule } from "#server/hosting/module.ts";
import { identityModule } from "#server/identity/module.ts";
import { invitesModule } from "#server/invites/module.ts";
import { ledgerModule } from "#server/ledger/module.ts";
import { lessonModule } from "#server/lesson/module.ts";
import { liabilitiesModule } from "#server/liabilities/module.ts";
import { marketModule } from "#server/market/module.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import { metaModule } from "#server/meta/module.ts";
import { miningModule } from "#server/mining/module.ts";
import { composeModules, type Modules, type ServicesOf } from "#server/module/compose.ts";
import { classConsoleModule } from "#server/operator/classes/module.ts";
import { debriefModule } from "#server/operator/debrief/module.ts";
import { instanceModule } from "#server/operator/instance/module.ts";
import { operatorModule } from "#server/operator/module.ts";
import { peopleModule } from "#server/operator/people/module.ts";
import { worldsModule } from "#server/operator/worlds/module.ts";
import { pinModule } from "#server/pin/module.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createLateBoundHub } from "#server/platform/http/lateBoundHub.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import { createImageDecoder } from "#server/platform/images/imageDecoder.ts";
import { stopAll } from "#server/platform/stopAll.ts";
import { listingsModule, publishingModule } from "#server/publishing/module.ts";
import { receiptLinksModule } from "#server/receipt-links/module.ts";
import { rechargeModule } from "#server/recharge/module.ts";
import { recordsModule } from "#server/records/module.ts";
import { sendModule } from "#server/send/module.ts";
import { sessionModule } from "#server/session/module.ts";
import { transparencyLogModule } from "#server/transparency-log/module.ts";
import { walletModule } from "#server/wallet/module.ts";
import { withdrawModule } from "#server/withdraw/module.ts";

/**
 * Every domain of a world, one line each, in reading order; they are created in dependency order.
 */
const domains = [
  ledgerModule,
  transparencyLogModule,
  marketModule,
  sessionModule,
  addressBookModule,
  pinModule,
  walletModule,
  addressesModule,
  exchangeModule,
  sendModule,
  withdrawModule,
  rechargeModule,
  recordsModule,
  attemptsModule,
  liabilitiesModule,
  listingsModule,
  contractsModule,
  hostingModule,
  backtestModule,
  miningModule,
  beliefsModule,
  receiptLinksModule,
  classesModule,
  invitesModule,
  lessonModule,
  identityModule,
  publishingModule,
  operatorModule,
  peopleModule,
  classConsoleModule,
  debriefModule,
  accountModule,
  instanceModule,
  worldsModule,
  metaModule,
] as const;

/** The services of every domain, by name. */
export type Services = ServicesOf<typeof domains>;

export interface World extends Modules<Services> {
  version: string;
  /** Connects everything that pushes to the stream hub. */
  connect(hub: StreamHub): void;
}

/** Creates every domain of a world. `recording` is set when the world replays one. */
export async function createWorld(
  ctx: AppContext,
  recording: Recording | null = null,
): Promise<World> {
  const version = readVersion();
  const { hub, connect } = createLateBoundHub();
  const imageDecoder = createImageDecoder(ctx.realClock);
  const modules = await composeModules(ctx, domains, { version, recording, hub, imageDecoder });
  return {
    ...modules,
    version,
    connect,
    stop: () =>
      stopAll([
        { what: "the image decoder", stop: () => imageDecoder.close() },
        { what: "the modules", stop: () => modules.stop() },
      ]),
  };
}

function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
