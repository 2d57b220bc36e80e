/**
 * Settling orders due in one second against a plain UPDATE of as many rows with the same indexes, on the same server in the
 * same run: `node bench/settlement.ts [orders]`. Every order is another person's; two thirds of the rounds pay half of them,
 * one pays all. The last line is the ratio that design.md sets an aim for.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { realClock } from "#server/platform/clock.ts";
import { readConfig } from "#server/platform/config.ts";
import { migrate } from "#server/platform/migrate.ts";
import { appRole, startEmbeddedPostgres } from "#server/platform/postgres/embedded.ts";
import { openWorld } from "#server/platform/world.ts";

const orders = Number(process.argv[2] ?? 100_000);
const rounds = 3;
const schema = "bench";
const aim = 3;
const purchase = 2_312_345;

const directory = mkdtempSync(join(tmpdir(), "drydock-bench-"));
chmodSync(directory, 0o711);
mkdirSync(join(directory, "data"));
const postgres = await startEmbeddedPostgres({ dataDirectory: join(directory, "data") });
try {
  await run();
} finally {
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}

async function run(): Promise<void> {
  await migrate({ ownerUrl: postgres.ownerUrl, schema, appRole });
  await openWorld(postgres.ownerUrl, readConfig({ WORLD: "bench" }), realClock, schema);
  const client = new pg.Client({
    connectionString: postgres.ownerUrl,
    options: `-c search_path=${schema}`,
  });
  await client.connect();
  console.log(
    `${cpus()[0]!.model.trim()}, ${availableParallelism()} processors, node ${process.version}, ${orders} orders a second`,
  );
  const house = await openAccounts(client);
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const dueMs = round * 1_000_000;
    await fill(client, round, dueMs);
    await client.query("vacuum analyze");
    const settle = await timed(
      client,
      `select count(*) from settle_contracts('bench', ${dueMs}, ${dueMs}, ${dueMs}, ${house})`,
    );
    const plain = await timed(
      client,
      "update plain_order set outcome = 'won', selling_price = 1, settled_at_ms = 2, settled_real_ms = 2",
    );
    ratios.push(settle / plain);
    console.log(
      `round ${round}: settled in ${settle.toFixed(0)} ms, plain update ${plain.toFixed(0)} ms`,
    );
  }
  const middle = ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
  await client.end();
  console.log(`ratio ${middle.toFixed(2)} (aim at most ${aim})`);
}

async function openAccounts(client: pg.Client): Promise<string> {
  await client.query("insert into contract (id, symbol, place) values ('btc-usdt', 'BTC/USDT', 1)");
  await client.query(
    "select count(open_account('u' || i, 'a' || i, 'wallet', 'pUSDT')) from generate_series(1, $1::int) i",
    [orders],
  );
  const { rows } = await client.query(
    "select open_account('house', '', 'contracts', 'pUSDT') as id",
  );
  return rows[0].id;
}

/** One due second full of orders, and a copy of the table with its indexes and half of its columns' rules. */
async function fill(client: pg.Client, round: number, dueMs: number): Promise<void> {
  const selling = round === rounds ? purchase : purchase + 55;
  await client.query(
    `insert into market_second (second_ms, leaf, index, volume)
     select ${dueMs} - i * 1000, ${round * 1_000} - i, array[${selling}], '{}' from generate_series(0, 59) i`,
  );
  await client.query(
    `insert into contract_order (id, user_id, attempt_id, account, contract_id, direction, tier_seconds, window_seconds, range_bp,
       rate_bp, fee_bp, stake, fee, terms_hash, accepted_at_ms, salt, order_hash, bound_leaf, orders_index, entry_leaf,
       purchase_price, entry_at_ms, delivery_at_ms, due_at_ms)
     select gen_random_uuid(), owner, attempt_id, id, 'btc-usdt', case id % 2 when 0 then 'up' else 'down' end, 60, 10, 0, 9000, 100,
       100000000, 1000000, sha256('t'), 0, sha256('s'), sha256('o'), 1, id, 2, ${purchase}, 1, ${dueMs}, ${dueMs}
     from account where kind = 'wallet'`,
  );
  await client.query("drop table if exists plain_order");
  await client.query(
    "create table plain_order (like contract_order including indexes including generated)",
  );
  const { rows } = await client.query(
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_schema = $1 and table_name = 'contract_order' and is_generated = 'NEVER'`,
    [schema],
  );
  await client.query(
    `insert into plain_order (${rows[0].names}) select ${rows[0].names} from contract_order where due_at_ms = ${dueMs}`,
  );
}

async function timed(client: pg.Client, statement: string): Promise<number> {
  const started = performance.now();
  await client.query(statement);
  return performance.now() - started;
}
