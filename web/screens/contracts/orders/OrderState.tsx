import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { getWorldNowMs } from "#web/lib/worldClock.ts";
import type { Phase } from "./phase.ts";

/** An order's phase in one or two words and a countdown. */
export function OrderState({ order, phase }: { order: Order; phase: Phase }) {
  const t = useText();
  switch (phase.name) {
    case "entering":
    case "settling":
      return <span className="text-small text-ink-soft">{t(`contracts.order.${phase.name}`)}</span>;
    case "running":
      return (
        <span className="text-small text-ink-soft">
          {t("contracts.order.running", { seconds: order.window_seconds })}{" "}
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
