import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import type { AuditEntryView } from "#api/operator/audit.ts";
import { exportAudit, getAudit } from "#api/routes/operator/audit.ts";
import { getOperators } from "#api/routes/operator/operators.ts";
import { ActList } from "#operator/app/AuditEventList.tsx";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { useMay } from "#operator/app/useOperator.ts";
import { Check } from "#operator/audit/Check.tsx";
import { EntrySheet } from "#operator/audit/EntrySheet.tsx";
import { FilterBar, type Filters, noFilters, queryOf } from "#operator/audit/FilterBar.tsx";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Section } from "#ui/Section.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";

const pageSize = 25;

/** Everything operators did: searched, opened, exported, and recomputed. */
export default function AuditPage() {
  const { formatMessage } = useIntl();
  const [filters, setFilters] = useState<Filters>(noFilters);
  const [at, setAt] = useState<{ page: number; before: string | undefined }>({
    page: 1,
    before: undefined,
  });
  const [open, setOpen] = useState<AuditEntryView | null>(null);
  const mayExport = useMay("audit.export");
  const operators = useCall(getOperators, {}, { staleMs: 60_000 });
  const names = new Map(
    operators.data?.items.map(({ operator_id: id, name }) => [id, name ?? ""]) ?? [],
  );
  const asked = queryOf(filters);
  const acts = useCall(
    getAudit,
    { ...asked, page: at.page, page_size: pageSize, ...(at.before ? { before: at.before } : {}) },
    { keepPrevious: true },
  );
  const text = (id: string) => formatMessage({ id });
  const turn = (page: number) => setAt({ page, before: acts.data?.before ?? undefined });
  return (
    <ConsolePage
      title={text("console.nav.audit")}
      lead={text("console.audit.lead")}
      actions={mayExport ? <Exports asked={asked} /> : null}
    >
      <Check />
      <Section title={text("console.audit.entries")}>
        <FilterBar
          filters={filters}
          operators={operators.data?.items ?? []}
          onChange={(next) => {
            setFilters(next);
            setAt({ page: 1, before: undefined });
          }}
        />
        <ActList acts={acts} names={names} onOpen={setOpen} />
      </Section>
      {acts.data && (at.page > 1 || acts.data.has_more) ? (
        <div className="flex justify-between gap-3 px-4 pt-4">
          <Button
            variant="outline"
            size="small"
            disabled={at.page === 1}
            onClick={() => turn(at.page - 1)}
          >
            {text("console.audit.newer")}
          </Button>
          <Button
            variant="outline"
            size="small"
            disabled={!acts.data.has_more}
            onClick={() => turn(at.page + 1)}
          >
            {text("console.audit.older")}
          </Button>
        </div>
      ) : null}
      <EntrySheet
        entry={open}
        name={open ? names.get(open.operator_id) : undefined}
        onClose={() => setOpen(null)}
      />
    </ConsolePage>
  );
}

function Exports({ asked }: { asked: Record<string, string | number> }) {
  const { formatMessage } = useIntl();
  return (
    <span className="flex gap-2">
      {(["csv", "json"] as const).map((format) => {
        const entries = Object.entries({ ...asked, format }).map(([name, value]) => [
          name,
          String(value),
        ]);
        const query = new URLSearchParams(entries);
        return (
          <a
            key={format}
            href={`${exportAudit.path}?${query}`}
            download
            className={buttonClass({ variant: "outline", size: "small" })}
          >
            <IconDownload size={18} aria-hidden="true" />
            {formatMessage({ id: "console.audit.export" }, { format: format.toUpperCase() })}
          </a>
        );
      })}
    </span>
  );
}
