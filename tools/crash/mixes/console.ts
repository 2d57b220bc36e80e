import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { PrivateKeyAccount } from "viem/accounts";
import { ApiError, newKey, type TestSession } from "#server/testing/client.ts";
import { type NonceFields, signNonce } from "#server/testing/signNonce.ts";
import { type Answer, type Change, findChange, type Mix, type RetryingCall } from "../change.ts";

/** One session of the instance's owner. Each changes only what is its own. */
export interface OperatorSession extends TestSession {
  account: PrivateKeyAccount;
}

/** The operators' publications, with the number of versions each should end with. */
export type ExpectedVersions = Map<string, number>;

/** Yields the changes of one session in order; is given each answer, or null for a refusal. */
type Script = AsyncGenerator<Change, void, Answer | null>;

/** Console acts and publishing, by several sessions of one owner. `targets` are suspended. */
export function createConsole(
  sessions: readonly OperatorSession[],
  targets: readonly TestSession[],
  {
    ask,
    random,
    elevate,
  }: {
    ask: RetryingCall;
    random: () => number;
    elevate: (session: OperatorSession) => Promise<void>;
  },
): Mix & { expectedVersions: ExpectedVersions } {
  const expectedVersions: ExpectedVersions = new Map();
  const running = sessions.map((session, number) => {
    const testSessions = targets.filter((_, index) => index % sessions.length === number);
    const context = { session, ask, random, expectedVersions };
    return {
      session,
      script: getScript(context, number, testSessions),
      given: null as Answer | null,
    };
  });
  return {
    name: "console",
    expectedVersions,
    createNext: async (client) => {
      const item = running[client];
      if (!item) return null;
      const { value, done } = await item.script.next(item.given);
      item.given = null;
      if (done || !value) return null;
      return {
        ...value,
        onAnswer: (answer) => {
          // Immediately: once the load stops, the script is not resumed.
          value.onAnswer?.(answer);
          item.given = answer;
        },
        remedy: async (name) => {
          if (name !== "operator.raise_required") return false;
          await elevate(item.session);
          return true;
        },
      };
    },
  };
}

interface SessionContext {
  session: OperatorSession;
  ask: RetryingCall;
  random: () => number;
  expectedVersions: ExpectedVersions;
}

async function* getScript(
  context: SessionContext,
  number: number,
  targets: readonly TestSession[],
): Script {
  for (let round = 0; ; round += 1) {
    if (number === 0) yield* switchSignUp(context);
    if (number === 0 && round % 3 === 0) yield* publishTiers(context);
    if (number === 1 && round < 10) yield* publishMachine(context);
    if (number === 2 && round < 2) yield* publishPool(context);
    yield* publishNews(context, round);
    yield* createClassLink(context, round);
    const target = targets[round % targets.length];
    if (target) yield* suspend(context, target);
    if (round % 5 === 4) yield* announce(context, round);
    await sleep(20);
  }
}

const path = (kind: string, call: string) => `/api/operator/publishing/${kind}/${call}`;

function publishing(
  { session }: SessionContext,
  kind: string,
  call: "save" | "publish" | "unschedule" | "discard" | "withdraw",
  input: { id: string; [field: string]: unknown },
): Change {
  const stateAfter = { save: "saved", publish: "scheduled", unschedule: "unscheduled" } as const;
  const rest = { discard: "discarded", withdraw: "withdrawn" } as const;
  return findChange(`console.${call}`, session, path(kind, call), input, {
    act: () => ({ what: `publishing.${{ ...stateAfter, ...rest }[call]}`, target: input.id }),
  });
}

function revisionIn(answer: Answer | null): number | null {
  return typeof answer?.revision === "number" ? answer.revision : null;
}

interface Publication {
  id: string;
  subject: string | null;
  revision: number;
  version: number;
  /** Why it was not published when its time came. */
  refused: unknown[];
  published: Record<string, unknown> | null;
}

function readPublication(
  { session, ask }: SessionContext,
  kind: string,
  id: string,
): Promise<Publication> {
  return ask({ method: "GET", path: path(kind, "read"), input: { id }, token: session.token });
}

/** Saves and publishes one body immediately, and waits until the job has published it. */
async function* publishNow(
  context: SessionContext,
  kind: string,
  { id, revision }: { id: string; revision: number },
  body: unknown,
): AsyncGenerator<Change, Publication | null, Answer | null> {
  const before = (context.expectedVersions.get(id) ?? 0) + 1;
  const savedRevision = revisionIn(yield publishing(context, kind, "save", { id, revision, body }));
  if (savedRevision === null) return null;
  const publish = { id, revision: savedRevision, at_ms: null };
  const onAnswered = () => context.expectedVersions.set(id, before);
  if (!(yield { ...publishing(context, kind, "publish", publish), onAnswer: onAnswered }))
    return null;
  // The server may be down in the meantime, and the job runs every two seconds.
  for (;;) {
    const now = await readPublication(context, kind, id);
    if (now.version >= before) return now;
    if (now.refused.length > 0) {
      context.expectedVersions.set(id, before - 1);
      return null;
    }
    await sleep(200);
  }
}

const news = (title: string) => ({
  languages: { en: { title, summary: "A note of the crash trial.", body: "Nothing to see here." } },
});

/** Publishes twice, withdraws, schedules and unschedules, discards: one of these at a time. */
async function* publishNews(context: SessionContext, round: number): Script {
  const id = randomUUID();
  context.expectedVersions.set(id, 0);
  const title = `Note ${round}`;
  switch (round % 4) {
    case 0: {
      const first = yield* publishNow(context, "news", { id, revision: 0 }, news(title));
      if (!first) return;
      const republished = yield* publishNow(context, "news", first, news(`${title}, corrected`));
      if (republished)
        yield publishing(context, "news", "withdraw", { id, revision: republished.revision });
      return;
    }
    case 1: {
      const saveAnswer = yield publishing(context, "news", "save", {
        id,
        revision: 0,
        body: news(title),
      });
      const revision = revisionIn(saveAnswer);
      if (revision === null) return;
      const at_ms = Date.now() + 3_600_000;
      const publish = { id, revision, at_ms };
      const scheduled = revisionIn(yield publishing(context, "news", "publish", publish));
      if (scheduled !== null)
        yield publishing(context, "news", "unschedule", { id, revision: scheduled });
      return;
    }
    case 2: {
      const saveAnswer = yield publishing(context, "news", "save", {
        id,
        revision: 0,
        body: news(title),
      });
      const revision = revisionIn(saveAnswer);
      if (revision !== null) yield publishing(context, "news", "discard", { id, revision });
      return;
    }
    default: {
      // Falls due unwatched, perhaps while the server is down.
      const saveAnswer = yield publishing(context, "news", "save", {
        id,
        revision: 0,
        body: news(title),
      });
      const revision = revisionIn(saveAnswer);
      if (revision === null) return;
      const publish = { id, revision, at_ms: Date.now() + Math.floor(context.random() * 8_000) };
      const onAnswered = () => context.expectedVersions.set(id, 1);
      yield { ...publishing(context, "news", "publish", publish), onAnswer: onAnswered };
    }
  }
}

/** Publishes the terms of one contract with another largest stake. */
async function* publishTiers(context: SessionContext): Script {
  const publication = await findFirst(context, "contract_tiers");
  if (!publication) return;
  const body = structuredClone(publication.published) as { tiers: { stake_max: string }[] };
  for (const tier of body.tiers) tier.stake_max = tier.stake_max === "900" ? "1000" : "900";
  if (!context.expectedVersions.has(publication.id))
    context.expectedVersions.set(publication.id, publication.version);
  yield* publishNow(context, "contract_tiers", publication, body);
}

async function* publishMachine(context: SessionContext): Script {
  const publication = await findFirst(context, "machine");
  if (!publication) return;
  const name = randomUUID().slice(0, 8);
  const body = { ...publication.published, product_id: `trial-${name}`, model: `Trial ${name}` };
  yield* publishNow(context, "machine", { id: randomUUID(), revision: 0 }, body);
}

async function* publishPool(context: SessionContext): Script {
  const publication = await findFirst(context, "pool");
  if (!publication) return;
  const body = { ...publication.published, pool_id: `trial-${randomUUID().slice(0, 8)}` };
  yield* publishNow(context, "pool", { id: randomUUID(), revision: 0 }, body);
}

async function findFirst(context: SessionContext, kind: string): Promise<Publication | null> {
  const list = await context.ask<{ items: { id: string }[] }>({
    method: "GET",
    path: path(kind, "list"),
    input: { state: "published", page_size: "1" },
    token: context.session.token,
  });
  return list.items[0] ? readPublication(context, kind, list.items[0].id) : null;
}

async function* createClassLink({ session }: SessionContext, round: number): Script {
  const input = { label: `Class ${round}`, limit: 30, expires_at_ms: Date.now() + 86_400_000 };
  const classId = ({ link }: Answer) => (link as { class_id: string }).class_id;
  const creation = yield findChange(
    "console.class_link",
    session,
    "/api/operator/class/makeLink",
    input,
    {
      act: (answer) => ({ what: "class.link_made", target: classId(answer) }),
    },
  );
  if (!creation || round % 2 === 0) return;
  const class_id = classId(creation);
  yield findChange(
    "console.class_close",
    session,
    "/api/operator/class/closeLink",
    { class_id },
    {
      act: () => ({ what: "class.link_closed", target: class_id }),
    },
  );
}

async function* suspend({ session }: SessionContext, { userId: user_id }: TestSession): Script {
  for (const suspended of [true, false]) {
    const input = { user_id, suspended, why: "The crash trial." };
    yield findChange("console.suspend", session, "/api/operator/people/setSuspended", input, {
      act: () => ({ what: suspended ? "people.suspended" : "people.resumed", target: user_id }),
    });
  }
}

async function* announce({ session, expectedVersions }: SessionContext, round: number): Script {
  const id = randomUUID();
  const text = `Announcement ${round}.`;
  const input = { id, type: "bar", language: "en", title: "", text, until_ms: null };
  yield findChange("console.announce", session, "/api/operator/class/announce", input, {
    act: () => ({ what: "class.announced", target: id }),
    onAnswer: () => expectedVersions.set(id, 1),
  });
}

async function* switchSignUp({ session, ask }: SessionContext): Script {
  const { sign_up: previousSignUp } = await ask<{ sign_up: string }>({
    method: "GET",
    path: "/api/operator/class/getClass",
    token: session.token,
  });
  const sign_up = previousSignUp === "open" ? "class_links" : "open";
  const input = { sign_up, was: previousSignUp };
  yield findChange("console.sign_up", session, "/api/operator/class/setSignUp", input, {
    act: () => ({ what: "class.sign_up_changed", target: null }),
  });
}

/** The owner's second factor in a run. */
const passphrase = "a passphrase of the crash trial";

/** Sets the passphrase that every further elevation needs. `session` must be elevated. */
export async function setPassphrase(
  session: OperatorSession,
  ask: RetryingCall,
  ownKeys: Set<string>,
) {
  const key = newKey();
  ownKeys.add(key);
  const path = "/api/operator/setPassphrase";
  await ask({ method: "POST", path, input: { passphrase }, token: session.token, key });
}

/** Signs again and so elevates the session's permissions for ten minutes. */
export async function elevate(
  session: OperatorSession,
  ask: RetryingCall,
  ownKeys: Set<string>,
  withPassphrase = true,
): Promise<void> {
  for (;;) {
    const nonceFields = await ask<NonceFields>({
      method: "GET",
      path: "/api/operator/getRaiseNonce",
      input: { chain_id: "1" },
      token: session.token,
    });
    const { message, signature } = await signNonce(session.account, nonceFields);
    const key = newKey();
    ownKeys.add(key);
    const input = { message, signature, ...(withPassphrase && { passphrase }) };
    try {
      await ask({ method: "POST", path: "/api/operator/raise", input, token: session.token, key });
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.error.startsWith("session.nonce"))) throw error;
    }
  }
}
