import { sql } from "kysely";
import type { AppContext } from "#server/platform/context.ts";

/** All that the role of the web server may read of this world, as one text. */
export async function drawReadableText({
  database,
  world,
}: Pick<AppContext, "database" | "world">): Promise<string> {
  const { db } = database;
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
    where c.relnamespace = ${world.schema}::regnamespace and c.relkind in ('r', 'v', 'm')
      and has_table_privilege(c.oid, 'select')`.execute(db);
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const table = [world.schema, name].map((part) => `"${part}"`).join(".");
      const { rows } = await database.pool.query<{ text: string }>(
        `select t::text as text from ${table} t`,
      );
      return rows.map(({ text }) => text).join("\n");
    }),
  );
  return texts.join("\n").toLowerCase();
}
