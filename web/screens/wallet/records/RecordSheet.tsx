import { IconDownload, IconShieldCheck } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import type { WalletRecord } from "#api/records.ts";
import { getJournalReceipt } from "#api/routes/records.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Hash } from "#ui/figures/Hash.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { client } from "#web/lib/api/client.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { saveFile } from "#web/lib/saveFile.ts";
import { Facts } from "./Facts.tsx";
import { getRecordTitle } from "./words.ts";

interface RecordSheetProps {
  /** The record opened last; kept while the sheet closes. */
  record: WalletRecord | null;
  open: boolean;
  onClose: () => void;
}

/**
 * One record in full: what happened, the journal behind it, the resulting balance, and ways to
 * verify it.
 */
export function RecordSheet({ record, open, onClose }: RecordSheetProps) {
  const { formatDate } = useIntl();
  const t = useText();
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={record ? getRecordTitle(record, t) : ""}
      description={
        record ? formatDate(record.at_ms, { dateStyle: "full", timeStyle: "medium" }) : ""
      }
      actions={record ? <RecordActions record={record} /> : undefined}
    >
      {record ? <RecordBody record={record} /> : null}
    </Sheet>
  );
}

export function RecordBody({ record }: { record: WalletRecord }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { act, legs } = record;
  const orders = [...new Set(legs.map(({ order_id: id }) => id))].filter((id) => id !== null);
  const contract = record.group === "contract";
  return (
    <>
      <Facts facts={record.facts} />
      {act ? (
        <Section className="-mx-4">
          <Row label={t("records.act.role")} value={act.role} />
          <Row label={t("records.act.what")} value={act.what} />
          <Row label={t("records.act.why")} value={act.why} />
        </Section>
      ) : (
        <Section title={t("records.legs")} className="-mx-4">
          {legs.map((leg) => (
            <Row
              key={`${leg.account} ${leg.coin} ${leg.amount} ${leg.balance_after}`}
              label={t(
                isFee(leg, record.facts) ? "records.fact.fee" : `records.account.${leg.account}`,
              )}
              hint={t("records.balanceAfter")}
              value={<Amount value={leg.amount} coin={leg.coin} signed />}
              valueHint={<Amount value={leg.balance_after} coin={leg.coin} />}
            />
          ))}
        </Section>
      )}
      <Section className="-mx-4">
        {contract
          ? orders.map((id) => (
              <Row
                key={id}
                label={t("records.order")}
                hint={`${id.slice(0, 8)}…`}
                to={`/verify?order_id=${id}`}
              />
            ))
          : null}
        {record.link ? <Row label={t("records.open")} to={record.link} /> : null}
        <Row
          label={t(act ? "records.act.id" : "records.journal")}
          value={<Hash value={record.journal_id} label={t("records.journal")} />}
        />
        <Row
          label={t("records.kindName")}
          value={<span className="font-mono text-small">{record.type}</span>}
        />
        <Row
          label={t("records.recorded")}
          value={formatDate(record.recorded_at_ms, { dateStyle: "medium", timeStyle: "medium" })}
        />
      </Section>
    </>
  );
}

/** Returns true if a leg is the fee that the facts name. */
function isFee(leg: WalletRecord["legs"][number], { fee }: WalletRecord["facts"]): boolean {
  return (
    typeof fee === "object" &&
    fee !== null &&
    fee.coin === leg.coin &&
    leg.amount === `-${fee.amount}`
  );
}

export function RecordActions({ record }: { record: WalletRecord }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const save = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      const { data } = await client.call(getJournalReceipt, { journal_id: record.journal_id });
      const name = `drydock-receipt-${record.journal_id}.json`;
      saveFile(name, `${JSON.stringify(data, null, 2)}\n`);
    } catch (error) {
      setFailure(error);
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <>
      {failure ? <ErrorNote>{errorMessage(failure)}</ErrorNote> : null}
      <Link
        to={`/verify?${record.act ? "act_id" : "journal_id"}=${record.journal_id}`}
        className={buttonClass({ block: true })}
      >
        <IconShieldCheck size={20} aria-hidden="true" />
        {t(record.act ? "records.act.check" : "records.check")}
      </Link>
      <Button
        variant="outline"
        block
        busy={isBusy}
        icon={<IconDownload size={20} aria-hidden="true" />}
        onClick={() => void save()}
      >
        {t("records.save")}
      </Button>
    </>
  );
}
