import pg from "pg";
import type { Client } from "#server/testing/client.ts";
import { answerWithin } from "../lib/processes.ts";
import type { Load } from "./load.ts";
import type { ServerGroup } from "./targets.ts";

/** Describes the state when a run fails: refusals, health, connections, and the last output. */
export async function describeFailure(parts: {
  load: Load | null;
  client: Client;
  adminUrl: string;
  servers: ServerGroup;
}): Promise<string[]> {
  const { load, client, adminUrl, servers } = parts;
  const lines: string[] = [];
  if (load) {
    lines.push(`refused: ${JSON.stringify(Object.fromEntries(load.refusals))}`);
    lines.push(`${load.unanswered} requests without an answer, ${load.openKeys.size} keys open`);
  }
  lines.push(`/api/health: ${await answerWithin(client.get("/api/health"))}`);
  lines.push(`connections: ${await answerWithin(readConnections(adminUrl))}`);
  for (const [name, text] of servers.readOutput())
    lines.push(`${name}, last lines:`, ...text.trim().split("\n").slice(-5));
  return lines;
}

/** Every connection of the product, grouped by what it does and waits for. */
async function readConnections(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query<{ line: string }>(`
      select format('%s x %s %s %s/%s %s', count(*), application_name, state, wait_event_type,
        wait_event, left(regexp_replace(max(query), '\\s+', ' ', 'g'), 100)) as line
      from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
      group by application_name, state, wait_event_type, wait_event order by 1 desc`);
    return rows.map(({ line }) => `\n  ${line}`).join("");
  } finally {
    await client.end();
  }
}
