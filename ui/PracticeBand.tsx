import { useText } from "#i18n/useText.ts";

/**
 * The practice mark: the hatched band along the top edge of every page. Part of the frame: never
 * covered, never animated.
 */
export function PracticeBand() {
  const t = useText();
  return (
    <header className="frame-part fixed inset-x-0 top-0 z-60 flex h-6 items-center justify-center border-b border-ink bg-paper">
      <div className="hatch absolute inset-0 opacity-70" />
      <span className="sr-only">{t("ui.practice.long")}</span>
      <span
        aria-hidden="true"
        className="relative flex h-full items-center bg-paper px-3 text-caption font-strong tracking-band uppercase"
      >
        {t("ui.practice.word")}
      </span>
    </header>
  );
}
