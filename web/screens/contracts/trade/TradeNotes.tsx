import { Suspense, useState } from "react";
import type { ContractDetails } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Hash } from "#ui/figures/Hash.tsx";
import { useWasOpened } from "#ui/overlay/useOpened.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { BinaryNote } from "./BinaryNote.tsx";

const loadLimits = () => import("#web/features/limits/LimitsSheet.tsx");
const LimitsSheet = deferredComponent(loadLimits);

/** Below the ticket: the person's own limits, the terms in force, and what such contracts are. */
export function TradeNotes({ details }: { details: ContractDetails }) {
  const t = useText();
  const { status, signIn } = useSession();
  const [limitsOpen, setLimitsOpen] = useState(false);
  const limitsOpened = useWasOpened(limitsOpen, loadLimits);
  return (
    <>
      <Section>
        <Row
          label={t("contracts.limits.title")}
          onClick={() => (status === "signed_in" ? setLimitsOpen(true) : signIn())}
        />
        <Row
          label={t("contracts.termsHash")}
          value={<Hash value={details.terms.terms_hash} label={t("contracts.termsHash")} />}
        />
      </Section>
      <div className="mt-6 px-4">
        <BinaryNote />
      </div>
      {limitsOpened && status === "signed_in" ? (
        <Suspense fallback={null}>
          <LimitsSheet open={limitsOpen} onOpenChange={setLimitsOpen} />
        </Suspense>
      ) : null}
    </>
  );
}
