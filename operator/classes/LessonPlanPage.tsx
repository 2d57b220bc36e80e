import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import {
  formatCreateCommand,
  type PlannedTemplate,
  planLesson,
  plannedTemplates,
  planWorld,
} from "#operator/classes/lessonPlan.ts";
import { Button } from "#ui/Button.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { useSearchParams } from "#ui/router.tsx";

/**
 * A lesson minute by minute for each template, with the buttons to press and the questions to ask:
 * a single printed page.
 */
export default function LessonPlanPage() {
  const t = useText();
  const [query, setQuery] = useSearchParams();
  const template = plannedTemplates.find((planned) => planned === query.get("for")) ?? "usdc-2023";
  return (
    <ConsolePage
      title={t("lesson-plan.title")}
      lead={t("lesson-plan.lead")}
      actions={
        <Button size="small" className="print:hidden" onClick={() => window.print()}>
          {t("debrief.print")}
        </Button>
      }
    >
      <div className="px-4 pt-4 print:hidden">
        <Segmented
          label={t("lesson-plan.choose")}
          value={template}
          onChange={(next) => setQuery({ for: next }, { replace: true })}
          options={plannedTemplates.map((value) => ({ value, label: t(`lesson-plan.${value}`) }))}
        />
      </div>
      <Plan template={template} />
    </ConsolePage>
  );
}

function Plan({ template }: { template: PlannedTemplate }) {
  const t = useText();
  const { formatDate } = useIntl();
  const { speed, start } = planWorld(template);
  return (
    <section aria-label={t(`lesson-plan.${template}`)} className="paper-light mt-4 p-4">
      <h2 className="text-title font-strong">{t(`lesson-plan.${template}`)}</h2>
      <h3 className="mt-3 font-strong">{t("lesson-plan.before")}</h3>
      <ul className="list-disc pl-5 text-small">
        <li>
          {t("lesson-plan.before.world", {
            template: t(`worlds.template.${template}`),
            speed,
            start:
              start === null ? "none" : formatDate(start, { dateStyle: "medium", timeZone: "UTC" }),
          })}{" "}
          <code className="[overflow-wrap:anywhere]">{formatCreateCommand(template)}</code>
        </li>
        <li>{t("lesson-plan.before.link")}</li>
        {speed === 1 ? null : <li>{t("lesson-plan.before.pause")}</li>}
      </ul>
      <table className="mt-4 w-full border-collapse text-small">
        <caption className="sr-only">{t("lesson-plan.title")}</caption>
        <thead className="text-left text-ink-soft">
          <tr>
            <th scope="col" className="py-1 pr-3 font-normal">
              {t("lesson-plan.minutes")}
            </th>
            <th scope="col" className="py-1 pr-3 font-normal">
              {t("lesson-plan.do")}
            </th>
            <th scope="col" className="py-1 font-normal">
              {t("lesson-plan.ask")}
            </th>
          </tr>
        </thead>
        <tbody>
          {planLesson(template).map(({ startMinute, endMinute, activity }) => (
            <tr key={activity} className="border-t border-line align-top">
              <th scope="row" className="py-2 pr-3 text-left font-strong whitespace-nowrap">
                {t("lesson-plan.span", { from: startMinute, to: endMinute })}
              </th>
              <td className="py-2 pr-3">{t(`lesson-plan.${activity}.do`)}</td>
              <td className="py-2">{t(`lesson-plan.${activity}.ask`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-4 text-small">{t("lesson-plan.rules")}</p>
    </section>
  );
}
