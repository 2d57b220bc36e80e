import { useText } from "#i18n/useText.ts";
import { useStore } from "#ui/createStore.ts";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { Link } from "#ui/router.tsx";
import { runningOrders } from "#web/features/money/runningOrders.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";

/** Open orders with the time until the next one is over; renders nothing while there is none. */
export default function RunningChip() {
  const t = useText();
  const orders = useStore(runningOrders);
  if (orders.size === 0) return null;
  const ends = [...orders.values()].flatMap(({ delivery_at_ms: atMs }) => (atMs ? [atMs] : []));
  return (
    <Link
      to="/business/orders"
      className="inline-flex min-h-11 items-center gap-2 rounded-full border border-line-strong px-3.5 text-small text-signal-ink transition-colors hover:bg-leaf"
    >
      {t("results.running", { count: orders.size })}
      {ends.length > 0 ? (
        <Countdown
          untilMs={Math.min(...ends)}
          now={getWorldNowMs}
          className="font-strong text-ink"
        />
      ) : null}
    </Link>
  );
}
