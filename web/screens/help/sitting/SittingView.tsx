import { useIntl } from "react-intl";
import { getSittings } from "#api/routes/lesson.ts";
import { honestPerSitting } from "#core/lesson/sittings.ts";
import { discernmentStudy } from "#core/lesson/sources.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { OutLink } from "#web/features/leave-site/OutLink.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { ItemView } from "#web/screens/help/sitting/ItemView.tsx";
import { type SittingRun, useSittingRun } from "#web/screens/help/sitting/run.ts";
import { SittingEnd } from "#web/screens/help/sitting/SittingEnd.tsx";

/**
 * `/help?view=sitting`: ten items, half of them honest (docs/rules/help.md). Also works signed out;
 * nothing is then saved, and the page says so.
 */
export default function SittingView() {
  const run = useSittingRun();
  if (run.at === "start") return <Start run={run} />;
  if (run.at === "end") {
    return (
      <div className="max-w-160">
        <SittingEnd run={run} />
      </div>
    );
  }
  const item = run.items[run.at]!;
  return (
    <ItemView
      key={item.item}
      number={run.at + 1}
      total={run.items.length}
      given={item}
      onAnswer={run.give}
      onNext={run.next}
    />
  );
}

function Start({ run }: { run: SittingRun }) {
  const { formatDate } = useIntl();
  const t = useText();
  const errorMessage = useErrorMessage();
  const { data } = useApiQuery(getSittings, {}, { enabled: run.signedIn });
  const sittings = data?.sittings ?? [];
  return (
    <div className="pane:grid pane:grid-cols-2 pane:grid-rows-[auto_1fr_auto] pane:items-start pane:gap-x-8 min-[100rem]:gap-x-16 min-[100rem]:pt-8">
      <p className="px-4 pt-1 wide:text-title min-[100rem]:text-figure">{t("sitting.intro")}</p>
      <div className="px-4 pt-3 text-small text-ink-soft pane:col-start-2 pane:row-span-2 pane:row-start-1 pane:pt-1 wide:text-body min-[100rem]:text-title">
        <p>{t("sitting.intro.study")}</p>
        <OutLink url={discernmentStudy.url}>{discernmentStudy.authority}</OutLink>
      </div>
      <div className="flex flex-col gap-3 px-4 pt-3 wide:gap-5 wide:text-title min-[100rem]:pt-8">
        {data?.offered ? (
          <p className="border-l-2 border-warning pl-3 text-small">
            {t("sitting.offered", { days: Number(data.offered) })}
          </p>
        ) : null}
        <Button block busy={run.beginning || !run.ready} onClick={run.begin}>
          {t("sitting.begin")}
        </Button>
        {run.beginError ? <ErrorNote>{errorMessage(run.beginError)}</ErrorNote> : null}
        {run.signedIn || !run.ready ? null : (
          <p className="text-small text-ink-soft wide:text-body min-[100rem]:text-title">
            {t("sitting.signedOut")}
          </p>
        )}
      </div>
      {sittings.length > 0 ? (
        <Section title={t("sitting.history")} className="pane:col-start-2">
          {sittings.slice(0, 10).map((sitting) => (
            <Row
              key={sitting.finished_at_ms}
              label={formatDate(sitting.finished_at_ms, { dateStyle: "medium" })}
              hint={t("sitting.end.count", {
                hits: sitting.hits,
                alarms: sitting.false_alarms,
                total: honestPerSitting,
              })}
            />
          ))}
        </Section>
      ) : null}
    </div>
  );
}
