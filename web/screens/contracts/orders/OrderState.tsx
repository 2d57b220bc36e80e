import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { getWorldNowMs } from "#web/lib/worldClock.ts";
import type { Phase } from "./phase.ts";

/**
 * An order's phase in one or two words and a countdown; `short` shows only the countdown of one that
 * runs, for a row that has no space for both.
 */
export function OrderState({
  order,
  phase,
  short = false,
}: {
  order: Order;
  phase: Phase;
  short?: boolean;
}) {
  const t = useText();
  switch (phase.name) {
    case "entering":
    case "settling":
      return <span className="text-small text-ink-soft">{t(`contracts.order.${phase.name}`)}</span>;
    case "running":
      return (
        <span className="text-small text-ink-soft">
          <span className={short ? "sr-only" : undefined}>
            {t("contracts.order.running", { seconds: order.window_seconds })}{" "}
          </span>
          <Countdown
            untilMs={getWorldNowMs() + phase.toWindowMs}
            now={getWorldNowMs}
            className="font-strong text-ink"
          />
        </span>
      );
    case "collecting":
      return (
        <span className="text-small text-ink-soft">
          {t("contracts.order.collecting", { closed: phase.closed, of: phase.of })}
        </span>
      );
    case "over":
      return <Badge>{t(`contracts.order.${order.outcome ?? "settling"}`)}</Badge>;
  }
}
