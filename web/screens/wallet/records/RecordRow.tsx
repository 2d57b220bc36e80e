import { useIntl } from "react-intl";
import type { WalletRecord } from "#api/records.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { sumDecimals } from "./sumDecimals.ts";
import { getRecordTitle, listChanges } from "./words.ts";

/** One record in a list: what happened and when, what it changed, and the resulting balance. */
export function RecordRow({
  record,
  held = null,
  onOpen,
}: {
  record: WalletRecord;
  /** The record that reserved the amount that this one released. */
  held?: WalletRecord | null;
  onOpen: () => void;
}) {
  const { formatTime } = useIntl();
  const t = useText();
  const [first, second] = listChanges(record);
  const time = formatTime(record.at_ms, { timeStyle: "short" });
  return (
    <Row
      onClick={onOpen}
      label={getRecordTitle(record, t)}
      hint={
        record.act
          ? `${time} · ${record.act.what}`
          : held
            ? t("records.heldThen", {
                held: formatTime(held.at_ms, { timeStyle: "short" }),
                time,
              })
            : time
      }
      value={
        first ? (
          <span className="font-strong">
            <Amount value={sumDecimals(first.amounts, first.coin)} coin={first.coin} signed />
          </span>
        ) : undefined
      }
      valueHint={
        second ? (
          <Amount value={sumDecimals(second.amounts, second.coin)} coin={second.coin} signed />
        ) : first ? (
          <>
            {first.held ? (
              // Without the label, the rest of a hold would read like an empty wallet.
              <>{t("wallet.held")} </>
            ) : (
              <span className="sr-only">{t("records.balanceAfter")} </span>
            )}
            <Amount value={first.balanceAfter} coin={first.coin} bare />
          </>
        ) : undefined
      }
    />
  );
}
