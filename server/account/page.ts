import type { AnswerOf } from "#api/call.ts";
import type { getPersonAccount } from "#api/operator/people.ts";
import type { Locale } from "#core/locales.ts";
import { getSupportUrl, type UserInfoDeps } from "#server/account/userInfo.ts";
import { parseLanguage } from "#server/platform/http/language.ts";

type Page = AnswerOf<typeof getPersonAccount>;

export interface AccountPageDeps extends Pick<UserInfoDeps, "publishing"> {
  session: {
    user(userId: string): Promise<{ language: string; customServiceUrl: string | null }>;
    termsAccepted(userId: string): Promise<boolean>;
    sessions(userId: string): Promise<
      readonly {
        createdAtMs: number;
        lastSeenAtMs: number;
        expiresAtMs: number;
        client: string;
      }[]
    >;
  };
  identity: { info(userId: string, language: Locale): Promise<Page["identity"]> };
}

/** A person's account as shown to an operator to whom they gave a code. */
export async function readAccountPage(deps: AccountPageDeps, userId: string): Promise<Page> {
  const { session, identity } = deps;
  const user = await session.user(userId);
  const [acceptedTerms, open, supportUrl, info] = await Promise.all([
    session.termsAccepted(userId),
    session.sessions(userId),
    getSupportUrl(deps, user),
    identity.info(userId, parseLanguage(user.language)),
  ]);
  return {
    language: user.language,
    terms_accepted: acceptedTerms,
    identity: { status: info.status, outcome: info.outcome },
    sessions: open.map((item) => ({
      created_at_ms: item.createdAtMs,
      last_seen_at_ms: item.lastSeenAtMs,
      expires_at_ms: item.expiresAtMs,
      client: item.client,
    })),
    support_url: supportUrl,
  };
}
