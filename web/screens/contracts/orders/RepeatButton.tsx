import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";

/**
 * Fills the ticket with the same order again. Its label shows where its container is at least 400
 * px wide; below that one word stands for it, which has to be part of the accessible name (WCAG
 * 2.5.3).
 */
export function RepeatButton({ onClick }: { onClick: () => void }) {
  const t = useText();
  const text = t("contracts.order.repeat");
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={text}
      title={text}
      className="shrink-0"
      onClick={onClick}
    >
      <span className="@min-[25rem]:hidden">{t("contracts.order.again")}</span>
      <span className="hidden @min-[25rem]:inline">{text}</span>
    </Button>
  );
}
