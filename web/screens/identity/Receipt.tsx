import { useIntl } from "react-intl";
import type { Verification } from "#api/identity.ts";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** What was purged, when, and the digest of the picture as it was kept. */
export function Receipt({ receipt }: { receipt: NonNullable<Verification["receipt"]> }) {
  const { formatMessage, formatDate, formatNumber } = useIntl();
  const say = (id: string) => formatMessage({ id });
  return (
    <Section title={say("identity.receipt")} note={say("identity.receiptAbout")}>
      <Row
        label={say("identity.receiptWhen")}
        value={formatDate(receipt.purged_at_ms, { dateStyle: "medium", timeStyle: "medium" })}
      />
      <Row
        label={say("identity.receiptSize")}
        value={formatMessage(
          { id: "identity.bytes" },
          { bytes: formatNumber(receipt.image_bytes) },
        )}
      />
      <Row
        label={say("identity.receiptHash")}
        value={<Hash value={receipt.image_sha256} label={say("identity.receiptHash")} />}
      />
    </Section>
  );
}
