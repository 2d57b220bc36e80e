import { sql } from "kysely";
import type { InputOf } from "#api/call.ts";
import type { setChatLink } from "#api/operator/instance.ts";
import { parseLink } from "#core/publishing/links.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Config } from "#server/platform/config/config.ts";
import { asyncStandbyAccepted } from "#server/platform/config/settings.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";

const name = "chat_link";

export interface ChatLink {
  /** The effective value, as people get it. */
  link: string | null;
  fallback: string | null;
  set: boolean;
  revision: number;
}

/** The page that online service opens: as an operator set it, else from the environment. */
export async function readChatLink(
  db: Db | Tx,
  { chatLink: fallback }: Pick<Config, "chatLink">,
  lock = false,
): Promise<ChatLink> {
  const { rows } = await sql<{ value: string | null; set_here: boolean; revision: number }>`
    select value, set_here, revision from instance_setting where name = ${name} ${lock ? sql`for update` : sql``}`.execute(
    db,
  );
  const row = rows[0];
  const set = row?.set_here === true;
  return { link: set ? row.value : fallback, fallback, set, revision: row?.revision ?? 0 };
}

/**
 * Throws `instance.changed_meanwhile` if it was changed since `revision`. A link must satisfy the
 * rule of published links (docs/rules/publishing.md): https, no messenger, no payment page. Nothing
 * else from the environment can be set while an instance runs: people rely on knowing who runs it
 * when something goes wrong, and that is changed by the machine's administrator, not by a role in a
 * browser.
 */
export async function writeChatLink(
  tx: Tx,
  config: AppContext["config"],
  { use, link, revision }: InputOf<typeof setChatLink>,
): Promise<number> {
  const value = use === "link" ? requireLink(link) : null;
  // If two set it for the first time concurrently, the second waits here and finds the first one's
  // row.
  await sql`
    insert into instance_setting (name, value, set_here, revision) values (${name}, null, false, 1)
    on conflict do nothing`.execute(tx);
  const now = await readChatLink(tx, config, true);
  if (now.revision !== Math.max(revision, 1)) throw new ApiError("instance.changed_meanwhile");
  const next = now.revision + 1;
  await sql`
    update instance_setting set value = ${value}, set_here = ${use !== "environment"}, revision = ${next}
    where name = ${name}`.execute(tx);
  return next;
}

function requireLink(link: string | null): string {
  const result = parseLink(link ?? "");
  if (!result.ok) {
    const fields = { field: "link", phrase: (link ?? "").slice(0, 80) };
    throw new ApiError(`publishing.${result.error}`, fields);
  }
  return link as string;
}

/**
 * The settings of the environment, as parsed by the server. For a secret or a path, only whether it
 * is set.
 */
export function describeEnvironment(
  config: Config,
  market: { kind: string; speed: number },
): { name: string; value: string | null; set: boolean }[] {
  const toSetting = (variable: string, value: string | number | null) => ({
    name: variable,
    value: value === null ? null : String(value),
    set: value !== null,
  });
  const describeHidden = (variable: string, set: boolean) => ({ name: variable, value: null, set });
  return [
    toSetting("WORLD", config.world),
    toSetting("MARKET", market.kind),
    toSetting("WORLD_SPEED", market.speed),
    toSetting("WORLD_CLOCK", config.worldClock),
    toSetting("PUBLIC_URL", config.publicUrl?.origin ?? null),
    toSetting("TRUST_PROXY", config.trustProxy.join(", ") || null),
    toSetting("HSTS_SUBDOMAINS", config.hstsSubdomains ? "yes" : "no"),
    toSetting("SOCKET_URL", config.socketUrl?.href ?? null),
    toSetting("HOST", config.host),
    toSetting("PORT", config.port),
    toSetting("CHAT_LINK", config.chatLink),
    toSetting("OPERATOR_NAME", config.operator.name),
    toSetting("OPERATOR_CONTACT", config.operator.contact),
    toSetting("METRICS_PORT", config.metrics?.port ?? null),
    toSetting("METRICS_HOST", config.metrics?.host ?? null),
    describeHidden("METRICS_TOKEN", config.metrics?.token != null),
    toSetting("LOG_LEVEL", config.logLevel),
    describeHidden("DATABASE_URL", config.databaseUrl !== null),
    describeHidden("DATABASE_OWNER_URL", config.databaseOwnerUrl !== null),
    describeHidden("WAL_ARCHIVE", config.walArchive !== null),
    toSetting("ASYNC_STANDBY", config.asyncStandby ? asyncStandbyAccepted : null),
    describeHidden("TLS_CERT", config.tls !== null),
    describeHidden("TLS_KEY", config.tls !== null),
  ];
}
