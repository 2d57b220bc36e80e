import { IconCheck, IconX } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import type { RechargeState } from "#api/recharge.ts";
import { cx } from "#ui/cx.ts";
import { Spinner } from "#ui/Spinner.tsx";

type Mark = "done" | "now" | "later" | "refused";

/** Waiting, under review, over: where it stands, with world time. */
export function Timeline({ recharge }: { recharge: RechargeState }) {
  const { formatMessage } = useIntl();
  const { status, outcome } = recharge;
  const isOver = status === "over";
  const end: Mark = isOver ? (outcome === "credited" ? "done" : "refused") : "later";
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

interface StepProps {
  mark: Mark;
  label: string;
  atMs: number | null;
  isLast?: boolean;
}

function Step({ mark, label, atMs, isLast = false }: StepProps) {
  const { formatTime } = useIntl();
  return (
    <li
      aria-current={mark === "now" ? "step" : undefined}
      className={cx("relative flex gap-3", isLast ? "" : "pb-4")}
    >
      {isLast ? null : (
        <span
          className="absolute top-6 bottom-0 left-[11px] w-px bg-line-strong"
          aria-hidden="true"
        />
      )}
      <span
        aria-hidden="true"
        className={cx(
          "grid size-6 shrink-0 place-items-center rounded-[12px] border",
          mark === "later" ? "border-line-strong" : "border-ink",
          mark === "done" && "bg-ink text-paper",
          mark === "refused" && "border-flare text-flare",
        )}
      >
        {mark === "done" ? <IconCheck size={14} /> : null}
        {mark === "refused" ? <IconX size={14} /> : null}
        {mark === "now" ? <Spinner /> : null}
      </span>
      <span
        className={cx(
          "flex-1",
          mark === "later" && "text-ink-faint",
          mark === "now" && "font-strong",
        )}
      >
        {label}
      </span>
      {atMs === null ? null : (
        <span className="text-small text-ink-faint">
          {formatTime(atMs, { timeStyle: "medium" })}
        </span>
      )}
    </li>
  );
}
