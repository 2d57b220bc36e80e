import { useEffect, useRef } from "react";
import { getSittings } from "#api/routes/lesson.ts";
import { getItem } from "#core/lesson/items.ts";
import { honestPerSitting, isRight, scoreSitting } from "#core/lesson/sittings.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { saveFile } from "#web/lib/saveFile.ts";
import { formatReminderCalendar } from "#web/screens/help/sitting/calendar.ts";
import { ItemPicture } from "#web/screens/help/sitting/ItemPicture.tsx";
import { Reason } from "#web/screens/help/sitting/ItemView.tsx";
import type { SittingRun } from "#web/screens/help/sitting/run.ts";

/** How a sitting went: scams caught, honest items mistrusted, and each that was judged wrongly. */
export function SittingEnd({ run }: { run: SittingRun }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  const score = scoreSitting(run.items);
  const wrongItems = run.items.filter(({ item, answer }) => answer && !isRight(item, answer));
  return (
    <>
      <div className="flex flex-col gap-3 px-4">
        <h2 ref={heading} tabIndex={-1} className="text-title font-strong outline-none">
          {t("sitting.end.title")}
        </h2>
        {score ? (
          <p className="font-strong">
            {t("sitting.end.count", {
              hits: score.hits,
              alarms: score.falseAlarms,
              total: honestPerSitting,
            })}
          </p>
        ) : null}
        {wrongItems.length === 0 ? <p>{t("sitting.end.none")}</p> : null}
        <p className="text-small text-ink-soft">{t("sitting.end.note")}</p>
        {run.stored ? null : <p>{t("sitting.end.notKept")}</p>}
        {run.saveError ? (
          <ErrorNote onRetry={run.keep} busy={run.saving}>
            {errorMessage(run.saveError)}
          </ErrorNote>
        ) : null}
        {run.kept ? <output className="block">{t("sitting.end.kept")}</output> : null}
      </div>
      {wrongItems.length > 0 ? (
        <Section title={t("sitting.end.missed")} kind="plain">
          <ul className="flex flex-col gap-8">
            {wrongItems.map(({ item, answer }) => (
              <li key={item} className="flex flex-col gap-3">
                <ItemPicture item={getItem(item)} />
                <div className="border-l-2 border-warning pl-3">
                  <p className="text-small text-ink-faint">
                    {t("sitting.end.said", { answer: t(`sitting.${answer!}`) })}
                  </p>
                  <p className="font-strong">
                    {t(getItem(item).honest ? "sitting.alarm" : "sitting.missed")}
                  </p>
                  <Reason item={getItem(item)} />
                </div>
              </li>
            ))}
          </ul>
        </Section>
      ) : null}
      <Reminder run={run} />
      <div className="px-4 pt-6">
        <Button block variant="quiet" busy={run.beginning} onClick={run.begin}>
          {t("sitting.end.again")}
        </Button>
        {run.beginError ? <ErrorNote>{errorMessage(run.beginError)}</ErrorNote> : null}
      </div>
    </>
  );
}

/** The coming days on which a sitting is offered, as a file for the reader's own calendar. */
function Reminder({ run }: { run: SittingRun }) {
  const t = useText();
  const { data } = useApiQuery(getSittings, {}, { enabled: run.stored });
  if (run.stored && !data?.next_offer_at_ms) return null;
  const save = () => {
    const nowMs = Date.now();
    const calendar = formatReminderCalendar(data?.first_at_ms ?? nowMs, nowMs, {
      title: (days) => t("sitting.calendar.title", { days }),
      url: `${location.origin}/help?view=sitting`,
    });
    saveFile("drydock-lesson.ics", calendar, "text/calendar");
  };
  return (
    <Section title={t("sitting.end.remind")} kind="plain">
      <div className="flex flex-col items-start gap-3">
        {run.stored ? <p>{t("sitting.end.remind.text")}</p> : null}
        <p>{t("sitting.end.remind.calendar")}</p>
        <Button variant="outline" onClick={save}>
          {t("sitting.end.calendar")}
        </Button>
      </div>
    </Section>
  );
}
