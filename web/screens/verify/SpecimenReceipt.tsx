import { useText } from "#i18n/useText.ts";
import { createReceiptLayout } from "#web/features/receipt/createReceiptLayout.tsx";
import Receipt, { type ReceiptFrame } from "#web/features/receipt/Receipt.tsx";
import specimen from "#web/screens/verify/specimen.json" with { type: "json" };

/**
 * `/verify?specimen=1`: an evidence file of the published test vectors, checked like any other. It
 * says whose it is, since this browser does not know the key that signed it.
 */
export default function SpecimenReceipt() {
  const t = useText();
  const page = createReceiptLayout(t("verify.specimen"), "/verify");
  const frame: ReceiptFrame = (body, steps, after) =>
    page(
      <>
        <p className="px-4 pt-1 text-small text-ink-soft">{t("verify.specimen.note")}</p>
        {body}
      </>,
      steps,
      after,
    );
  return <Receipt receipt={specimen} frame={frame} />;
}
