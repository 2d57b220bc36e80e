import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import type { AnswerOf } from "#api/call.ts";
import type { ApiError } from "#api/client.ts";
import type { OperatorMe } from "#api/operator/session.ts";
import { getMe } from "#api/routes/operator/session.ts";
import { type Permission, permissions } from "#core/operator/permissions.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { queryClient } from "#web/lib/api/client.ts";
import { getQueryKey, invalidate, updateCached, useApiQuery } from "#web/lib/api/useApiQuery.ts";

/**
 * How far the server's clock is ahead of this machine's, so that an elevation ends here when it
 * ends there.
 */
let aheadMs = 0;
/**
 * The server clock reading that `aheadMs` was computed from: re-rendering a cached answer carries
 * no new information.
 */
let readMs: number | null = null;

/** The server's real time, as closely as this browser can estimate it. */
export function getServerNow(): number {
  return Date.now() + aheadMs;
}

/**
 * The operator of this session. Refetched every minute: a role may change while the page is open.
 */
export function useMe(): UseQueryResult<AnswerOf<typeof getMe>, ApiError> {
  const { user } = useSession();
  const query = useApiQuery(getMe, {}, { enabled: user !== null, refetchMs: 60_000 });
  const nowMs = query.data?.operator?.now_ms;
  useEffect(() => {
    if (nowMs === undefined || nowMs === readMs) return;
    readMs = nowMs;
    aheadMs = nowMs - Date.now();
  }, [nowMs]);
  return query;
}

/** The operator of this session; null while unknown, or if the user is none. */
export function useOperator(): OperatorMe | null {
  return useMe().data?.operator ?? null;
}

/**
 * Returns true if an element that needs `permission` should be shown. The server enforces it
 * independently.
 */
export function usePermission(permission: Permission): boolean {
  return useOperator()?.permissions.includes(permission) ?? false;
}

/**
 * Returns true if an action that needs `permission` should be shown: never without a second factor,
 * because the server would refuse it.
 */
export function useMayChange(permission: Permission): boolean {
  const me = useOperator();
  return me?.factors_ready === true && me.permissions.includes(permission);
}

/** Returns true if an operator has a permission that needs elevation; auditors change nothing. */
export function mayElevate(me: OperatorMe): boolean {
  return me.permissions.some((name) => permissions[name].elevated);
}

/** When the session's elevation ends; null if it is not elevated. */
export function getElevationEndMs(): number | null {
  const me = queryClient.getQueryData<AnswerOf<typeof getMe>>(getQueryKey(getMe, {}))?.operator;
  const untilMs = me?.raised_until_ms ?? null;
  return untilMs !== null && untilMs > getServerNow() ? untilMs : null;
}

export function setElevated(untilMs: number | null): void {
  updateCached(getMe, {}, ({ operator }) => ({
    operator: operator && { ...operator, raised_until_ms: untilMs },
  }));
}

export const invalidateMe = () => invalidate(getMe);
