import { useIntl } from "react-intl";
import type { DeletionReceipt } from "#api/account.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { saveFile } from "#web/lib/saveFile.ts";

/**
 * The facts that remain of a deleted account: ids, times, and what was removed. Can be saved as a
 * file.
 */
export function DeletionReceiptView({ receipt }: { receipt: DeletionReceipt }) {
  const { formatDate, formatNumber } = useIntl();
  const t = useText();
  const time = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "medium" });
  return (
    <>
      <Section className="-mx-4">
        <Row
          label={t("personal-data.deleted.receipt")}
          value={<Hash value={receipt.receipt_id} label={t("personal-data.deleted.receipt")} />}
        />
        <Row label={t("personal-data.deleted.asked")} value={time(receipt.asked_at_ms)} />
        <Row
          label={t("personal-data.deleted.finished")}
          value={
            receipt.finished_at_ms === null
              ? t("personal-data.deleted.running")
              : time(receipt.finished_at_ms)
          }
        />
        <Row
          label={t("personal-data.deleted.sessions")}
          value={formatNumber(receipt.sessions_ended)}
        />
        <Row label={t("personal-data.deleted.parts")} value={formatNumber(receipt.erased.length)} />
        <Row
          label={t("personal-data.deleted.postings")}
          value={formatNumber(receipt.postings_kept)}
        />
      </Section>
      <p className="mt-3 text-small text-ink-soft">{t("personal-data.deleted.wallet")}</p>
      <Button
        block
        className="mt-4"
        onClick={() =>
          saveFile(
            `drydock-deletion-${receipt.receipt_id.slice(0, 8)}.json`,
            `${JSON.stringify(receipt, null, 2)}\n`,
          )
        }
      >
        {t("personal-data.deleted.save")}
      </Button>
    </>
  );
}
