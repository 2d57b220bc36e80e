import { useText } from "#i18n/useText.ts";
import { Fold } from "#ui/Fold.tsx";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { PaperPicture } from "./intro/PaperPicture.tsx";

const strategies = ["cross", "triangle", "hold"] as const;
const cheats = ["daily", "picked", "frictionless", "balance", "withdraw"] as const;
const checks = ["books", "trades", "marks", "history"] as const;

const BacktestView = lazyComponent(
  () => import("#web/screens/backtest/BacktestView.tsx"),
  ["backtest"],
);

/** `/ai/intro`, and with `do=history` the backtest of a strategy. */
export default function IntroPage() {
  const t = useText();
  const [query] = useSearchParams();
  if (query.get("do") !== "history") return <Intro />;
  return (
    <Page title={t("hosting.history.link")} back="/ai">
      <BacktestView />
    </Page>
  );
}

/**
 * How each strategy works and loses, how paper execution works, how dishonest copies cheat, and how
 * to check this one.
 */
function Intro() {
  const t = useText();
  return (
    <Page title={t("hosting.intro.title")} back="/ai">
      <p className="px-4 pt-1">{t("hosting.intro.what")}</p>
      {strategies.map((strategy) => (
        <Section key={strategy} title={t(`hosting.strategy.${strategy}`)}>
          <p className="px-4 py-3">{t(`hosting.${strategy}_does`)}</p>
          <div className="px-4">
            <Fold label={t("hosting.intro.loses")}>
              <p className="pb-3">{t(`hosting.${strategy}_loses`)}</p>
            </Fold>
          </div>
          <div className="px-4">
            <Fold label={t("hosting.intro.costs")}>
              <p className="pb-3">{t(`hosting.${strategy}_costs`)}</p>
            </Fold>
          </div>
        </Section>
      ))}
      <Section title={t("hosting.paper.title")} kind="plain">
        <PaperPicture />
      </Section>
      <Section title={t("hosting.cheat.title")} kind="plain">
        <ul className="flex list-disc flex-col gap-2 pl-5">
          {cheats.map((cheat) => (
            <li key={cheat}>{t(`hosting.cheat.${cheat}`)}</li>
          ))}
        </ul>
      </Section>
      <Section title={t("hosting.checks.title")} kind="plain">
        <ul className="flex list-disc flex-col gap-2 pl-5">
          {checks.map((check) => (
            <li key={check}>{t(`hosting.checks.${check}`)}</li>
          ))}
        </ul>
      </Section>
      <Section>
        <Row label={t("hosting.intro.pools")} to="/ai" />
        <Row label={t("hosting.run.title")} to="/robot-run-page" />
        <Row label={t("hosting.history.link")} to="/ai/intro?do=history" />
      </Section>
    </Page>
  );
}
