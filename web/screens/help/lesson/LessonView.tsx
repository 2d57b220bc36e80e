import { useIntl } from "react-intl";
import { getLesson } from "#api/routes/lesson.ts";
import { sceneNames } from "#core/lesson/scenes.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { Ending } from "#web/screens/help/lesson/Ending.tsx";
import { type LessonRun, useLessonRun } from "#web/screens/help/lesson/run.ts";
import { SceneView } from "#web/screens/help/lesson/SceneView.tsx";

/**
 * `/help?view=lesson`: the first lesson. Also works signed out; the result is then not saved, and
 * the page says so.
 */
export default function LessonView() {
  const run = useLessonRun();
  if (run.at === "start" || run.at === "end") {
    return (
      <div className="max-w-160">
        {run.at === "start" ? <Start run={run} /> : <Ending run={run} />}
      </div>
    );
  }
  const scene = sceneNames[run.at]!;
  return (
    <SceneView
      key={scene}
      number={run.at + 1}
      scene={scene}
      chosen={run.chosen[scene]}
      onChoose={(choice) => run.choose(scene, choice)}
      onNext={run.next}
    />
  );
}

function Start({ run }: { run: LessonRun }) {
  const { formatDate } = useIntl();
  const t = useText();
  const lesson = useApiQuery(getLesson, {}, { enabled: run.signedIn });
  const runs = lesson.data?.runs ?? [];
  return (
    <>
      <div className="flex flex-col gap-3 px-4 pt-1">
        <p>{t("lesson.intro")}</p>
        <p className="text-small text-ink-soft">{t("lesson.noClaim")}</p>
        <Button block onClick={run.begin}>
          {t(runs.length > 0 ? "lesson.again" : "lesson.begin")}
        </Button>
        {run.signedIn ? null : <p className="text-small text-ink-soft">{t("lesson.signedOut")}</p>}
      </div>
      {runs.length > 0 ? (
        <Section title={t("lesson.history")}>
          {runs.slice(0, 10).map((item) => (
            <Row
              key={item.finished_at_ms}
              label={formatDate(item.finished_at_ms, { dateStyle: "medium" })}
              value={t("lesson.result", { count: item.sound, total: sceneNames.length })}
            />
          ))}
        </Section>
      ) : null}
    </>
  );
}
