import { useText } from "#i18n/useText.ts";
import { getClassLink } from "#operator/classes/classLink.ts";
import { QrCode } from "#ui/QrCode.tsx";
import { isLoopback } from "#web/lib/isLoopback.ts";

/** A class link to scan from a projector or to copy, and whether other devices can open it. */
export function LinkTicket({ code }: { code: string }) {
  const t = useText();
  const link = getClassLink(code);
  return (
    <div className="flex flex-col gap-3">
      <QrCode text={link} label={t("classes.link.qr")} className="w-full" />
      <p className="rounded-dock bg-well p-4 font-mono text-small break-all select-all">{link}</p>
      {isLoopback(window.location.hostname) ? (
        <p className="text-small text-warning">{t("classes.link.loopback")}</p>
      ) : null}
      <p className="text-small text-ink-soft">{t("classes.link.give")}</p>
    </div>
  );
}
