import { useIntl } from "react-intl";
import type { Order } from "#api/contracts.ts";
import { Badge } from "#ui/Badge.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { worldNowMs } from "#web/lib/worldClock.ts";
import type { Phase } from "./phase.ts";

/** Where an order stands, in a word or two and a countdown. */
export function OrderState({ order, phase }: { order: Order; phase: Phase }) {
  const { formatMessage } = useIntl();
  switch (phase.name) {
    case "entering":
    case "settling":
      return (
        <span className="text-small text-ink-soft">
          {formatMessage({ id: `contracts.order.${phase.name}` })}
        </span>
      );
    case "running":
      return (
        <span className="text-small text-ink-soft">
          {formatMessage({ id: "contracts.order.running" })}{" "}
          <Countdown
            untilMs={worldNowMs() + phase.toWindowMs}
            now={worldNowMs}
            className="font-strong text-ink"
          />
        </span>
      );
    case "collecting":
      return (
        <span className="text-small text-ink-soft">
          {formatMessage(
            { id: "contracts.order.collecting" },
            { closed: phase.closed, of: phase.of },
          )}
        </span>
      );
    case "over":
      return (
        <Badge>{formatMessage({ id: `contracts.order.${order.outcome ?? "settling"}` })}</Badge>
      );
  }
}
