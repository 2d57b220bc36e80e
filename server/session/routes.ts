import {
  authorize,
  createSession,
  getNonce,
  getOwnerSalt,
  listAuthorisations,
  listSessions,
  revokeAllSessions,
  revokeAuthorisation,
  revokeSession,
  signOut,
} from "#api/session.ts";
import { sessionLifeMs } from "#core/session/lifetime.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";
import { sessionCookieOptions } from "#server/platform/http/session.ts";
import { nonceLifeMs, statement } from "#server/session/nonces.ts";
import type { Sessions, SignInResult } from "#server/session/session.ts";

/** Mounts the calls of `api/session.ts`. */
export function sessionRoutes(app: App, session: Sessions): void {
  const { sessionCookie } = app.platform.ctx.config;
  route(app, getNonce, async ({ address, chain_id }, { host, protocol, ip }) => {
    const nonce = await session.nonces.issue({ address, chainId: chain_id, host, ip });
    return {
      nonce: nonce.nonce,
      domain: nonce.host,
      uri: `${protocol}://${nonce.host}`,
      statement,
      issued_at: new Date(nonce.issuedAtMs).toISOString(),
      expiration_time: new Date(nonce.issuedAtMs + nonceLifeMs).toISOString(),
      expires_at_ms: nonce.expiresAtMs,
    };
  });

  route(app, createSession, async (input, context) => {
    const result = await session.signIn(input, context);
    // Without user or network: promise 9 forbids a record of people's sign-ins.
    app.platform.ctx.securityLog.note({
      event: "sign_in.accepted",
      cause: result.created ? "new_account" : "known_account",
      userId: null,
      ip: null,
    });
    context.setCookie(sessionCookie, result.token, {
      ...sessionCookieOptions(context),
      maxAge: sessionLifeMs / 1_000,
    });
    context.message(messageOf(result));
    return {
      // A page has the cookie, which its scripts cannot read.
      ...(context.fromBrowser ? {} : { token: result.token }),
      user_id: result.userId,
      created: result.created,
      invite: result.invite,
      expires_at_ms: result.expiresAtMs,
    };
  });

  route(app, getOwnerSalt, async (_input, { session: ownSession }) => {
    const salt = await session.ownerSalt(ownSession.userId);
    if (salt === null) throw new ApiError("server.unavailable");
    return { salt };
  });

  route(app, authorize, async ({ version }, context) => {
    const { session: ownSession, language } = context;
    const accepted = await session.authorize(ownSession.userId, version, language);
    context.message("session.msg.termsAccepted");
    return { version: accepted.version, accepted_at_ms: accepted.atMs };
  });

  route(app, signOut, async (_input, context) => {
    await session.endSession(context.session.userId, context.session.sessionId);
    context.setCookie(sessionCookie, null, sessionCookieOptions(context));
    context.clearCache();
    context.message("session.msg.signedOut");
    return {};
  });

  managementRoutes(app, session);
}

/** The key of the message after a sign-in, which states the fate of an invite code. */
function messageOf({ invite, created }: Pick<SignInResult, "invite" | "created">): string {
  if (invite === "kept" || invite === "class") return "session.msg.createdInvite";
  if (invite !== "none") return `session.msg.invite_${invite}`;
  return created ? "session.msg.created" : "session.msg.signedIn";
}

/** Open sessions and authorisations, each revocable. */
function managementRoutes(app: App, session: Sessions): void {
  const { sessionCookie } = app.platform.ctx.config;
  route(app, listSessions, async (_input, { session: ownSession }) => {
    const [open, endedSessions] = await Promise.all([
      session.sessions(ownSession.userId),
      session.endedSessions(ownSession.userId),
    ]);
    return {
      ended: endedSessions.map((endedSession) => ({
        session_id: endedSession.sessionId,
        created_at_ms: endedSession.createdAtMs,
        ended_at_ms: endedSession.endedAtMs,
        why: endedSession.why,
        client: endedSession.client,
      })),
      items: open.map((openSession) => ({
        session_id: openSession.sessionId,
        current: openSession.sessionId === ownSession.sessionId,
        created_at_ms: openSession.createdAtMs,
        last_seen_at_ms: openSession.lastSeenAtMs,
        expires_at_ms: openSession.expiresAtMs,
        client: openSession.client,
      })),
    };
  });

  route(app, revokeSession, async ({ session_id }, context) => {
    await session.endSession(context.session.userId, session_id);
    if (session_id === context.session.sessionId) {
      context.setCookie(sessionCookie, null, sessionCookieOptions(context));
    }
    context.message("session.msg.sessionEnded");
    return {};
  });

  route(app, revokeAllSessions, async ({ which }, context) => {
    const { userId, sessionId } = context.session;
    const count = await session.endSessions(userId, which === "others" ? sessionId : undefined);
    if (which === "all") context.setCookie(sessionCookie, null, sessionCookieOptions(context));
    context.message("session.msg.sessionsEnded", { count: count });
    return { ended: count };
  });

  route(app, listAuthorisations, async (_input, { session: ownSession }) => {
    const authorisations = await session.authorisations(ownSession.userId);
    return {
      items: authorisations.map((authorisation) => ({
        authorisation_id: authorisation.authorisationId,
        kind: authorisation.kind,
        version: authorisation.version,
        text_hash: authorisation.textHash,
        text: authorisation.text,
        at_ms: authorisation.atMs,
        revoked_at_ms: authorisation.revokedAtMs,
      })),
    };
  });

  route(app, revokeAuthorisation, async ({ authorisation_id }, context) => {
    const endedIds = await session.revokeAuthorisation(context.session.userId, authorisation_id);
    if (endedIds.includes(context.session.sessionId)) {
      context.setCookie(sessionCookie, null, sessionCookieOptions(context));
    }
    context.message("session.msg.revoked");
    return {};
  });
}
