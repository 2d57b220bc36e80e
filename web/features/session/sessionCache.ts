import { ApiError } from "#api/client.ts";
import type { Config } from "#api/meta.ts";
import { getConfig } from "#api/routes/meta.ts";
import { getUserInfo, signOut } from "#api/routes/session.ts";
import type { UserInfo } from "#api/session.ts";
import { client, queryClient } from "#web/lib/api/client.ts";
import { getQueryKey } from "#web/lib/api/useApiQuery.ts";
import { browserStorage } from "#web/lib/storage.ts";
import { restartStream } from "#web/lib/stream.ts";

/** The signed-in user in the query cache; null when signed out. */
export const sessionKey = ["session"] as const;

/**
 * Returns the user_id that was last signed in on this browser; null if none was. Used only to
 * reserve layout space.
 */
export function readLastUserId(): string | null {
  return browserStorage.read("last_user") || null;
}

function cachedUser(user: UserInfo | null): UserInfo | null {
  const id = user?.user_id ?? "";
  if ((readLastUserId() ?? "") !== id) browserStorage.write("last_user", id || null);
  return user;
}

/** Fetches the user of the cookie. Being signed out is an answer, not an error. */
async function readSession(signal?: AbortSignal): Promise<UserInfo | null> {
  try {
    return cachedUser((await client.call(getUserInfo, {}, signal ? { signal } : {})).data);
  } catch (error) {
    if (error instanceof ApiError && error.error === "session.required") return cachedUser(null);
    throw error;
  }
}

let hasReadSession = false;

/**
 * The first read uses the configuration, which already says whether there is a session, and so
 * avoids a pointless call. Later reads always ask, as another tab may have signed in.
 */
export async function followSession(signal?: AbortSignal): Promise<UserInfo | null> {
  const config = queryClient.getQueryData<Config>(getQueryKey(getConfig, {}));
  const first = !hasReadSession;
  hasReadSession = true;
  return first && config?.signed_in === false ? cachedUser(null) : await readSession(signal);
}

export function getCurrentUser(): UserInfo | null {
  return queryClient.getQueryData<UserInfo | null>(sessionKey) ?? null;
}

/**
 * Called after a sign-in or an acceptance of the terms: refreshes the user, the stream and every
 * answer that depended on them.
 */
export async function enterSession(): Promise<UserInfo | null> {
  const user = await readSession();
  queryClient.setQueryData(sessionKey, user);
  restartStream();
  void queryClient.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0],
  });
  return user;
}

/**
 * Removes the user and every personal answer from the cache. The wallet and its backup stay in this
 * browser.
 */
export function leaveSession(): void {
  queryClient.setQueryData(sessionKey, cachedUser(null));
  restartStream();
  void queryClient.resetQueries({ predicate: ({ queryKey }) => isPersonal(String(queryKey[0])) });
}

/** Public answers stay valid. */
function isPersonal(path: string): boolean {
  return !["session", "/api/index/", "/api/contract/getKlineData"].some((start) =>
    path.startsWith(start),
  );
}

/** Ends the session on the server, then here. Resolves with the server's message. */
export async function endSession(): Promise<string> {
  try {
    return (await client.call(signOut, {})).msg;
  } catch (error) {
    if (error instanceof ApiError && error.error === "session.required") return "";
    throw error;
  } finally {
    if (navigator.onLine) leaveSession();
  }
}
