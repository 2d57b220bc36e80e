import type { Order } from "#api/contracts.ts";
import type { ContractsDeps } from "#server/contracts/types.ts";
import type { AppContext } from "#server/platform/context.ts";

/**
 * Changes are collected for this long, in real milliseconds, so that one read serves a whole
 * second.
 */
const debounceMs = 50;

/** Sends each changed order to its owner's sockets, if any. */
export function pushOrders(
  { bus, logger }: AppContext,
  hub: NonNullable<ContractsDeps["hub"]>,
  readOrders: (ids: readonly string[]) => Promise<Order[]>,
): void {
  let pending = new Map<string, string>();
  let isCollecting = false;
  const send = async () => {
    isCollecting = false;
    const owners = pending;
    pending = new Map();
    for (const order of await readOrders([...owners.keys()])) {
      hub.toUser(owners.get(order.order_id)!, { topic: "order", order });
    }
  };
  bus.subscribe("order.changed", ({ userId, orderIds }) => {
    if (!hub.hasUser(userId)) return;
    for (const id of orderIds) pending.set(id, userId);
    if (isCollecting) return;
    isCollecting = true;
    setTimeout(() => {
      send().catch((error: unknown) => logger.error({ err: error }, "pushing orders failed"));
    }, debounceMs);
  });
}
