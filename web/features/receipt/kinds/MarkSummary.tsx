import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import type { MarkDetail } from "#web/features/receipt/kinds/hostingKind.ts";
import { ScaledNumber } from "#web/features/receipt/ScaledNumber.tsx";

/** A mark's receipt, alongside the recomputed values. */
export function MarkSummary({ detail }: { detail: MarkDetail }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { pool_id: pool, at_ms: atMs, result } = detail.receipt;
  const money = (value: string) => <Amount value={BigInt(value)} coin="pUSDT" />;
  return (
    <Section title={t("receipt.mark")}>
      <Row label={t("receipt.pool")} value={<span className="font-mono text-small">{pool}</span>} />
      <Row
        label={t("receipt.journal.time")}
        value={formatDate(atMs, { dateStyle: "medium", timeStyle: "medium" })}
      />
      <Row label={t("receipt.hosting.nav")} value={<ScaledNumber value={result.nav} />} />
      <Row label={t("receipt.hosting.units")} value={<ScaledNumber value={result.units} />} />
      <Row label={t("receipt.mark.assets")} value={money(result.assets)} />
      <Row label={t("receipt.mark.owed")} value={money(result.owed)} />
    </Section>
  );
}
