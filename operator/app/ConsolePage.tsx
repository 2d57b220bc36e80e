import { type ReactNode, useEffect } from "react";
import { useText } from "#i18n/useText.ts";

export interface ConsolePageProps {
  /** The heading, and the document's title followed by the practice mark. */
  title: string;
  /** Below the heading: the page's purpose. */
  lead?: ReactNode;
  /** At the end of the heading line. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the console: up to 1 280 px wide. The heading takes focus on navigation. */
export function ConsolePage({ title, lead, actions, children }: ConsolePageProps) {
  const t = useText();
  useEffect(() => {
    document.title = t("ui.page.title", { title });
  }, [title, t]);
  return (
    <div className="mx-auto w-full max-w-320">
      <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3">
        <h1
          tabIndex={-1}
          data-page-heading=""
          className="min-w-0 text-title font-strong tracking-tight"
        >
          {title}
        </h1>
        {actions}
      </header>
      {lead ? <p className="max-w-160 px-4 pt-1.5 text-small text-ink-soft">{lead}</p> : null}
      {children}
    </div>
  );
}
