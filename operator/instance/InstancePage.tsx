import { useState } from "react";
import type { InstanceView } from "#api/operator/instance.ts";
import { getInstance } from "#api/routes/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { AsOf, QueryState } from "#operator/instance/QueryState.tsx";
import { JobsSection } from "#operator/instance/sections/JobsSection.tsx";
import { LedgerSection } from "#operator/instance/sections/LedgerSection.tsx";
import { LogSection } from "#operator/instance/sections/LogSection.tsx";
import { MarketSection } from "#operator/instance/sections/MarketSection.tsx";
import { OffersSection } from "#operator/instance/sections/OffersSection.tsx";
import { StorageSection } from "#operator/instance/sections/StorageSection.tsx";
import { Tiles } from "#operator/instance/Tiles.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { LedgerAlert } from "./LedgerAlert.tsx";

const sectionNames = ["market", "log", "ledger", "offers", "jobs", "storage"] as const;
type SectionName = (typeof sectionNames)[number];

const sections: Record<SectionName, (props: { view: InstanceView }) => React.ReactNode> = {
  market: MarketSection,
  log: LogSection,
  ledger: LedgerSection,
  offers: OffersSection,
  jobs: JobsSection,
  storage: StorageSection,
};

/** Refetch interval while the page is visible. */
const refetchMs = 5_000;

/** The state of the instance: first whether all is well, then each part of it. */
export default function InstancePage() {
  const t = useText();
  const [part, setPart] = useState<SectionName>("market");
  const query = useApiQuery(getInstance, {}, { refetchMs });
  const Part = sections[part];
  return (
    <ConsolePage
      title={t("console.nav.instance")}
      lead={t("instance.lead")}
      actions={query.data ? <AsOf atMs={query.data.as_of_ms} /> : null}
    >
      <QueryState query={query}>
        {(view) => (
          <>
            <LedgerAlert view={view} />
            <Tiles view={view} onOpen={setPart} />
            <div className="mt-6">
              <Tabs
                label={t("instance.parts")}
                value={part}
                onChange={setPart}
                tabs={sectionNames.map((value) => ({
                  value,
                  label: t(`instance.part.${value}`),
                }))}
              >
                <Part view={view} />
              </Tabs>
            </div>
          </>
        )}
      </QueryState>
    </ConsolePage>
  );
}
