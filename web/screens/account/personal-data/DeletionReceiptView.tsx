import { useIntl } from "react-intl";
import type { DeletionReceipt } from "#api/account.ts";
import { Button } from "#ui/Button.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { saveFile } from "#web/lib/saveFile.ts";

/** What is left to show of an account: ids, times, and what went. It can be kept as a file. */
export function DeletionReceiptView({ receipt }: { receipt: DeletionReceipt }) {
  const { formatMessage, formatDate, formatNumber } = useIntl();
  const say = (id: string) => formatMessage({ id });
  const time = (ms: number) => formatDate(ms, { dateStyle: "medium", timeStyle: "medium" });
  return (
    <>
      <Section className="-mx-4">
        <Row
          label={say("mydata.deleted.receipt")}
          value={<Hash value={receipt.receipt_id} label={say("mydata.deleted.receipt")} />}
        />
        <Row label={say("mydata.deleted.asked")} value={time(receipt.asked_at_ms)} />
        <Row
          label={say("mydata.deleted.finished")}
          value={
            receipt.finished_at_ms === null
              ? say("mydata.deleted.running")
              : time(receipt.finished_at_ms)
          }
        />
        <Row label={say("mydata.deleted.sessions")} value={formatNumber(receipt.sessions_ended)} />
        <Row label={say("mydata.deleted.parts")} value={formatNumber(receipt.erased.length)} />
        <Row label={say("mydata.deleted.postings")} value={formatNumber(receipt.postings_kept)} />
      </Section>
      <p className="mt-3 text-small text-ink-soft">{say("mydata.deleted.wallet")}</p>
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
        {say("mydata.deleted.save")}
      </Button>
    </>
  );
}
