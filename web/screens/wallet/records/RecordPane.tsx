import { useEffect, useRef } from "react";
import { useIntl } from "react-intl";
import type { WalletRecord } from "#api/records.ts";
import { useText } from "#i18n/useText.ts";
import { EmptyDockDrawing } from "#ui/drawings.tsx";
import { Empty } from "#ui/Empty.tsx";
import { RecordActions, RecordBody } from "./RecordSheet.tsx";
import { getRecordTitle } from "./words.ts";

/**
 * The selected record beside the list, on wide screens. Its heading takes focus, as a sheet's does.
 */
export function RecordPane({ record }: { record: WalletRecord | null }) {
  const intl = useIntl();
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const id = record?.journal_id;
  useEffect(() => {
    if (id !== undefined) heading.current?.focus();
  }, [id]);
  if (!record) {
    return <Empty drawing={<EmptyDockDrawing />} title={t("records.choose")} />;
  }
  return (
    <section key={id} className="px-4">
      <h2 ref={heading} tabIndex={-1} data-page-heading="" className="pt-2 text-title font-strong">
        {getRecordTitle(record, t)}
      </h2>
      <p className="text-small text-ink-soft">
        {intl.formatDate(record.at_ms, { dateStyle: "full", timeStyle: "medium" })}
      </p>
      <RecordBody record={record} />
      <div className="mt-5 flex flex-col gap-2">
        <RecordActions record={record} />
      </div>
    </section>
  );
}
