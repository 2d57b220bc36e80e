import { ApiError } from "#api/client.ts";
import type { Config } from "#api/meta.ts";
import { getConfig } from "#api/routes/meta.ts";
import { getUserInfo, signOut } from "#api/routes/session.ts";
import type { UserInfo } from "#api/session.ts";
import { client, queryClient } from "#web/lib/api/client.ts";
import { queryKey } from "#web/lib/api/useApiQuery.ts";
import { browserStorage } from "#web/lib/storage.ts";
import { restartStream } from "#web/lib/stream.ts";

/** The signed-in user in the query cache; null when nobody is. */
export const sessionKey = ["session"] as const;

/**
 * The user_id of who was signed in when this browser last knew; null when nobody was. For keeping
 * room, and for nothing else.
 */
export function lastUserId(): string | null {
  return browserStorage.read("last_user") || null;
}

function cachedUser(user: UserInfo | null): UserInfo | null {
  const id = user?.user_id ?? "";
  if ((lastUserId() ?? "") !== id) browserStorage.write("last_user", id || null);
  return user;
}

/** Asks who the cookie belongs to. Nobody is an answer, not a failure. */
async function readSession(signal?: AbortSignal): Promise<UserInfo | null> {
  try {
    return cachedUser((await client.call(getUserInfo, {}, signal ? { signal } : {})).data);
  } catch (failure) {
    if (failure instanceof ApiError && failure.error === "session.required")
      return cachedUser(null);
    throw failure;
  }
}

let asked = false;

/**
 * The session's first reading: the configuration has said already whether there is one, so nobody
 * is asked in vain. Later readings ask, for another tab may have signed in.
 */
export async function followSession(signal?: AbortSignal): Promise<UserInfo | null> {
  const config = queryClient.getQueryData<Config>(queryKey(getConfig, {}));
  const first = !asked;
  asked = true;
  return first && config?.signed_in === false ? cachedUser(null) : await readSession(signal);
}

export function currentUser(): UserInfo | null {
  return queryClient.getQueryData<UserInfo | null>(sessionKey) ?? null;
}

/**
 * After a sign-in or an acceptance: the user, the stream and every answer that depended on them.
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

/** Forgets the user and whatever was remote. The wallet and its backup stay in this browser. */
export function leaveSession(): void {
  queryClient.setQueryData(sessionKey, cachedUser(null));
  restartStream();
  void queryClient.resetQueries({ predicate: ({ queryKey }) => isPersonal(String(queryKey[0])) });
}

/** Public answers need not be asked again. */
function isPersonal(path: string): boolean {
  return !["session", "/api/index/", "/api/contract/getKlineData"].some((start) =>
    path.startsWith(start),
  );
}

/** Ends the session on the server, then here. Resolves with the server's message. */
export async function endSession(): Promise<string> {
  try {
    return (await client.call(signOut, {})).msg;
  } catch (failure) {
    if (failure instanceof ApiError && failure.error === "session.required") return "";
    throw failure;
  } finally {
    if (navigator.onLine) leaveSession();
  }
}
