import { IconCheck, IconX } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { cx } from "#ui/cx.ts";
import { Spinner } from "#ui/Spinner.tsx";

/** How a step stands: over, being worked on, still to come, or refused. */
export type StepMark = "done" | "now" | "later" | "refused";

export interface StepProps {
  mark: StepMark;
  label: string;
  /** Null until it has come. */
  atMs: number | null;
  isLast?: boolean;
}

/** One step of a review, an item of an `ol`: its mark, its name and when it came. */
export function Step({ mark, label, atMs, isLast = false }: StepProps) {
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
