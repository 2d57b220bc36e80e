import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";

/** Says that code did not load and offers a reload. The screen below stays as it is, with everything typed into it. */
export function NotLoaded({ onClose }: { onClose: () => void }) {
  const t = useText();
  return (
    <div role="alert" className="fixed inset-x-0 bottom-0 z-40 border-t border-line bg-paper p-4">
      <p className="font-strong">{t("app.chunk.title")}</p>
      <p className="mt-1 text-small text-ink-soft">{t("app.chunk.text")}</p>
      <div className="mt-3 flex gap-2">
        <Button size="small" onClick={() => window.location.reload()}>
          {t("app.reload")}
        </Button>
        <Button size="small" variant="quiet" onClick={() => onClose()}>
          {t("ui.close")}
        </Button>
      </div>
    </div>
  );
}
