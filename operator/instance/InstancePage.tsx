import { useState } from "react";
import type { InstanceView } from "#api/operator/instance.ts";
import { getInstance } from "#api/routes/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { Asked, AsOf } from "#operator/instance/Asked.tsx";
import { Loud } from "#operator/instance/Loud.tsx";
import { JobsPart } from "#operator/instance/sections/JobsSection.tsx";
import { LedgerPart } from "#operator/instance/sections/LedgerSection.tsx";
import { LogPart } from "#operator/instance/sections/LogSection.tsx";
import { MarketPart } from "#operator/instance/sections/MarketSection.tsx";
import { OffersPart } from "#operator/instance/sections/OffersSection.tsx";
import { StoragePart } from "#operator/instance/sections/StorageSection.tsx";
import { Tiles } from "#operator/instance/Tiles.tsx";
import { Tabs } from "#ui/Tabs.tsx";
import { useCall } from "#web/lib/useApiQuery.ts";

const partNames = ["market", "log", "ledger", "offers", "jobs", "storage"] as const;
type PartName = (typeof partNames)[number];

const parts: Record<PartName, (props: { view: InstanceView }) => React.ReactNode> = {
  market: MarketPart,
  log: LogPart,
  ledger: LedgerPart,
  offers: OffersPart,
  jobs: JobsPart,
  storage: StoragePart,
};

/** Asked again so often while the page is looked at. */
const againMs = 5_000;

/** What runs here and how: first whether all is well, then each part of it. */
export default function InstancePage() {
  const t = useText();
  const [part, setPart] = useState<PartName>("market");
  const asked = useCall(getInstance, {}, { refetchMs: againMs });
  const Part = parts[part];
  return (
    <ConsolePage
      title={t("console.nav.instance")}
      lead={t("instance.lead")}
      actions={asked.data ? <AsOf atMs={asked.data.as_of_ms} /> : null}
    >
      <Asked asked={asked}>
        {(view) => (
          <>
            <Loud view={view} />
            <Tiles view={view} onOpen={setPart} />
            <div className="mt-6">
              <Tabs
                label={t("instance.parts")}
                value={part}
                onChange={setPart}
                tabs={partNames.map((value) => ({
                  value,
                  label: t(`instance.part.${value}`),
                }))}
              >
                <Part view={view} />
              </Tabs>
            </div>
          </>
        )}
      </Asked>
    </ConsolePage>
  );
}
