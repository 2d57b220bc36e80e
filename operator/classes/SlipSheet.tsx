import { createPortal } from "react-dom";
import { formatPrintedCode } from "#core/invites/code.ts";
import { useText } from "#i18n/useText.ts";
import { getJoinAddress } from "#operator/classes/classLink.ts";
import { QrCode } from "#ui/QrCode.tsx";

export interface Slip {
  number: number;
  /** Twelve letters. */
  code: string;
}

/**
 * Slips to cut out, ten per A4 page, black on white; hidden on screen and shown only in print
 * (`operator/app/console.css`).
 */
export function SlipSheet({ slips, label }: { slips: readonly Slip[]; label: string | null }) {
  const t = useText();
  return createPortal(
    <div className="slip-sheet">
      {slips.map(({ number, code }) => (
        <section key={number} className="slip">
          <div className="slip-text">
            <h2>{label ?? t("class-room.title")}</h2>
            <p className="slip-code" translate="no">
              {formatPrintedCode(code)}
            </p>
            <ol>
              <li>{t("classes.codes.slip.open")}</li>
              <li>{t("classes.codes.slip.read")}</li>
              <li>{t("classes.codes.slip.keep")}</li>
            </ol>
            <p translate="no">{getJoinAddress(null)}</p>
          </div>
          <div className="slip-side">
            <QrCode
              text={getJoinAddress(code)}
              label={t("classes.codes.slip.qr", { number })}
              className="w-full"
            />
            <p>{t("classes.codes.slip", { number })}</p>
            <p>{t("ui.practice.word")}</p>
          </div>
        </section>
      ))}
    </div>,
    document.body,
  );
}
