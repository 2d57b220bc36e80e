/** A program of `tools/` that people run by hand. */
export interface Command {
  family: "bench" | "trial" | "look";
  name: string;
  /** Its file relative to `tools/`. */
  file: string;
  /** Its description, in one line. */
  help: string;
  /** It has a script of its own: `npm run <name> -- [options]`. */
  hasScript?: true;
}

/** Every command of the three families; `npm run help` prints them, README names the families. */
export const commands: readonly Command[] = [
  {
    family: "bench",
    name: "ledger",
    file: "bench/ledger.ts",
    help: "postings against pgbench's TPC-B",
  },
  {
    family: "bench",
    name: "orders",
    file: "bench/orders.ts",
    help: "orders over HTTP against TPC-B",
  },
  {
    family: "bench",
    name: "settle",
    file: "bench/settle.ts",
    help: "settlement against a plain UPDATE",
  },
  {
    family: "bench",
    name: "klines",
    file: "bench/klines.ts",
    help: "pages of klines against a plain SELECT",
  },
  {
    family: "bench",
    name: "fanout",
    file: "bench/fanout.ts",
    help: "price pushes against a bare ws loop",
  },
  {
    family: "bench",
    name: "backtest",
    file: "bench/backtest.ts",
    help: "the strategy engine against reading the files",
  },
  {
    family: "bench",
    name: "hosting",
    file: "bench/hosting.ts",
    help: "marks at a million holders",
  },
  { family: "bench", name: "mining", file: "bench/mining.ts", help: "payouts of a million leases" },
  {
    family: "bench",
    name: "records",
    file: "bench/records.ts",
    help: "records of a person with 100 000 postings",
  },
  {
    family: "bench",
    name: "liabilities",
    file: "bench/liabilities.ts",
    help: "the tree of all balances",
  },
  {
    family: "bench",
    name: "acknowledgements",
    file: "bench/acknowledgements.ts",
    help: "orders with signed promises against an older checkout without them",
  },
  {
    family: "bench",
    name: "receipts",
    file: "bench/receipts.ts",
    help: "processor time of the browser's own check of a receipt",
  },
  {
    family: "bench",
    name: "uploads",
    file: "bench/uploads.ts",
    help: "memory under hostile pictures",
  },
  {
    family: "bench",
    name: "console",
    file: "bench/console.ts",
    help: "the console's instance page with 100 000 orders",
  },
  {
    family: "bench",
    name: "export",
    file: "bench/export.ts",
    help: "everything held about one person, as an archive",
  },
  {
    family: "trial",
    name: "crash",
    file: "crash/crash.ts",
    hasScript: true,
    help: "server and database killed repeatedly under load: nothing acknowledged is lost",
  },
  {
    family: "trial",
    name: "reconnect",
    file: "crash/reconnect.ts",
    help: "thousands of clients that wait for a restart: how long until each is answered",
  },
  {
    family: "trial",
    name: "faults",
    file: "faults/faults.ts",
    hasScript: true,
    help: "disk full, database stopped, connections cut, wrong clock and more: what is seen and lost",
  },
  {
    family: "trial",
    name: "probes",
    file: "probes/probes.ts",
    hasScript: true,
    help: "what attackers try, on an instance of its own: paths, origins, ids, limits, uploads",
  },
  {
    family: "trial",
    name: "powercut",
    file: "powercut/powercut.ts",
    hasScript: true,
    help: "the power fails again and again: all that was not fsynced is gone, nothing acknowledged is",
  },
  {
    family: "trial",
    name: "repeats",
    file: "verify/repeats.ts",
    help: "ten thousand money calls, each sent five times: one effect each",
  },
  {
    family: "trial",
    name: "receipts",
    file: "verify/receipts.ts",
    help: "thousands of orders, every receipt checked by the command line",
  },
  {
    family: "trial",
    name: "leases",
    file: "verify/leases.ts",
    help: "a thousand leases over 400 days, every payout checked by the command line",
  },
  {
    family: "trial",
    name: "flood",
    file: "flood/flood.ts",
    help: "a flood of requests from many addresses: no second and no settlement is late",
  },
  {
    family: "trial",
    name: "day",
    file: "day/day.ts",
    help: "a world day at speed 60: growth, memory, lag",
  },
  {
    family: "trial",
    name: "backup",
    file: "backup/backupTrial.ts",
    help: "a backup under load, restored beside the running instance and compared",
  },
  {
    family: "trial",
    name: "tampering",
    file: "tampering/tampering.ts",
    help: "a superuser changes the database at random: who finds it, and how soon",
  },
  {
    family: "trial",
    name: "witnesses",
    file: "witnesses/witnesses.ts",
    help: "two witnesses for an hour, each cosignature counted; then split views, alarmed in time",
  },
  {
    family: "trial",
    name: "sabotage",
    file: "sabotage/sabotage.ts",
    help: "small faults planted one by one in a copy: the tests catch each of them",
  },
  {
    family: "trial",
    name: "backtest",
    file: "backtest/backtest.ts",
    help: "what the strategies make or lose on recorded prices and simulated markets",
  },
  {
    family: "trial",
    name: "gaps",
    file: "backtest/gaps.ts",
    help: "how far venues are apart on recorded prices and on simulated markets",
  },
  {
    family: "trial",
    name: "moves",
    file: "backtest/moves.ts",
    help: "how the simulated market moves, and whether following what is visible helps",
  },
  {
    family: "trial",
    name: "worlds",
    file: "worlds/worldsTrial.ts",
    help: "what one more world costs a program: memory, connections, processor, log",
  },
  {
    family: "trial",
    name: "fleet",
    file: "fleet/fleetDrill.ts",
    help: "two machines and a standby: feed, web and primary killed, a wrong clock, a pooler",
  },
  {
    family: "trial",
    name: "class",
    file: "class/classTrial.ts",
    help: "a class of thirty in browsers: joined by codes, paused, debriefed, exported, receipts checked",
  },
  {
    family: "trial",
    name: "live",
    file: "live/live.ts",
    help: "a live world on fake venues with all their faults, or on real ones: everything compared",
  },
  {
    family: "look",
    name: "fake-venues",
    file: "live/fakeVenues.ts",
    help: "fake venues for a live market, for developing without a network",
  },
  {
    family: "look",
    name: "shots",
    file: "browser/shots.ts",
    help: "pictures of every screen and what opens on it, into shots/",
  },
  {
    family: "look",
    name: "lighthouse",
    file: "browser/lighthouse.ts",
    help: "the first screen on a slow phone, against its aims",
  },
  {
    family: "look",
    name: "budget",
    file: "../build/budget.ts",
    help: "what each screen of the last build loads, against its budget",
  },
];
