import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";

export interface ErrorNoteProps {
  /** One plain sentence, ending with what to do next. */
  children: ReactNode;
  /** Shows a "Try again" button. */
  onRetry?: (() => void) | undefined;
  busy?: boolean | undefined;
}

/** An error in one sentence, with an optional retry. */
export function ErrorNote({ children, onRetry, busy }: ErrorNoteProps) {
  const t = useText();
  return (
    <div
      role="alert"
      className="flex items-start gap-3 rounded-dock border border-line bg-leaf px-4 py-3"
    >
      <IconAlertTriangle size={20} className="mt-0.5 shrink-0 text-flare" aria-hidden="true" />
      <div className="flex min-w-0 flex-1 flex-col items-start gap-2 text-small">
        <div>{children}</div>
        {onRetry ? (
          <Button variant="outline" size="small" busy={busy} onClick={onRetry}>
            {t("ui.retry")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
