import { IconAdjustmentsHorizontal, IconDownload, IconX } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useIntl } from "react-intl";
import type { WalletRecord } from "#api/records.ts";
import { recordGroups } from "#core/records/record.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Page } from "#ui/Page.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { usePanes } from "#ui/useWide.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { ExportSheet } from "./records/ExportSheet.tsx";
import { FilterSheet } from "./records/FilterSheet.tsx";
import { parseFilter } from "./records/filterQuery.ts";
import { RecordPane } from "./records/RecordPane.tsx";
import { RecordScroll } from "./records/RecordScroll.tsx";
import { SearchField } from "./records/SearchField.tsx";
import type { RecordFilter } from "./records/useRecords.ts";
import { SignedIn } from "./SignedIn.tsx";
import { useBalanceUpdates } from "./useBalanceUpdates.ts";

/**
 * `/wallet-record`: every record of an attempt, by day. The filter is in the address, so that it
 * can be shared and returned to.
 */
export default function WalletRecordPage() {
  const t = useText();
  const { status } = useSession();
  const [query, setQuery] = useSearchParams();
  const [sheet, setSheet] = useState<"filter" | "export" | null>(null);
  const filter = useMemo(() => parseFilter(query), [query]);
  const panes = usePanes() && status === "signed_in";
  const [shownRecord, setShownRecord] = useState<WalletRecord | null>(null);
  useBalanceUpdates();
  const change = (changes: Record<string, string>) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    setQuery(next, { replace: true });
  };
  const { attempt_id: attemptId, ...narrowing } = filter;
  const isNarrowed = Object.keys(narrowing).length > 0;
  return (
    <Page
      title={t("records.title")}
      back="/wallet"
      side={panes ? <RecordPane record={shownRecord} /> : undefined}
      actions={
        status === "signed_in" ? (
          <>
            <IconButton label={t("records.filter")} onClick={() => setSheet("filter")}>
              <IconAdjustmentsHorizontal size={20} aria-hidden="true" />
            </IconButton>
            <IconButton label={t("records.export")} onClick={() => setSheet("export")}>
              <IconDownload size={20} aria-hidden="true" />
            </IconButton>
          </>
        ) : undefined
      }
    >
      <SignedIn>
        {attemptId === undefined ? null : (
          <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-2">
            <p className="text-small text-ink-soft">{t("records.oldAttempt")}</p>
            <Button variant="quiet" onClick={() => change({ attempt_id: "" })}>
              {t("records.oldAttempt.leave")}
            </Button>
          </div>
        )}
        <SearchField value={filter.search ?? ""} onSearch={(search) => change({ search })} />
        <Groups value={filter.group} onChange={(group) => change({ group })} />
        <ActiveFilters filter={filter} onClear={change} />
        <RecordScroll
          key={JSON.stringify(filter)}
          filter={filter}
          isNarrowed={isNarrowed}
          beside={panes ? { shown: shownRecord, show: setShownRecord } : undefined}
        />
        <FilterSheet
          key={`filter ${query}`}
          open={sheet === "filter"}
          onClose={() => setSheet(null)}
          query={query}
          onApply={change}
        />
        <ExportSheet
          open={sheet === "export"}
          onClose={() => setSheet(null)}
          filter={filter}
          isNarrowed={isNarrowed}
        />
      </SignedIn>
    </Page>
  );
}

function Groups({
  value,
  onChange,
}: {
  value: RecordFilter["group"];
  onChange: (group: string) => void;
}) {
  const t = useText();
  return (
    <fieldset
      aria-label={t("records.group")}
      className="flex min-w-0 gap-2 overflow-x-auto px-4 py-1 [scrollbar-width:none] *:shrink-0 min-[80rem]:flex-wrap"
    >
      <Chip selected={value === undefined} onClick={() => onChange("")}>
        {t("records.group.all")}
      </Chip>
      {recordGroups.map((group) => (
        <Chip key={group} selected={value === group} onClick={() => onChange(group)}>
          {t(`records.group.${group}`)}
        </Chip>
      ))}
    </fieldset>
  );
}

/** The coin and days chosen in the sheet, shown on the page, each removable. */
function ActiveFilters({
  filter,
  onClear,
}: {
  filter: RecordFilter;
  onClear: (changes: Record<string, string>) => void;
}) {
  const { formatDateTimeRange } = useIntl();
  const { coin, from_ms: fromMs, to_ms: toMs } = filter;
  if (!coin && fromMs === undefined) return null;
  return (
    <div className="flex flex-wrap gap-2 px-4 pt-2">
      {coin ? <ClearableFilter what={coin} onClear={() => onClear({ coin: "" })} /> : null}
      {fromMs !== undefined && toMs !== undefined ? (
        <ClearableFilter
          what={formatDateTimeRange(fromMs, toMs, { dateStyle: "medium" })}
          onClear={() => onClear({ from: "", to: "" })}
        />
      ) : null}
    </div>
  );
}

/** One filter, with a button that removes it. */
function ClearableFilter({ what: label, onClear }: { what: string; onClear: () => void }) {
  const t = useText();
  return (
    <button
      type="button"
      onClick={onClear}
      aria-label={t("records.without", { what: label })}
      className="group -my-1 inline-flex min-h-11 items-center"
    >
      <span className="inline-flex min-h-9 items-center gap-1.5 rounded-dock border border-ink bg-leaf pr-2 pl-3 text-small font-strong transition-colors group-active:bg-well">
        {label}
        <IconX size={16} className="text-signal-ink" aria-hidden="true" />
      </span>
    </button>
  );
}
