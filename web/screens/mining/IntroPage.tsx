import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Page } from "#ui/Page.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import type { Network } from "./figures.ts";
import { NetworkPanel, useNetwork } from "./NetworkPanel.tsx";

const cheats = ["invented", "minimum", "fees", "proof", "recruits"] as const;

/**
 * `/mining/intro`: how a payout is computed, with current figures, and how this differs from what
 * frauds sell as mining.
 */
export default function IntroPage() {
  const t = useText();
  const errorMessage = useErrorMessage();
  const network = useNetwork();
  return (
    <Page title={t("mining.intro.title")} back="/mining" side={<NetworkPanel />}>
      <p className="px-4">{t("mining.intro.lead")}</p>
      <Section title={t("mining.intro.formula")} note={t("mining.intro.formula.note")} kind="plain">
        <p className="rounded-dock border border-line bg-leaf p-4">
          {t("mining.intro.formula.words")}
        </p>
      </Section>
      <Section title={t("mining.intro.inputs")} note={t("mining.intro.inputs.note")}>
        {network.data ? (
          <Inputs network={network.data} />
        ) : network.error ? (
          <div className="p-4">
            <ErrorNote busy={network.isFetching} onRetry={() => void network.refetch()}>
              {errorMessage(network.error)}
            </ErrorNote>
          </div>
        ) : (
          <SkeletonRows count={6} />
        )}
      </Section>
      <Section title={t("mining.intro.cheats")} note={t("mining.intro.cheats.note")}>
        {cheats.map((name) => (
          <div key={name} className="px-4 py-3">
            <h3 className="font-strong">{t(`mining.intro.${name}`)}</h3>
            <p className="mt-0.5 text-small text-ink-soft">{t(`mining.intro.${name}.here`)}</p>
          </div>
        ))}
      </Section>
      <div className="px-4 pt-5">
        <Link to="/mining" className={buttonClass({ block: true })}>
          {t("mining.toMachines")}
        </Link>
      </div>
    </Page>
  );
}

function Inputs({ network }: { network: Network }) {
  const { formatNumber } = useIntl();
  const formatExact = (value: string) => formatNumber(Number(value), { maximumFractionDigits: 8 });
  return (
    <>
      <Input name="difficulty" value={formatExact(network.difficulty)} />
      <Input name="subsidy" value={`${formatExact(network.subsidy)} pBTC`} />
      <Input name="fees" value={`${formatExact(network.mean_fee)} pBTC`} />
      <Input name="hashrate" value="1 TH/s" />
      <Input name="time" value={`${formatNumber(86_400)} s`} />
      <Input name="poolFee" value={formatNumber(0.02, { style: "percent" })} />
      <Input
        name="result"
        value={<span className="font-strong">{formatExact(network.per_th_day_sat)} sat</span>}
      />
    </>
  );
}

/** One input of the formula; expands to say where it comes from. */
function Input({ name, value }: { name: string; value: ReactNode }) {
  const t = useText();
  return (
    <details className="group">
      <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 px-4 py-2 hover:bg-leaf focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden">
        <span className="min-w-0 flex-1">{t(`mining.input.${name}`)}</span>
        <span className="text-right">{value}</span>
        <IconChevronDown
          size={18}
          aria-hidden="true"
          className="shrink-0 text-signal-ink transition-transform group-open:rotate-180"
        />
      </summary>
      <p className="px-4 pb-3 text-small text-ink-soft">{t(`mining.input.${name}.from`)}</p>
    </details>
  );
}
