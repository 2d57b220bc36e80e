import { useIntl } from "react-intl";
import { getLesson } from "#api/routes/lesson.ts";
import { getStage, sceneNames, stages } from "#core/lesson/scenes.ts";
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
  if (run.at === "start") return <Start run={run} />;
  if (run.at === "end") return <Ending run={run} />;
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
    <div className="pane:grid pane:grid-cols-2 pane:items-start pane:gap-x-8">
      <div>
        <div className="flex flex-col gap-3 px-4 pt-1 wide:gap-5 wide:text-title">
          <p>{t("lesson.intro")}</p>
          <p className="text-small text-ink-soft wide:text-body">{t("lesson.noClaim")}</p>
          <Button block onClick={run.begin}>
            {t(runs.length > 0 ? "lesson.again" : "lesson.begin")}
          </Button>
          {run.signedIn ? null : (
            <p className="text-small text-ink-soft wide:text-body">{t("lesson.signedOut")}</p>
          )}
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
      </div>
      <Stages />
    </div>
  );
}

/** The stages with their scenes in order, in letters for a projector; not on phones. */
function Stages() {
  const t = useText();
  return (
    <ol className="hairlines mx-4 rounded-dock border border-line max-pane:hidden">
      {stages.map((stage) => (
        <li key={stage} className="px-4 py-3 wide:px-6 wide:py-4">
          <h2 className="font-strong wide:text-title">{t(`lesson.stage.${stage}`)}</h2>
          <ol className="mt-1 text-small text-ink-soft wide:text-body">
            {sceneNames.map((scene, index) =>
              getStage(scene) === stage ? (
                <li key={scene} className="flex gap-3 py-0.5">
                  <span aria-hidden="true" className="w-6 shrink-0 text-right text-ink-faint">
                    {index + 1}
                  </span>
                  {t(`lesson.${scene}.title`)}
                </li>
              ) : null,
            )}
          </ol>
        </li>
      ))}
    </ol>
  );
}
