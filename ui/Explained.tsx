import { type ReactNode, useId } from "react";
import { useText } from "#i18n/useText.ts";

export interface ExplainedProps {
  /** The word's meaning, in a sentence or two. */
  text: ReactNode;
  /** The word. */
  children: ReactNode;
}

/**
 * A word that is explained when pressed. The browser's own popover: it closes on Esc and on a press
 * elsewhere, and gives the focus back.
 */
export function Explained({ text, children }: ExplainedProps) {
  const id = useId();
  const t = useText();
  return (
    <>
      <button
        type="button"
        popoverTarget={id}
        className="-my-2 inline py-2 text-left underline decoration-line-strong decoration-dotted underline-offset-4 hover:decoration-solid"
      >
        {children}
        <span className="sr-only">, {t("ui.explained")}</span>
      </button>
      <span
        id={id}
        popover="auto"
        className="fixed inset-x-4 top-auto bottom-[calc(16px+var(--foot))] m-0 mx-auto w-auto max-w-96 rounded-dock border border-line-strong bg-leaf p-4 text-left text-body font-normal text-ink backdrop:bg-transparent"
      >
        <span className="mb-1 block font-strong">{children}</span>
        {text}
      </span>
    </>
  );
}
