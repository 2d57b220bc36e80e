import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  checkpointText,
  encodeVkey,
  parseCheckpoint,
  signNote,
  splitNote,
} from "#core/transparency-log/checkpoint.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { leafHash, treeRoot } from "#core/transparency-log/merkle.ts";
import { bindOrders, encodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { splitHashes } from "#core/transparency-log/tile.ts";
import { createSigner } from "#server/transparency-log/keys.ts";
import { type Chance, copyTables, type Superuser, swapTables, type Tampering } from "./changes.ts";

const log = ["log_leaf", "log_head", "log_tile", "log_checkpoint", "log_key"] as const;

/** Backs up the log's tables; `undo` restores them. */
async function backUpLog(client: Superuser, title: string): Promise<Tampering> {
  for (const name of log) await client.query(`drop table if exists tampering."now_${name}"`);
  await copyTables(client, log, "now");
  return {
    kind: "log, staged",
    title,
    undo: async () => {
      await swapTables(client, log, "now", "log, staged");
    },
  };
}

/** Deletes the newest leaves and all checkpoints and tiles that cover them. */
export async function cutTail(client: Superuser, chance: Chance): Promise<Tampering> {
  const { rows } = await client.query<{ size: string }>(
    "select size from log_checkpoint order by size desc offset 1",
  );
  const { size } = rows[chance(rows.length)]!;
  const tampering = await backUpLog(client, "the log's tail cut");
  await client.query("delete from log_checkpoint where size > $1", [size]);
  await client.query("delete from log_tile where (tile + 1) * 256 ^ (level + 1) > $1", [size]);
  await client.query("delete from log_leaf where leaf >= $1", [size]);
  await client.query("update log_head set next = $1", [size]);
  return tampering;
}

/** Signs the newest tree with a stranger's key and adds it to the list of keys. */
export async function replaceKey(
  client: Superuser,
  data: string,
  world: string,
): Promise<Tampering> {
  const { origin } = JSON.parse(readFileSync(join(data, `log-key-${world}.json`), "utf8")) as {
    origin: string;
  };
  const { privateKey } = generateKeyPairSync("ed25519");
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const stranger = createSigner(origin, pem);
  const tampering = await backUpLog(client, "the log's key replaced");
  const { rows } = await client.query<{ size: string; note: string }>(
    "select size, note from log_checkpoint order by size desc limit 1",
  );
  const checkpoint = parseCheckpoint(splitNote(rows[0]!.note)!.text)!;
  await client.query("update log_checkpoint set note = $1 where size = $2", [
    signNote(checkpointText(checkpoint), [stranger]),
    rows[0]!.size,
  ]);
  await client.query("update log_key set vkey = $1", [encodeVkey(stranger.key)]);
  return tampering;
}

/** Changes hashes of a tile, with a root that matches them. */
export async function forgeTile(client: Superuser, chance: Chance): Promise<Tampering | null> {
  const { rows } = await client.query<{ level: number; tile: string; hashes: Buffer }>(
    "select level, tile, hashes from log_tile order by level, tile",
  );
  const item = rows[chance(Math.max(1, rows.length))];
  if (!item) return null;
  const tampering = await backUpLog(client, "a tile replaced by a forged one");
  const hashes = splitHashes(new Uint8Array(item.hashes));
  hashes[chance(hashes.length)] = leafHash(randomBytes(32));
  await client.query("update log_tile set hashes = $1, root = $2 where level = $3 and tile = $4", [
    Buffer.concat(hashes),
    Buffer.from(treeRoot(hashes)),
    item.level,
    item.tile,
  ]);
  return tampering;
}

/** Replaces the whole database by an earlier state, like a swapped backup. */
export async function swapBackup(
  client: Superuser,
  names: readonly string[],
  copyPrefix: string,
): Promise<Tampering> {
  const swapped = await swapTables(client, names, copyPrefix, "swapped backup");
  return { ...swapped, title: "the whole database as it was earlier" };
}

/** Runs a statement that a dishonest operator might run; null if it changes nothing here. */
export async function runStatement(
  client: Superuser,
  table: string,
  title: string,
  statement: string,
): Promise<Tampering | null> {
  await client.query(`drop table if exists tampering."now_${table}"`);
  await copyTables(client, [table], "now");
  const { rowCount } = await client.query(statement);
  if (rowCount === 0) return null;
  return {
    kind: "rows, staged",
    title,
    undo: async () => {
      await swapTables(client, [table], "now", "rows, staged");
    },
  };
}

/** Inserts an invented second before the newest leaves, in the table only. */
export async function forgeLeaf(
  client: Superuser,
  world: string,
  chance: Chance,
): Promise<Tampering> {
  const { rows } = await client.query<{ leaf: string }>(
    "select leaf from log_leaf where kind = 2 order by leaf",
  );
  const { leaf } = rows[chance(rows.length)]!;
  const tampering = await backUpLog(client, "a leaf replaced by a forged one");
  const second = { secondMs: 1_000, quotes: [], index: [], ...bindOrders([]) };
  const bytes = Buffer.from(encodeSecond(second, worldTag(world)));
  await client.query("update log_leaf set bytes = $1 where leaf = $2", [bytes, leaf]);
  return tampering;
}

/** Inserts a balanced journal with correct balances that was not posted through `post_journals`. */
export async function forgePosting(client: Superuser, chance: Chance): Promise<Tampering | null> {
  const { rows: people } = await client.query<{ id: string; balance: string; version: string }>(
    "select id, balance, version from account where not house and kind = 'wallet' order by id",
  );
  const { rows: houses } = await client.query<{ id: string }>(
    `select id from account where house and coin = (select coin from account where id = $1)`,
    [people[0]?.id ?? 0],
  );
  const person = people[0];
  const house = houses[0];
  if (!person || !house) return null;
  const amount = 1 + chance(1_000_000);
  const id = randomUUID();
  await client.query(
    `insert into journal (id, kind, body_hash, about, at_ms, tree_size)
     select $1, kind, body_hash, about, at_ms, tree_size from journal order by at_ms desc limit 1`,
    [id],
  );
  await client.query(
    `insert into entry (journal_id, leg, account, amount, balance, version)
     values ($1, 0, $2, $3, $4::bigint + $3, $5::bigint + 1), ($1, 1, $6, -$3::bigint, null, null)`,
    [id, person.id, amount, person.balance, person.version, house.id],
  );
  await client.query(
    "update account set balance = balance + $2, version = version + 1 where id = $1",
    [person.id, amount],
  );
  return {
    kind: "ledger, staged",
    title: "a balanced posting inserted",
    undo: async () => {
      await client.query("delete from entry where journal_id = $1", [id]);
      await client.query("delete from journal where id = $1", [id]);
      await client.query(
        "update account set balance = balance - $2, version = version - 1 where id = $1",
        [person.id, amount],
      );
    },
  };
}
