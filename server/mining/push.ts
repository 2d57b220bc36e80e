import type { Lease } from "#api/mining.ts";
import type { MiningDeps } from "#server/mining/types.ts";
import type { AppContext } from "#server/platform/context.ts";

/**
 * Changes are collected for this long, in real milliseconds, so that one read serves all of a
 * minute's payouts.
 */
const debounceMs = 50;
/**
 * When more of one person's leases change than this, they are not sent one by one: the page reloads
 * its list with the balances.
 */
const leasesMax = 100;

/** Sends each changed lease to its owner's sockets, if any. */
export function pushLeases(
  { bus, logger }: Pick<AppContext, "bus" | "logger">,
  hub: NonNullable<MiningDeps["hub"]>,
  readLeases: (ids: readonly string[]) => Promise<Lease[]>,
): void {
  let pending = new Map<string, string>();
  let isCollecting = false;
  const send = async () => {
    isCollecting = false;
    const owners = pending;
    pending = new Map();
    for (const lease of await readLeases([...owners.keys()])) {
      hub.toUser(owners.get(lease.lease_id)!, { topic: "lease", lease });
    }
  };
  bus.subscribe("lease.changed", ({ userId, leaseIds }) => {
    if (!hub.hasUser(userId)) return;
    for (const id of leaseIds.slice(0, leasesMax)) pending.set(id, userId);
    if (isCollecting) return;
    isCollecting = true;
    setTimeout(() => {
      send().catch((error: unknown) => logger.error({ err: error }, "pushing leases failed"));
    }, debounceMs);
  });
}
