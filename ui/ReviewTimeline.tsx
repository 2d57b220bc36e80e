import { IconCheck, IconX } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { cx } from "#ui/cx.ts";
import { Spinner } from "#ui/Spinner.tsx";

export interface ReviewTimelineProps {
  status: "waiting" | "closing" | "over";
  /** True if the outcome was positive; read only once the review is over. */
  passed: boolean;
  /** Names of the three steps; the last depends on the outcome. */
  labels: Record<"waiting" | "closing" | "over", string>;
  /** World time in milliseconds at which each step was reached; null until then. */
  sentAtMs: number;
  closingAtMs: number | null;
  overAtMs: number | null;
}

/** Progress through a review (waiting, under review, over), with world times. */
export function ReviewTimeline(props: ReviewTimelineProps) {
  const { status, passed, labels, sentAtMs, closingAtMs, overAtMs } = props;
  const isOver = status === "over";
  return (
    <ol className="flex flex-col" aria-live="polite">
      <Step mark={status === "waiting" ? "now" : "done"} label={labels.waiting} atMs={sentAtMs} />
      <Step
        mark={isOver ? "done" : status === "closing" ? "now" : "later"}
        label={labels.closing}
        atMs={status === "waiting" ? null : closingAtMs}
      />
      <Step
        mark={isOver ? (passed ? "done" : "refused") : "later"}
        label={labels.over}
        atMs={overAtMs}
        isLast
      />
    </ol>
  );
}

interface StepProps {
  /** Finished, in progress, still to come, or refused. */
  mark: "done" | "now" | "later" | "refused";
  label: string;
  atMs: number | null;
  isLast?: boolean;
}

/** One step: its mark, its name and when it was reached. */
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
