import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { parseTarget } from "#web/features/leave-site/parseTarget.ts";

export interface LeaveSheetProps {
  /**
   * The target; null closes the sheet. The sheet opens only `https:` and `http:` addresses and
   * `tel:` numbers.
   */
  url: string | null;
  onClose: () => void;
}

/** The body of a `LeaveSheet`, loaded when the first one opens. */
export default function LeaveSheetBody({ url, onClose }: LeaveSheetProps) {
  const t = useText();
  // Kept while the sheet slides away, so that its text does not change during the animation.
  const [lastUrl, setLastUrl] = useState(url);
  if (url !== null && url !== lastUrl) setLastUrl(url);
  const target = parseTarget(lastUrl ?? "");
  const stay = (
    <Button variant="outline" block onClick={onClose}>
      {t("leave-site.stay")}
    </Button>
  );
  if (!target) {
    return (
      <Sheet
        open={url !== null}
        onOpenChange={(open) => open || onClose()}
        title={t("leave-site.broken")}
        description={t("leave-site.broken.text")}
        actions={stay}
      />
    );
  }
  const isPhone = target.kind === "phone";
  return (
    <Sheet
      open={url !== null}
      onOpenChange={(open) => open || onClose()}
      title={t(isPhone ? "leave-site.call" : "leave-site.title")}
      description={t(isPhone ? "leave-site.call.text" : "leave-site.text")}
      actions={
        <>
          <a
            href={target.href}
            {...(isPhone ? {} : { target: "_blank", rel: "noopener noreferrer" })}
            className={buttonClass({ block: true })}
            onClick={onClose}
          >
            <span className="min-w-0 break-all">
              {t(isPhone ? "leave-site.dial" : "leave-site.open", { where: target.name })}
            </span>
          </a>
          {stay}
        </>
      }
    >
      <p className="rounded-dock border border-line bg-leaf p-3.5 font-strong break-all">
        {target.name}
      </p>
      {isPhone ? null : <p className="mt-2 text-small break-all text-ink-faint">{target.href}</p>}
      {target.kind === "plain" ? (
        <p className="mt-3 text-small text-warning">{t("leave-site.plain")}</p>
      ) : null}
    </Sheet>
  );
}
