import { IconX } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import type { Order } from "#api/contracts.ts";
import { getLuck, getOrderList } from "#api/routes/contracts.ts";
import { getConfig } from "#api/routes/meta.ts";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { useStore } from "#ui/createStore.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Arrow } from "#ui/figures/Change.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { notify } from "#ui/overlay/toast.ts";
import { Link, useLocation } from "#ui/router.tsx";
import LuckText from "#web/features/money/LuckText.tsx";
import { runningOrders, updateRunningOrder } from "#web/features/money/runningOrders.ts";
import { sumSettled } from "#web/features/money/sumSettled.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { client } from "#web/lib/api/client.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { onStreamGap, useStreamEvent } from "#web/lib/stream.ts";

/** How long a result stays unless it is closed, in real milliseconds. */
const shownMs = 30_000;
/** Beyond this scroll position, in pixels, the result is out of sight. */
const outOfSightPx = 80;

/**
 * Announces on any screen that an order is over: with its result, what luck does, and the receipt.
 * It is in the page above everything else, so that it covers nothing; once it is scrolled out of
 * sight, a line at the top that takes no presses says the same. Contract screens show it
 * themselves.
 */
export default function SettledHost() {
  const t = useText();
  const { user } = useSession();
  const { pathname } = useLocation();
  const [endedOrders, setEndedOrders] = useState<readonly Order[]>([]);
  const owner = user?.user_id ?? null;
  const shows = !pathname.startsWith("/business");
  useRunning(owner);
  useStreamEvent("order", ({ order }) => {
    const wasRunning = updateRunningOrder(order);
    if (order.status !== "over") return;
    void invalidate(getOrderList);
    void invalidate(getLuck);
    void invalidate(getConfig);
    if (!wasRunning || !shows) return;
    setEndedOrders((before) => [order, ...before]);
    if (window.scrollY > outOfSightPx)
      notify(t("results.notice", toValues(order)), order.net ?? "");
  });
  const last = endedOrders[0]?.order_id;
  useEffect(() => {
    if (last === undefined) return;
    const timer = setTimeout(() => setEndedOrders([]), shownMs);
    return () => clearTimeout(timer);
  }, [last]);
  return (
    <output className="block">
      {endedOrders[0] && shows && owner ? (
        <SettledNotice orders={endedOrders} onClose={() => setEndedOrders([])} />
      ) : null}
    </output>
  );
}

const toValues = ({ symbol, outcome }: Order) => ({ symbol, outcome: outcome ?? "void" });

/** Reads the open orders once, keeps them current, and names their number in the page's title. */
function useRunning(owner: string | null): void {
  const t = useText();
  const { size } = useStore(runningOrders);
  const readRunning = useEffectEvent(async () => {
    if (owner === null) return;
    const open = await Promise.all(
      (["waiting", "closing"] as const).map((status) =>
        client.call(getOrderList, { status, page: 1, page_size: 50 }),
      ),
    );
    const items = open.flatMap(({ data }) => data.items);
    runningOrders.set(new Map(items.map((order) => [order.order_id, order])));
  });
  useEffect(() => {
    runningOrders.set(new Map());
    const reload = () => void readRunning().catch(() => undefined);
    if (owner !== null) reload();
    return onStreamGap(reload);
  }, [owner]);
  const note = size === 0 ? "" : `${t("results.running", { count: size })} · `;
  useEffect(() => (note === "" ? undefined : pinTitle(note)), [note]);
}

/**
 * Prefixes the document's title, whichever screen sets it, until the returned function is called.
 */
function pinTitle(note: string): () => void {
  const prefixTitle = () => {
    if (!document.title.startsWith(note)) document.title = note + document.title;
  };
  const observer = new MutationObserver(prefixTitle);
  observer.observe(document.head, { childList: true, subtree: true, characterData: true });
  prefixTitle();
  return () => {
    observer.disconnect();
    document.title = document.title.replace(note, "");
  };
}

function SettledNotice({ orders, onClose }: { orders: readonly Order[]; onClose: () => void }) {
  const t = useText();
  const first = orders[0] as Order;
  const { net, won, lost, other } = sumSettled(orders);
  return (
    <section className="mx-auto max-w-120 px-4 pt-2">
      <div className="rounded-dock border border-line-strong bg-leaf py-3 pr-2 pl-4">
        <div className="flex items-center gap-3">
          <p className="min-w-0 flex-1">
            <span className="block text-small text-ink-soft">
              {orders.length === 1
                ? t("results.notice", toValues(first))
                : t("results.notice.several", { count: orders.length, won, lost, other })}
            </span>
            <span className="inline-flex items-center gap-1.5 text-title font-strong">
              <Arrow direction={net > 0n ? 1 : net < 0n ? -1 : 0} />
              <Amount value={net} coin={first.coin} signed toned />
            </span>
          </p>
          <Link
            to={
              orders.length === 1
                ? `/verify?order_id=${first.order_id}`
                : "/business/orders?status=over"
            }
            className={buttonClass({ variant: "outline", size: "small" })}
            onClick={onClose}
          >
            {t(orders.length === 1 ? "results.notice.receipt" : "results.notice.orders")}
          </Link>
          <IconButton label={t("results.notice.close")} onClick={onClose}>
            <IconX size={18} aria-hidden="true" />
          </IconButton>
        </div>
        <LuckText className="mt-2 pr-2" short />
      </div>
    </section>
  );
}
