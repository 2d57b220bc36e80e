import { useIntl } from "react-intl";
import type { RechargeState } from "#api/recharge.ts";
import { Step, type StepMark } from "#ui/Step.tsx";

/** Waiting, under review, over: where it stands, with world time. */
export function Timeline({ recharge }: { recharge: RechargeState }) {
  const { formatMessage } = useIntl();
  const { status, outcome } = recharge;
  const isOver = status === "over";
  const end: StepMark = isOver ? (outcome === "credited" ? "done" : "refused") : "later";
  return (
    <ol className="flex flex-col" aria-live="polite">
      <Step
        mark={status === "waiting" ? "now" : "done"}
        label={formatMessage({ id: "recharge.state.waiting" })}
        atMs={recharge.accepted_at_ms}
      />
      <Step
        mark={isOver ? "done" : status === "closing" ? "now" : "later"}
        label={formatMessage({ id: "recharge.state.closing" })}
        atMs={status === "waiting" ? null : recharge.closing_at_ms}
      />
      <Step
        mark={end}
        label={formatMessage({ id: `recharge.state.${outcome ?? "over"}` })}
        atMs={recharge.over_at_ms}
        isLast
      />
    </ol>
  );
}
