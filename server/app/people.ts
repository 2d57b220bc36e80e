import { sql } from "kysely";
import { isUuid } from "#core/ledger/uuid.ts";
import type { Contracts } from "#server/contracts/contracts.ts";
import type { Hosting } from "#server/hosting/hosting.ts";
import type { Identity } from "#server/identity/identity.ts";
import type { Mining } from "#server/mining/mining.ts";
import type { PeopleNeeds, PersonReads } from "#server/operator/people/deps.ts";
import { createViewings } from "#server/operator/people/viewings.ts";
import type { Parts } from "#server/platform/context.ts";
import { readLanguage } from "#server/platform/http/language.ts";
import { pageOf, sliceOf } from "#server/platform/http/pagination.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import type { Links } from "#server/publishing/links.ts";
import type { Records } from "#server/records/records.ts";
import type { SessionService } from "#server/session/session.ts";
import type { Wallet } from "#server/wallet/wallet.ts";
import type { Withdraw } from "#server/withdraw/withdraw.ts";

interface Sources {
  session: SessionService;
  wallet: Wallet;
  records: Records;
  withdraw: Withdraw;
  contracts: Contracts;
  hosting: Hosting;
  mining: Mining;
  identity: Identity;
  links: Links;
  hub: StreamHub;
}

/** Helping people at the console, with every domain it reads and the few things it can ask them to do. */
export function wirePeople(parts: Parts, sources: Sources) {
  const viewings = createViewings(parts);
  parts.bus.subscribe("viewing.changed", ({ userId, untilMs }) =>
    sources.hub.toUser(userId, { topic: "viewing", until_ms: untilMs }),
  );
  parts.bus.subscribe("person.touched", ({ userId }) =>
    sources.hub.toUser(userId, { topic: "act" }),
  );
  return { viewings, needs: peopleNeeds(parts, sources) };
}

function peopleNeeds(parts: Parts, sources: Sources): PeopleNeeds {
  const { db } = parts.database;
  const { session, links, withdraw } = sources;
  return {
    find: async (userId, tx) => {
      const { rows } = await sql<{
        created_at_ms: bigint;
        suspended_at_ms: bigint | null;
        sessions: bigint;
      }>`
        select created_at_ms, suspended_at_ms, (
          select count(*) from user_session s
          where s.user_id = u.user_id and ended_at_ms is null and expires_at_ms > ${parts.realClock.nowMs()}
        ) as sessions
        from user_account u where user_id = ${userId} and erased_at_ms is null`.execute(tx ?? db);
      const row = rows[0];
      if (!row) return null;
      return {
        sinceMs: Number(row.created_at_ms),
        suspendedAtMs: row.suspended_at_ms === null ? null : Number(row.suspended_at_ms),
        sessions: Number(row.sessions),
      };
    },
    reads: personReads(sources),
    endSessions: (tx, userId) => session.endSessionsIn(tx, userId),
    setSuspended: (tx, userId, atMs) => session.setSuspended(tx, userId, atMs),
    setSupportUrl: (tx, userId, url) => session.setSupportUrl(tx, userId, url),
    supportUrl: links.supportUrl,
    withdrawal: async (id, tx) => {
      if (!isUuid(id)) return null;
      const { rows } = await sql<{ user_id: string; over: boolean }>`
        select user_id, outcome is not null as over from withdrawal where id = ${id}`.execute(tx);
      return rows[0] ? { userId: rows[0].user_id, over: rows[0].over } : null;
    },
    payNow: withdraw.payNow,
  };
}

function personReads(sources: Sources): PersonReads {
  const { session, wallet, records, contracts, hosting, mining } = sources;
  const attemptOf = async (userId: string) => {
    const { attemptId, attemptNumber } = await session.user(userId);
    return { userId, attemptId, attemptNumber };
  };
  return {
    wallet: async (userId) => {
      const { attemptId, attemptNumber } = await attemptOf(userId);
      const [list, lines] = await Promise.all([wallet.list(attemptId), records.lines(attemptId)]);
      return { attempt_number: attemptNumber, wallet: list, lines };
    },
    contractOrders: async (userId, asked) => {
      const filter = { contractId: null, status: null, ...sliceOf(asked) };
      const { items, first } = await contracts.orders(userId, filter);
      return pageOf(asked, items, first);
    },
    hostingOrders: async (userId, asked) => {
      const filter = { poolId: null, status: null, ...sliceOf(asked) };
      const { items, first } = await hosting.orders(userId, filter);
      return pageOf(asked, items, first);
    },
    leases: async (userId, asked) => {
      const { items, first } = await mining.leases(userId, { status: null, ...sliceOf(asked) });
      return pageOf(asked, items, first);
    },
    records: async (userId, { page, page_size, before }) => {
      const cursor = before === undefined ? {} : { before };
      const found = await records.page(await attemptOf(userId), { page, page_size, ...cursor });
      const items = found.items.map((one) => ({
        journal_id: one.journal_id,
        type: one.type,
        group: one.group,
        coin: one.coin,
        amount: one.amount,
        balance_after: one.balance_after,
        account:
          (one.legs.find(({ account }) => account === "wallet") ?? one.legs[0])?.account ?? null,
        act: one.act && { role: one.act.role, what: one.act.what },
        at_ms: one.at_ms,
      }));
      return { ...found, items };
    },
    ...withdrawalsAndAccount(sources, attemptOf),
  };
}

function withdrawalsAndAccount(
  { session, withdraw, identity }: Sources,
  attemptOf: (userId: string) => Promise<{ userId: string; attemptId: string }>,
): Pick<PersonReads, "withdrawals" | "account"> {
  return {
    withdrawals: async (userId, { page, page_size, before }) => {
      const { attemptId } = await attemptOf(userId);
      const cursor = before === undefined ? {} : { before };
      const found = await withdraw.list(userId, {
        page,
        page_size,
        attemptId,
        ...cursor,
      });
      // The address, and what an operator wrote, are nobody's here.
      const items = found.items.map(
        ({ address: _address, act: _act, attempt_id: _attempt, ended_journal_id: _id, ...rest }) =>
          rest,
      );
      return { ...found, items };
    },
    account: async (userId) => {
      const user = await session.user(userId);
      const [accepted, open, supportUrl, info] = await Promise.all([
        session.termsAccepted(userId),
        session.sessions(userId),
        session.supportUrlOf(user),
        identity.info(userId, readLanguage(user.language)),
      ]);
      return {
        language: user.language,
        terms_accepted: accepted,
        identity: { status: info.status, outcome: info.outcome },
        sessions: open.map((one) => ({
          created_at_ms: one.createdAtMs,
          last_seen_at_ms: one.lastSeenAtMs,
          expires_at_ms: one.expiresAtMs,
          client: one.client,
        })),
        support_url: supportUrl,
      };
    },
  };
}
