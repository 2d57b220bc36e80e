import { sql } from "kysely";
import type { InviteFate } from "#core/invites/rules.ts";
import type { Locale } from "#core/locales.ts";
import type { SessionEndedBy } from "#core/session/lifetime.ts";
import { parseMessage } from "#core/session/message.ts";
import type { SignUpState } from "#core/session/signUp.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { RealClock } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import { batchReads } from "#server/platform/db/batchReads.ts";
import type { Db, Tx } from "#server/platform/db/database.ts";
import type { Session, SessionResolver } from "#server/platform/http/session.ts";
import type { Job } from "#server/platform/jobs.ts";
import { buildPracticeTerms, termsVersion } from "#server/platform/terms.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";
import {
  type Authorisation,
  listAuthorisations,
  readAcceptedTerms,
  recordAuthorisation,
  revoke,
} from "#server/session/authorisations.ts";
import { describeClient } from "#server/session/client.ts";
import { createAddressMapping, type Mapping } from "#server/session/mapping.ts";
import { createNonces, type Nonces, statement } from "#server/session/nonces.ts";
import { readSignUp, writeSignUp } from "#server/session/signUp.ts";
import { createSignUpLimit } from "#server/session/signUpLimit.ts";
import {
  countAccounts,
  findOrCreateUser,
  findUser,
  type PersonState,
  readLanguage,
  readOwnerSalt,
  readPerson,
  type User,
} from "#server/session/users.ts";
import {
  createSessionStore,
  type EndedSession,
  type OpenSession,
  type SessionStore,
} from "./sessionStore.ts";
import { type ExpectedMessage, proveSignedMessage, type SignedMessage } from "./signedMessage.ts";

declare module "#server/platform/bus/bus.ts" {
  interface BusEvents {
    /** A person's rights changed: new positions stopped or allowed, or terms taken back. */
    "person.rights_changed": { userId: string };
  }
}

/** The practice terms in force. */
export interface TermsSource {
  version: number;
  /** The full text, as shown. */
  text(language: Locale): string;
}

export interface SessionDeps {
  invites: InviteCodes;
  contributions: {
    /** Other domains' gifts to a new person; each is idempotent. */
    readonly onUserCreated: readonly ((owner: {
      userId: string;
      attemptId: string;
    }) => Promise<void>)[];
  };
}

/** The handling of invite codes (server/invites). */
interface InviteCodes {
  /** In the transaction that creates the account. */
  join(tx: Tx, params: { userId: string; code: string; atMs: number }): Promise<InviteFate>;
  /** Returns true if it is the code of a class link that still admits people. */
  admits(tx: Tx, code: string, atMs: number): Promise<boolean>;
  /** Why a code that came with an existing account is not used. */
  lateOutcome(userId: string, code: string): Promise<InviteFate>;
}

interface SignIn {
  address: string;
  type: string;
  message: string;
  signature: string;
  invite?: string | undefined;
}

interface SignInContext {
  host: string;
  ip: string;
  language: Locale;
  userAgent: string;
  /** The session that the client has so far, which the new one replaces. */
  session: Pick<Session, "userId" | "sessionId"> | null;
}

export interface SignInResult {
  token: string;
  sessionId: string;
  userId: string;
  created: boolean;
  expiresAtMs: number;
  /**
   * The fate of the invite code: none came, it was stored with the new account, or why it was not
   * used.
   */
  invite: InviteFate;
}

export interface Sessions {
  nonces: Nonces;
  mapping: Mapping;
  resolve: SessionResolver;
  /** An open stream is a use of its session. */
  recordUse: (sessionIds: readonly string[]) => void;
  signIn(request: SignIn, context: SignInContext): Promise<SignInResult>;
  /** Throws `session.required` if there is no such user. */
  user(userId: string, tx?: Tx): Promise<User>;
  /** The secret salt of the owner commitment that their accounts start from, in hex; null once erased. */
  ownerSalt(userId: string): Promise<string | null>;
  /** A person who exists and is not deleted, as the console sees them; null if there is none. */
  person(userId: string, tx?: Tx): Promise<PersonState | null>;
  /** For proving again that a session belongs to its user; throws `session.*`. */
  prove(signedMessage: SignedMessage, expected: ExpectedMessage): Promise<void>;
  /** The number of accounts created in `[fromRealMs, toRealMs)`. */
  countAccounts(fromRealMs: number, toRealMs: number): Promise<number>;
  /** The language in which the user last used the app. */
  languageOf(tx: Db | Tx, userId: string): Promise<Locale>;
  /** Stores the language in which the user last used the app, for later messages to them. */
  recordLanguage(userId: string, language: Locale): Promise<void>;
  acceptedTerms(userId: string): Promise<{ version: number; atMs: number } | null>;
  authorize(
    userId: string,
    version: number,
    language: Locale,
  ): Promise<{ version: number; atMs: number }>;
  /** Returns true if the acceptance of the current terms is in force. */
  termsAccepted(userId: string): Promise<boolean>;
  /**
   * For every call that commits practice money: throws `terms.required` or `session.suspended`. A
   * suspension acts only through this check: reading, exporting, withdrawing and signing in never
   * make it.
   */
  requireNewPositions(userId: string): Promise<void>;
  /** Newest first. */
  sessions(userId: string): Promise<OpenSession[]>;
  /** Sessions that ended within a day, latest end first. */
  endedSessions(userId: string): Promise<EndedSession[]>;
  openedAtMs: SessionStore["openedAtMs"];
  /** Ends one; throws `session.unknown`. */
  endSession(userId: string, sessionId: string): Promise<void>;
  /** Ends all of a user's sessions, or all but one; returns how many were open. */
  endSessions(userId: string, exceptSessionId?: string): Promise<number>;
  /** The same for an operator's action, in its transaction; call `notify` after the commit. */
  endSessionsIn(tx: Tx, userId: string): Promise<{ ended: number; notify: () => void }>;
  /**
   * Stops new positions as of `atMs`, and ends all sessions; null allows new positions again. False
   * if it was already so. Reading, exporting, withdrawing and signing in never check it.
   */
  setSuspended(
    tx: Tx,
    userId: string,
    atMs: number | null,
  ): Promise<{ changed: boolean; notify: () => void }>;
  setSupportUrl(tx: Tx, userId: string, url: string | null): Promise<void>;
  signUp: {
    /** In a transaction, locks the value until its end. */
    read(tx?: Tx): Promise<SignUpState>;
    write(tx: Tx, state: SignUpState): Promise<void>;
  };
  authorisations(userId: string): Promise<Authorisation[]>;
  /**
   * Revokes an authorisation; returns the ids of the sessions that ended with it. Throws
   * `terms.authorisation_unknown`.
   */
  revokeAuthorisation(userId: string, authorisationId: string): Promise<string[]>;
  termsVersion: number;
  jobs: readonly Job[];
}

/** How long a person's right to open positions is cached, in real milliseconds. */
const userCacheMs = 5_000;

/** Signing in, sessions and what users agreed to. */
export function createSessions(
  ctx: AppContext,
  deps: SessionDeps,
  terms: TermsSource = termsInForce(ctx),
  limitSignUps: (ip: string) => void = createSignUpLimit(ctx.realClock),
): Sessions {
  const {
    database: { db },
    realClock,
    fieldEncryption,
  } = ctx;
  const nonces = createNonces(ctx);
  const sessions = createSessionStore(ctx);
  const rightsCache = createTtlCache(createUserCache(db, terms.version), {
    ttlMs: userCacheMs,
    clock: realClock,
    shouldCache: (user) => user?.accepted === true && !user.suspended,
  });
  ctx.bus.subscribe("person.rights_changed", ({ userId }) => rightsCache.invalidate(userId));
  ctx.bus.subscribe("bus.reconnected", () => rightsCache.invalidate());
  const notifyEnded = (userId: string, endedIds: readonly string[]) => {
    logSessionEnd(ctx, userId, "operator", endedIds.length);
    sessions.notify(userId, endedIds);
  };
  return {
    jobs: [
      {
        name: "session.purge",
        everySeconds: 600,
        run: async () => {
          await nonces.purge();
          await sessions.purge();
        },
      },
    ] satisfies readonly Job[],
    nonces,
    mapping: createAddressMapping(db),
    resolve: sessions.resolve,
    recordUse: (sessionIds) => {
      sessions
        .recordUse(sessionIds)
        .catch((error: unknown) =>
          ctx.logger.error({ err: error }, "the use of sessions could not be recorded"),
        );
    },
    termsVersion: terms.version,
    signIn: async (request, context) => {
      const address = await requireSignedAddress(nonces, request, context.host, realClock);
      const params = { ...request, address };
      return await enter(ctx, { ...deps, sessions, limitSignUps }, params, context);
    },
    user: async (userId, tx) => {
      const user = await findUser(tx ?? db, fieldEncryption, userId);
      if (!user) throw new ApiError("session.required");
      return user;
    },
    ownerSalt: (userId) => readOwnerSalt(db, fieldEncryption, userId),
    person: (userId, tx) => readPerson(tx ?? db, userId, realClock.nowMs()),
    countAccounts: (fromRealMs, toRealMs) => countAccounts(db, fromRealMs, toRealMs),
    prove: proveSignedMessage,
    languageOf: readLanguage,
    recordLanguage: async (userId, language) => {
      await sql`
        update user_account set language = ${language}
        where user_id = ${userId} and language <> ${language}`.execute(db);
    },
    acceptedTerms: (userId) => readAcceptedTerms(db, userId),
    authorize: async (userId, version, language) => {
      if (version !== terms.version) throw new ApiError("terms.version_unknown");
      const { atMs } = await recordAuthorisation(db, fieldEncryption, {
        userId,
        version,
        text: terms.text(language),
        atMs: realClock.nowMs(),
      });
      return { version, atMs };
    },
    termsAccepted: async (userId) =>
      (await readAcceptedTerms(db, userId))?.version === terms.version,
    requireNewPositions: async (userId) => {
      const user = await rightsCache.get(userId);
      if (user?.suspended) throw new ApiError("session.suspended");
      if (!user?.accepted) throw new ApiError("terms.required");
    },
    sessions: async (userId) => (await sessions.list(userId)).open,
    endedSessions: async (userId) => (await sessions.list(userId)).ended,
    openedAtMs: (sessionRef) => sessions.openedAtMs(sessionRef),
    endSession: async (userId, sessionId) => {
      const endedIds = await sessions.end({ userId, sessionId, by: "person" });
      if (endedIds.length === 0) throw new ApiError("session.unknown");
    },
    endSessions: async (userId, exceptSessionId) => {
      const selection = { userId, by: "person" } as const;
      const endedIds = await sessions.end(
        exceptSessionId ? { ...selection, exceptSessionId } : selection,
      );
      return endedIds.length;
    },
    endSessionsIn: async (tx, userId) => {
      const endedIds = await sessions.endIn(tx, { userId, by: "operator" });
      return { ended: endedIds.length, notify: () => notifyEnded(userId, endedIds) };
    },
    setSuspended: async (tx, userId, atMs) => {
      const { rows } = await sql`
        update user_account set suspended_at_ms = ${atMs}
        where user_id = ${userId} and (suspended_at_ms is null) <> (${atMs}::bigint is null)
        returning user_id`.execute(tx);
      const hasChanged = rows.length > 0;
      const selection = { userId, by: "operator" } as const;
      const endedIds = hasChanged && atMs !== null ? await sessions.endIn(tx, selection) : [];
      const notify = () => {
        ctx.bus.publish("person.rights_changed", { userId });
        notifyEnded(userId, endedIds);
      };
      return { changed: hasChanged, notify };
    },
    setSupportUrl: async (tx, userId, url) => {
      await sql`update user_account set custom_service_url = ${url} where user_id = ${userId}`.execute(
        tx,
      );
    },
    signUp: {
      read: (tx) => readSignUp(tx ?? db, tx !== undefined),
      write: writeSignUp,
    },
    authorisations: (userId) => listAuthorisations(db, fieldEncryption, userId),
    revokeAuthorisation: async (userId, authorisationId) => {
      const revoked = await revoke(db, userId, authorisationId, realClock.nowMs());
      if (!revoked) throw new ApiError("terms.authorisation_unknown");
      ctx.bus.publish("person.rights_changed", { userId });
      if (revoked.kind === "terms") return [];
      return await sessions.end({ userId, authorisationId, by: "person" });
    },
  };
}

function termsInForce({ config, messages }: Pick<AppContext, "config" | "messages">): TermsSource {
  return {
    version: termsVersion,
    text: (language) => buildPracticeTerms(messages, language, config.operator).text,
  };
}

/** Caches users' rights to open new positions; each order asks. */
function createUserCache(db: Db, termsVersion: number) {
  interface SuspensionState {
    user_id: string;
    suspended: boolean;
    accepted: boolean;
  }
  return batchReads<string, SuspensionState>(async (userIds) => {
    const { rows } = await sql<SuspensionState>`
      select u.user_id, suspended_at_ms is not null as suspended, exists (
        select from user_authorisation a
        where a.user_id = u.user_id and kind = 'terms' and version = ${termsVersion} and revoked_at_ms is null
      ) as accepted
      from user_account u where user_id = any(${userIds}::text[])`.execute(db);
    return new Map(rows.map((row) => [row.user_id, row]));
  });
}

/**
 * The address (lower case) that this sign-in proves. The nonce is consumed by the first attempt
 * that names it, successful or not, so that several signatures cannot be tried against it.
 */
async function requireSignedAddress(
  nonces: Nonces,
  request: SignIn,
  host: string,
  realClock: RealClock,
): Promise<string> {
  if (request.type !== "erc") throw new ApiError("session.type_unknown");
  const parsedMessage = parseMessage(request.message);
  if (!parsedMessage.ok)
    throw new ApiError("session.message_malformed", { field: parsedMessage.error });
  const { message } = parsedMessage;
  const nonce = await nonces.use(message.nonce);
  const mismatch = (field: string) => new ApiError("session.message_mismatch", { field });
  if (nonce.host !== host.toLowerCase()) throw mismatch("domain");
  const address = request.address.toLowerCase();
  if (!(await nonce.isFor(address))) throw mismatch("address");
  const expected = { ...nonce, statement, address, nowMs: realClock.nowMs() };
  await proveSignedMessage(
    { message, text: request.message, signature: request.signature },
    expected,
  );
  return address;
}

function logSessionEnd(
  { securityLog }: Pick<AppContext, "securityLog">,
  userId: string,
  endedBy: SessionEndedBy,
  count: number,
): void {
  if (count > 0)
    securityLog.note({ event: "session.ended_by_another", cause: endedBy, userId, ip: null });
}

interface EnterDeps extends SessionDeps {
  sessions: ReturnType<typeof createSessionStore>;
  limitSignUps: (ip: string) => void;
}

/** Opens a session for a proven address; a new address becomes a user with a first attempt. */
async function enter(
  ctx: AppContext,
  { invites, contributions, sessions, limitSignUps }: EnterDeps,
  request: SignIn,
  context: SignInContext,
): Promise<SignInResult> {
  const { realClock, clock, fieldEncryption } = ctx;
  const { db, schema } = ctx.database;
  const nowMs = realClock.nowMs();
  const code = request.invite?.trim() ?? "";
  const { userId, created, fate } = await db.transaction().execute(async (tx) => {
    const user = await findOrCreateUser(
      tx,
      { schema, fieldEncryption },
      {
        address: request.address,
        language: context.language,
        nowMs,
        worldMs: clock.nowMs(),
        allow: async () => {
          const state = await readSignUp(tx);
          const isOfClass = state !== "closed" && (await invites.admits(tx, code, nowMs));
          // Class links have their own limit: the number of places.
          if (isOfClass) return;
          if (state !== "open") throw new ApiError("session.sign_up_closed", { state });
          limitSignUps(context.ip);
        },
      },
    );
    const joins = user.created && code !== "";
    const params = { userId: user.userId, code, atMs: nowMs };
    return { ...user, fate: joins ? await invites.join(tx, params) : null };
  });
  const user = await findUser(db, fieldEncryption, userId);
  // At every sign-in, because it is idempotent: this completes work interrupted by a crash. Later
  // attempts begin in the transaction that posts their start.
  if (user?.attemptNumber === 1) {
    const owner = { userId, attemptId: user.attemptId };
    for (const onUserCreated of contributions.onUserCreated) await onUserCreated(owner);
  }
  const replaced = context.session;
  const openedSession = await db.transaction().execute(async (tx) => {
    const before = replaced ? await sessions.endIn(tx, { ...replaced, by: "sign_in" }) : [];
    const { authorisationId } = await recordAuthorisation(tx, fieldEncryption, {
      userId,
      version: null,
      text: request.message,
      atMs: nowMs,
    });
    const client = describeClient(context.userAgent);
    return { ...(await sessions.open(tx, { userId, authorisationId, client })), before };
  });
  if (replaced) sessions.notify(replaced.userId, openedSession.before);
  sessions.notify(userId, openedSession.ended);
  logSessionEnd(ctx, userId, "limit", openedSession.ended.length);
  const invite = code === "" ? "none" : (fate ?? (await invites.lateOutcome(userId, code)));
  const { token, sessionId, expiresAtMs } = openedSession;
  return { token, sessionId, expiresAtMs, userId, created, invite };
}
