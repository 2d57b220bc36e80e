import { useIntl } from "react-intl";
import type { Verification } from "#api/identity.ts";
import { useText } from "#i18n/useText.ts";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** The purged data, the time, and the digest of the stored picture. */
export function PurgeReceipt({ receipt }: { receipt: NonNullable<Verification["receipt"]> }) {
  const { formatDate, formatNumber } = useIntl();
  const t = useText();
  return (
    <Section title={t("identity.receipt")} note={t("identity.receiptAbout")}>
      <Row
        label={t("identity.receiptWhen")}
        value={formatDate(receipt.purged_at_ms, { dateStyle: "medium", timeStyle: "medium" })}
      />
      <Row
        label={t("identity.receiptSize")}
        value={t("identity.bytes", { bytes: formatNumber(receipt.image_bytes) })}
      />
      <Row
        label={t("identity.receiptHash")}
        value={<Hash value={receipt.image_sha256} label={t("identity.receiptHash")} />}
      />
    </Section>
  );
}
