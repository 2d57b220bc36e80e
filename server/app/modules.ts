import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { Account } from "#server/account/account.ts";
import type { Holdings } from "#server/account/personalData.ts";
import { type AddressBook, createAddressBook } from "#server/address-book/addressBook.ts";
import { type Addresses, createAddresses } from "#server/addresses/addresses.ts";
import { lockCurrentAttempts } from "#server/addresses/currentAttempts.ts";
import { wireAccount } from "#server/app/account.ts";
import { wireAttempts } from "#server/app/attempts.ts";
import { wireClasses } from "#server/app/classes.ts";
import { wireInstance } from "#server/app/instance.ts";
import { createHubSlot } from "#server/app/lateBoundHub.ts";
import { openStakes } from "#server/app/openStakes.ts";
import { wireOperator } from "#server/app/operator.ts";
import { wirePeople } from "#server/app/people.ts";
import { type Publishing, wirePublishing } from "#server/app/publishing.ts";
import type { Attempts } from "#server/attempts/attempts.ts";
import { createHistory, type History } from "#server/backtest/backtests.ts";
import { type Contracts, createContracts } from "#server/contracts/contracts.ts";
import { createExchange, type ExchangeService } from "#server/exchange/exchange.ts";
import { createHosting, type Hosting } from "#server/hosting/hosting.ts";
import { createIdentity, type Identity } from "#server/identity/identity.ts";
import { createInvites, type Invites } from "#server/invites/invites.ts";
import { createAudit } from "#server/ledger/audit.ts";
import { auditHealth, ledgerJobs } from "#server/ledger/jobs.ts";
import { createLedger } from "#server/ledger/ledger.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { createLesson, type LessonService } from "#server/lesson/lesson.ts";
import { liabilitiesJob } from "#server/liabilities/commit.ts";
import { createFeed, type Feed } from "#server/market/feed.ts";
import { createMarket, type Market } from "#server/market/market.ts";
import { startPush } from "#server/market/push.ts";
import type { Recording } from "#server/market/replay/recording.ts";
import { createReplaySource } from "#server/market/replay/source.ts";
import { createRetention } from "#server/market/retention.ts";
import { createSimulatedSource } from "#server/market/simulated.ts";
import { lagCheck } from "#server/meta/health.ts";
import { createIndex, type Index } from "#server/meta/meta.ts";
import { createMining, type Mining } from "#server/mining/mining.ts";
import { createRecordedNetwork } from "#server/mining/source.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import type { Instance } from "#server/operator/instance/instance.ts";
import type { OperatorService } from "#server/operator/operator.ts";
import type { ClassNeeds } from "#server/operator/people/deps.ts";
import type { People } from "#server/operator/people/routes.ts";
import { createPin, type Pin } from "#server/pin/pin.ts";
import type { Parts } from "#server/platform/context.ts";
import { createMessages } from "#server/platform/http/language.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import { createLooking } from "#server/platform/images/imageDecoder.ts";
import { practiceTerms, termsVersion } from "#server/platform/terms.ts";
import { venuesOf } from "#server/platform/world.ts";
import { createPublications } from "#server/publishing/publications.ts";
import { createRecharges, type Recharges } from "#server/recharge/recharge.ts";
import { createRecords, type Records } from "#server/records/records.ts";
import { createSend, type SendService } from "#server/send/send.ts";
import {
  createSession,
  type Needs as SessionNeeds,
  type SessionService,
} from "#server/session/session.ts";
import { createLog, type Log } from "#server/transparency-log/transparencyLog.ts";
import { pushBalances } from "#server/wallet/push.ts";
import { createWallet, type Wallet } from "#server/wallet/wallet.ts";
import { createWithdraw, type Withdraw } from "#server/withdraw/withdraw.ts";

/** Every domain of one world, wired to each other. */
export interface WorldServices {
  version: string;
  ledger: Ledger;
  log: Log;
  market: Market;
  feed: Feed;
  wallet: Wallet;
  records: Records;
  recharges: Recharges;
  attempts: Attempts;
  session: SessionService;
  pin: Pin;
  withdraw: Withdraw;
  addressBook: AddressBook;
  exchange: ExchangeService;
  send: SendService;
  contracts: Contracts;
  hosting: Hosting;
  history: History;
  mining: Mining;
  invites: Invites;
  lesson: LessonService;
  publishing: Publishing;
  identity: Identity;
  account: Account;
  /** All that is held about people, by domain. */
  holdings: Holdings;
  index: Index;
  /** What the console says of the instance itself. */
  instance: Instance;
  operator: OperatorService;
  people: People;
  classes: ClassNeeds;
  /** Tells whatever pushes where the sockets are. */
  connect(hub: StreamHub): void;
  /** What has to be there before the loops start: the market's first leaf and history, the seed. */
  prepare(): Promise<void>;
  /** Ends what is neither a job nor a request: postings that wait are written first. */
  stop(): Promise<void>;
}

/** `recording` is what the world replays, when it does. */
export async function createWorldServices(
  parts: Parts,
  recording: Recording | null = null,
): Promise<WorldServices> {
  const version = readVersion();
  const slot = createHubSlot();
  const { hub } = slot;
  const ledger = createLedger(parts);
  const audit = createAudit(parts.database, parts.world.name);
  ledgerJobs(parts, audit);
  const log = createLog(parts);
  const market = await createMarket(parts);
  const source = recording
    ? createReplaySource(parts, recording)
    : createSimulatedSource(parts, log);
  const feed = createFeed(parts, { source, log });
  const records = createRecords(parts, log, market);
  const looking = createLooking();
  const recharges = createRecharges(parts, { ledger, market, looking });
  records.explainer("recharge", recharges.explain);
  const wallet = createWallet(
    parts,
    ledger,
    market,
    async (userId) => (await recharges.rules(userId)).day_left,
  );
  liabilitiesJob(parts, log);
  const addresses = createAddresses(parts);
  const invites = createInvites(parts, { ledger, lockCurrentAttempts });
  records.explainer("reward", invites.explain);
  const lesson = createLesson(parts, invites.afterLesson);
  const accountMade = (userId: string) => account.made(userId);
  const help: HelpDesk = {
    supportUrl: async (url) => ((await publishing.links.isSupportUrl(url)) ? url : null),
    viewedUntil: (userId) => people.viewings.until(userId),
  };
  const session = createSessions(parts, { wallet, addresses, invites, accountMade, help });
  const pin = createPin(parts);
  const withdraw = createWithdraw(parts, ledger, market);
  records.explainer("withdraw", withdraw.explain);
  const attempts = wireAttempts(parts, { ledger, market, records, recharges, withdraw });
  const addressBook = createAddressBook(parts);
  const exchange = createExchange(parts, ledger, market);
  records.explainer("exchange", exchange.explain);
  const send = createSend(parts, ledger, addresses, addressBook);
  records.explainer("send", send.explain);
  const publications = createPublications(parts);
  const contracts = createContracts(parts, {
    onShelf: (symbol) => publications.isOnShelf("contract_tiers", symbol),
    ledger,
    log,
    market,
    hub,
    person: session,
  });
  feed.addCloser(contracts.closeSeconds);
  records.inLine("contract", (attemptId, atMs) => openStakes(parts.database.db, attemptId, atMs));
  const { venues } = source;
  const hosting = createHosting(parts, { ledger, log, market, hub, venues, person: session });
  feed.addFollower(hosting.follow);
  records.explainer("hosting", hosting.explain);
  const history = await createHistory(parts, recording);
  records.inLine(
    "hosting",
    async (attemptId, atMs) =>
      new Map([["pUSDT", await hosting.hostedAt(attemptId, atMs ?? parts.clock.nowMs())]]),
  );
  const network = recording?.network ? createRecordedNetwork(recording.network) : undefined;
  const onShelf = (productId: string) => publications.isOnShelf("machine", productId);
  const mining = createMining(
    parts,
    { ledger, log, market, hub, person: session, onShelf },
    network,
  );
  audit.check("mining", checkStock);
  records.explainer("mining", mining.explain);
  records.inLine(
    "mining",
    async (attemptId, atMs) => new Map([["pUSDT", await mining.unworked(attemptId, atMs)]]),
  );
  const identity = createIdentity(parts, { looking, messages: createMessages() });
  const listedAt = (symbol: MarketSymbol) => venuesOf(parts.world, symbol);
  const publishing = wirePublishing(parts, publications, {
    contracts,
    hosting,
    mining,
    venuesOf: listedAt,
  });
  createRetention(parts, contracts.neededFromMs);
  startPush(parts, market, hub);
  pushBalances(parts, hub, wallet, async (userId) => (await session.user(userId)).attemptId);
  const operator = wireOperator(parts, { session, records });
  const { links } = publishing;
  const helped = { session, wallet, records, withdraw, contracts, hosting, mining, identity };
  const people = wirePeople(parts, { ...helped, links, hub });
  const classes = wireClasses(parts, { invites, contracts, session, publications });
  const own = {
    invites,
    lesson,
    identity,
    news: publishing.news,
    operator,
    viewings: people.viewings,
  };
  const { account, holdings } = wireAccount(parts, {
    session,
    pin,
    withdraw,
    addressBook,
    recharges,
    history,
    own,
  });
  const instance = wireInstance(parts, {
    version,
    market,
    log,
    operator,
    session,
    contracts,
    hosting,
    mining,
  });
  const index = createIndex(parts, {
    version,
    chatLink: () => instance.chatLink(),
    firstSecondMs: () => market.firstSecondMs(),
    logIdentity: async () => {
      const { origin, keys } = await log.identity();
      return { origin, vkey: keys[0]!.vkey };
    },
    contractsOn: () => contracts.areOn(),
    orders: () => contracts.counts(),
    hosting: () => hosting.totals(),
    hashrate: () => mining.hashrateAtWork(),
    health: {
      feed: lagCheck(async () => market.lagMs()),
      log: lagCheck(() => log.lagMs()),
      ledger: auditHealth(audit),
    },
  });
  return {
    version,
    ledger,
    log,
    market,
    feed,
    wallet,
    records,
    recharges,
    attempts,
    session,
    pin,
    withdraw,
    addressBook,
    exchange,
    send,
    contracts,
    hosting,
    history,
    mining,
    invites,
    lesson,
    publishing,
    identity,
    account,
    holdings,
    index,
    instance,
    operator,
    people,
    classes,
    connect: (real) => slot.connect(real),
    prepare: async () => {
      await log.prepare();
      await feed.prepare();
      await mining.prepare();
      await publishing.seed();
    },
    stop: async () => {
      await instance.stop();
      await looking.close();
      await history.close();
      await ledger.stop();
    },
  };
}

type HelpDesk = Pick<SessionNeeds, "supportUrl" | "viewedUntil">;

function createSessions(
  parts: Parts,
  needs: {
    wallet: Wallet;
    addresses: Addresses;
    invites: Invites;
    accountMade: (userId: string) => Promise<void>;
    help: HelpDesk;
  },
): SessionService {
  const { wallet, addresses, invites, accountMade, help } = needs;
  const messages = createMessages();
  return createSession(parts, {
    openAttempt: async (who) => {
      await wallet.openAttempt(who);
      await addresses.register(who.userId);
      await accountMade(who.userId);
    },
    invites,
    ...help,
    terms: {
      version: termsVersion,
      text: (language) => practiceTerms(messages, language, parts.config.operator).text,
    },
  });
}

function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
