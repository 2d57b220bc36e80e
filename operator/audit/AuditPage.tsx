import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import type { AuditEntryView } from "#api/operator/audit.ts";
import { exportAudit, getAudit } from "#api/routes/operator/audit.ts";
import { getOperators } from "#api/routes/operator/operators.ts";
import { useText } from "#i18n/useText.ts";
import { AuditEventList } from "#operator/app/AuditEventList.tsx";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { usePermission } from "#operator/app/useOperator.ts";
import { Check } from "#operator/audit/Check.tsx";
import { EntrySheet } from "#operator/audit/EntrySheet.tsx";
import { FilterBar, type Filters, noFilters, toQuery } from "#operator/audit/FilterBar.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Section } from "#ui/Section.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";

const pageSize = 25;

/** Everything operators did, with search, details, export and recomputation. */
export default function AuditPage() {
  const t = useText();
  const [filters, setFilters] = useState<Filters>(noFilters);
  const [open, setOpen] = useState<AuditEntryView | null>(null);
  const mayExport = usePermission("audit.export");
  const operators = useApiQuery(getOperators, {}, { staleMs: 60_000 });
  const names = new Map(
    operators.data?.items.map(({ operator_id: id, name }) => [id, name ?? ""]) ?? [],
  );
  const filterInput = toQuery(filters);
  const acts = useApiPages(
    getAudit,
    { ...filterInput, page_size: pageSize },
    { keepPrevious: true },
  );
  return (
    <ConsolePage
      title={t("console.nav.audit")}
      lead={t("console.audit.lead")}
      actions={mayExport ? <Exports filterInput={filterInput} /> : null}
    >
      <Check />
      <Section title={t("console.audit.entries")}>
        <FilterBar
          filters={filters}
          operators={operators.data?.items ?? []}
          onChange={setFilters}
        />
        <AuditEventList events={acts} names={names} onOpen={setOpen} />
      </Section>
      <EntrySheet
        entry={open}
        name={open ? names.get(open.operator_id) : undefined}
        onClose={() => setOpen(null)}
      />
    </ConsolePage>
  );
}

function Exports({ filterInput }: { filterInput: Record<string, string | number> }) {
  const t = useText();
  return (
    <span className="flex gap-2">
      {(["csv", "json"] as const).map((format) => {
        const entries = Object.entries({ ...filterInput, format }).map(([name, value]) => [
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
            {t("console.audit.export", { format: format.toUpperCase() })}
          </a>
        );
      })}
    </span>
  );
}
