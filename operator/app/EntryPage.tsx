import { type ReactNode, useEffect } from "react";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";

/** A page before the console: one column, one action, and a link back to the app. */
export function EntryPage({ title, children }: { title: string; children: ReactNode }) {
  const t = useText();
  useEffect(() => {
    document.title = t("ui.page.title", { title });
  }, [title, t]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-120 flex-col justify-center gap-4 px-4 pt-10 pb-10">
      <h1 className="text-title font-strong tracking-tight">{title}</h1>
      {children}
      <a href="/home" className={buttonClass({ variant: "quiet", size: "small" })}>
        {t("console.nav.app")}
      </a>
    </main>
  );
}
