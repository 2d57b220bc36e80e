import { getUserInfo } from "#api/session.ts";
import type { Locale } from "#core/locales.ts";
import { checksumAddress } from "#core/session/address.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

const noAddress = `0x${"0".repeat(40)}`;

export interface UserInfoDeps {
  session: {
    user(userId: string): Promise<{
      userId: string;
      /** Lower case; null once the mapping is erased. */
      address: string | null;
      attemptId: string;
      attemptNumber: number;
      createdAtMs: number;
      customServiceUrl: string | null;
    }>;
    termsVersion: number;
    acceptedTerms(userId: string): Promise<{ version: number; atMs: number } | null>;
    recordLanguage(userId: string, language: Locale): Promise<void>;
  };
  publishing: {
    links: {
      /** Returns true if the URL is that of a currently published support link. */
      isSupportUrl(url: string): Promise<boolean>;
    };
  };
  people: {
    viewings: {
      /** Until when someone may view this person's pages with their code; null when no one does. */
      until(userId: string): Promise<number | null>;
    };
  };
}

/** The person's own online service URL; null unless it is currently published. */
export async function getSupportUrl(
  { publishing }: Pick<UserInfoDeps, "publishing">,
  { customServiceUrl: url }: { customServiceUrl: string | null },
): Promise<string | null> {
  return url !== null && (await publishing.links.isSupportUrl(url)) ? url : null;
}

/** Mounts `getUserInfo`: the signed-in person, with what other domains know about them. */
export function mountUserInfo(app: App, deps: UserInfoDeps): void {
  const { session, people } = deps;
  route(app, getUserInfo, async (_input, { session: current, language }) => {
    const [user, acceptedTerms, viewedUntil] = await Promise.all([
      session.user(current.userId),
      session.acceptedTerms(current.userId),
      people.viewings.until(current.userId),
      session.recordLanguage(current.userId, language),
    ]);
    return {
      user_id: user.userId,
      address: checksumAddress(user.address ?? noAddress),
      attempt_id: user.attemptId,
      attempt_number: user.attemptNumber,
      created_at_ms: user.createdAtMs,
      language,
      terms: {
        current_version: session.termsVersion,
        accepted_version: acceptedTerms?.version ?? null,
        accepted_at_ms: acceptedTerms?.atMs ?? null,
      },
      custom_service_url: await getSupportUrl(deps, user),
      viewed_until_ms: viewedUntil,
      session: { session_id: current.sessionId, expires_at_ms: current.expiresAtMs },
    };
  });
}
