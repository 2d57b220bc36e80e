import { useEffect, useRef } from "react";
import {
  type Answers,
  countRight,
  isCorrectChoice,
  sceneNames,
  stages,
} from "#core/lesson/scenes.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Fold } from "#ui/Fold.tsx";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import type { LessonRun } from "#web/screens/help/lesson/run.ts";
import { flags } from "#web/screens/help/lesson/SceneView.tsx";

/** How the twelve decisions went, and whether the result was saved. */
export function Ending({ run }: { run: LessonRun }) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  const { chosen } = run;
  const count = countRight(chosen as Answers);
  return (
    <div className="max-wide:max-w-160 wide:grid wide:grid-cols-2 wide:items-start wide:gap-x-8">
      <div className="flex flex-col gap-3 px-4 wide:text-title">
        <h2
          ref={heading}
          tabIndex={-1}
          className="text-title font-strong outline-none wide:text-figure"
        >
          {t("lesson.end.title")}
        </h2>
        <p>{t("lesson.end.count", { count, total: sceneNames.length })}</p>
        <p className="text-small text-ink-soft wide:text-body">{t("lesson.end.fades")}</p>
        <Keep run={run} />
      </div>
      <Section
        title={t("lesson.end.scenes")}
        className="wide:col-start-2 wide:row-span-3 wide:row-start-1 wide:mt-0!"
      >
        {sceneNames.map((scene) => {
          const sound = isCorrectChoice(scene, chosen[scene]!);
          return (
            <Row
              key={scene}
              to={`/help?view=red-flags&flag=${flags[scene]}`}
              label={t(`lesson.${scene}.title`)}
              value={
                <Badge tone={sound ? "neutral" : "warning"}>
                  {t(sound ? "lesson.sound.short" : "lesson.risky.short")}
                </Badge>
              }
            />
          );
        })}
      </Section>
      <Section title={t("lesson.friend")} note={t("lesson.friend.text")} kind="plain">
        {stages.map((stage) => (
          <Fold key={stage} label={t(`lesson.stage.${stage}`)}>
            <p className="pb-3">{t(`lesson.friend.${stage}`)}</p>
          </Fold>
        ))}
      </Section>
      <div className="flex flex-col gap-2 px-4 pt-6">
        <Link
          to="/help?view=sitting"
          className={buttonClass({ variant: run.signedIn ? "primary" : "outline", block: true })}
        >
          {t("lesson.toSitting")}
        </Link>
        <Link
          to="/help?view=red-flags"
          className={buttonClass({ variant: "outline", block: true })}
        >
          {t("lesson.end.flags")}
        </Link>
        <Button block variant="quiet" onClick={run.begin}>
          {t("lesson.again")}
        </Button>
      </div>
    </div>
  );
}

/** Saves the result, or says how to. */
function Keep({ run }: { run: LessonRun }) {
  const t = useText();
  const { signIn } = useSession();
  const errorMessage = useErrorMessage();
  if (run.kept) return <output className="block">{t("lesson.end.kept")}</output>;
  if (run.error)
    return (
      <ErrorNote onRetry={() => void run.keep()} busy={run.isBusy}>
        {errorMessage(run.error)}
      </ErrorNote>
    );
  if (run.isBusy) return null;
  return run.signedIn ? (
    <Button block onClick={() => void run.keep()}>
      {t("lesson.end.keep")}
    </Button>
  ) : (
    <>
      <p>{t("lesson.end.notKept")}</p>
      <Button block onClick={signIn}>
        {t("lesson.end.signIn")}
      </Button>
    </>
  );
}
