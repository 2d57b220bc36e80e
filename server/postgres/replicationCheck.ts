import type pg from "pg";
import { asyncStandbyAccepted } from "#server/platform/config/settings.ts";
import { StartError } from "#server/platform/startError.ts";

const because =
  "if that standby takes over, orders that were confirmed are gone, and the public log lacks leaves that were signed";

/**
 * Checks that an acknowledged commit survives the loss of one of several servers: a standby that no
 * commit waits for is refused unless `accepted`. `owner` and `app` are sessions of the two roles;
 * the application's commits are the ones acknowledged. Throws a StartError.
 */
export async function requireSynchronousStandby(
  { owner, app }: { owner: pg.Client; app: pg.Client },
  accepted: boolean,
): Promise<void> {
  const { rows } = await app.query<{ commit: string }>(
    "select current_setting('synchronous_commit') as commit",
  );
  const { commit } = rows[0]!;
  if (commit === "off") {
    throw new StartError(
      "DATABASE_URL cannot be used: synchronous_commit is off for its role, so what was confirmed may be gone after a crash of the database; set it to on.",
    );
  }
  if (accepted) return;
  const { standbys, hidden, names } = await readStandbys(owner);
  if (standbys === 0 && hidden === 0) return;
  if (names.trim() === "") {
    throw new StartError(
      `The database has a standby that no commit waits for (synchronous_standby_names is empty): ${because}. Set synchronous_standby_names, or ASYNC_STANDBY=${asyncStandbyAccepted} if you accept that.${hidden > 0 ? " If it is a base backup that runs now, start again after it, or grant pg_read_all_stats to the role of DATABASE_OWNER_URL, which then sees the difference." : ""}`,
    );
  }
  if (commit === "local") {
    throw new StartError(
      `DATABASE_URL cannot be used: synchronous_commit is local for its role, so its commits wait for no standby: ${because}. Set it to on, or ASYNC_STANDBY=${asyncStandbyAccepted} if you accept that.`,
    );
  }
}

interface Standbys {
  /** Connected standbys, and replication slots of disconnected ones. */
  standbys: number;
  /** Other readers of the write-ahead log, whose state this role may not see. */
  hidden: number;
  names: string;
}

/** Base backups, temporary slots and subscribers are not standbys. */
async function readStandbys(owner: pg.Client): Promise<Standbys> {
  const { rows } = await owner.query<Standbys>(`
    select (select count(*)::integer from pg_replication_slots
        where slot_type = 'physical' and not temporary)
      + count(*) filter (where sender.state <> 'backup')::integer as standbys,
      count(*) filter (where sender.state is null)::integer as hidden,
      current_setting('synchronous_standby_names') as names
    from pg_stat_replication sender
    where not exists (select from pg_replication_slots slot
      where slot.active_pid = sender.pid and (slot.slot_type = 'logical' or slot.temporary))`);
  return rows[0]!;
}
