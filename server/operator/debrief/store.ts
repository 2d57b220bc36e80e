import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type FigureName, figureNames } from "#core/classes/debrief.ts";
import { dayMs } from "#core/money/time.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

type Context = Pick<AppContext, "database" | "fieldEncryption" | "realClock">;

/** Real time after the last day of a class link until the class's figures are removed. */
export const keptAfterEndMs = 30 * dayMs;

/** A figure as it was counted. */
export interface StoredFigure {
  figureId: string;
  name: FigureName;
  people: number;
  countedAtMs: number;
  /** JSON; `null` while fewer than five people had a part in it. */
  content: string;
}

/** All figures of a class, oldest first. */
export async function readFigures(db: Db, classId: string): Promise<StoredFigure[]> {
  const { rows } = await sql<{
    figure_id: string;
    name: FigureName;
    people: number;
    counted_at_ms: bigint;
    content: string;
  }>`
    select * from class_figure where class_id = ${classId} and name = any(${[...figureNames]}::text[])
    order by counted_at_ms, figure_id`.execute(db);
  return rows.map((row) => ({
    figureId: row.figure_id,
    name: row.name,
    people: row.people,
    countedAtMs: Number(row.counted_at_ms),
    content: row.content,
  }));
}

/** Each person's part in a figure; those who deleted their account are gone from it. */
export async function readParts(
  { fieldEncryption }: Context,
  db: Db,
  figureId: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ user_id: string; content_encrypted: Buffer }>`
    select user_id, content_encrypted from class_figure_part
    where figure_id = ${figureId}`.execute(db);
  const parts = new Map<string, string>();
  for (const row of rows) {
    const text = await fieldEncryption.decryptText(row.user_id, row.content_encrypted);
    if (text !== null) parts.set(row.user_id, text);
  }
  return parts;
}

export interface NewFigure {
  classId: string;
  name: FigureName;
  content: string;
  parts: ReadonlyMap<string, string>;
}

/** Stores a figure with its inputs, each part encrypted under its person's key. */
export async function addFigure(
  { fieldEncryption, realClock }: Context,
  tx: Tx,
  { classId, name, content, parts }: NewFigure,
): Promise<void> {
  const figureId = randomUUID();
  const encrypted: Buffer[] = [];
  for (const [userId, part] of parts) encrypted.push(await fieldEncryption.encrypt(userId, part));
  await sql`
    insert into class_figure (figure_id, class_id, name, people, counted_at_ms, content)
    values (${figureId}, ${classId}, ${name}, ${parts.size}, ${realClock.nowMs()}, ${content})`.execute(
    tx,
  );
  await sql`
    insert into class_figure_part (figure_id, user_id, content_encrypted)
    select ${figureId}::uuid, * from unnest(${[...parts.keys()]}::text[], ${encrypted}::bytea[])`.execute(
    tx,
  );
}

/** Removes the figures of classes that ended thirty days ago. */
export async function removeOldFigures({ database: { db }, realClock }: Context): Promise<void> {
  await sql`
    delete from class_figure f using class_link l
    where l.class_id = f.class_id and l.expires_at_ms < ${realClock.nowMs() - keptAfterEndMs}`.execute(
    db,
  );
}
