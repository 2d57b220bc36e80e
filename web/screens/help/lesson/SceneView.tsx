import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import {
  type Choice,
  choices,
  isCorrectChoice,
  type SceneName,
  sceneNames,
} from "#core/lesson/scenes.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { Progress } from "#ui/figures/Progress.tsx";
import { Link } from "#ui/router.tsx";
import { ScenePhone } from "#web/screens/help/lesson/ScenePhone.tsx";

/** The red flag to read more about each scene. */
export const flags: Readonly<Record<SceneName, string>> = {
  tip: "stranger",
  group: "stranger",
  gain: "charts",
  authorise: "allowance",
  payout: "bait",
  loan: "bait",
  bank: "support",
  tax: "fee",
  papers: "documents",
  another: "fee",
  helper: "recovery",
  office: "recovery",
};

export interface SceneViewProps {
  number: number;
  scene: SceneName;
  chosen: Choice | undefined;
  onChoose: (choice: Choice) => void;
  onNext: () => void;
}

/**
 * One scene: what is seen, three possible actions, and after the decision what it would have meant;
 * on wide screens beside the scene, in type for a projector.
 */
export function SceneView({ number, scene, chosen, onChoose, onNext }: SceneViewProps) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  // Each scene mounts again and starts at the top.
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  const feedbackRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!chosen) return;
    // The pressed button is now disabled: move focus on, and on a phone scroll to the answer below.
    feedbackRef.current?.scrollIntoView({ block: "nearest" });
    feedbackRef.current
      ?.querySelector<HTMLElement>(":scope > button")
      ?.focus({ preventScroll: true });
  }, [chosen]);
  const total = sceneNames.length;
  const step = t("lesson.step", { number, total });
  return (
    <div className="flex flex-col gap-4 px-4 pane:grid pane:grid-cols-2 pane:items-start pane:gap-x-8 wide:text-title">
      <div className="flex flex-col gap-2 pane:col-span-2">
        <p className="text-caption text-ink-faint">{step}</p>
        <Progress value={(number * 100) / total} label={step} />
      </div>
      <h2
        ref={heading}
        tabIndex={-1}
        className="text-title font-strong outline-none pane:col-span-2 wide:text-figure"
      >
        {t(`lesson.${scene}.title`)}
      </h2>
      <ScenePhone scene={scene} />
      <div className="flex flex-col gap-4">
        <fieldset className="flex flex-col gap-2">
          <legend className="pb-2 font-strong">{t("lesson.ask")}</legend>
          {choices.map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={chosen === choice}
              disabled={chosen !== undefined}
              onClick={() => onChoose(choice)}
              className={cx(
                "flex min-h-12 items-center gap-2 rounded-dock border px-4 py-2.5 text-left transition-colors",
                chosen === undefined
                  ? "border-line-strong text-signal-ink hover:bg-leaf active:bg-well"
                  : chosen === choice
                    ? "border-ink bg-leaf font-strong"
                    : "border-line text-ink-soft",
              )}
            >
              <span className="min-w-0 flex-1">{t(`lesson.${scene}.${choice}`)}</span>
              {chosen !== undefined && isCorrectChoice(scene, choice) ? (
                <>
                  <IconCheck size={20} aria-hidden="true" className="shrink-0" />
                  <span className="sr-only">, {t("lesson.sound.short")}</span>
                </>
              ) : null}
            </button>
          ))}
        </fieldset>
        <div ref={feedbackRef} className="flex flex-col gap-4">
          <div aria-live="polite">{chosen ? <Feedback scene={scene} choice={chosen} /> : null}</div>
          {chosen ? (
            <Button block onClick={onNext}>
              {t(number === total ? "lesson.toEnd" : "lesson.next")}
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  );
}

function Feedback({ scene, choice }: { scene: SceneName; choice: Choice }) {
  const t = useText();
  const sound = isCorrectChoice(scene, choice);
  const Icon = sound ? IconCheck : IconAlertTriangle;
  return (
    <div className={cx("border-l-2 pl-3", sound ? "border-tide" : "border-warning")}>
      <p className="flex items-center gap-2 font-strong">
        <Icon size={20} aria-hidden="true" className="shrink-0" />
        {t(sound ? "lesson.sound" : "lesson.risky")}
      </p>
      <p className="mt-1">{t(`lesson.${scene}.${sound ? "right" : "wrong"}`)}</p>
      <Link
        to={`/help?view=red-flags&flag=${flags[scene]}`}
        className="inline-flex min-h-11 items-center text-small font-strong text-signal-ink hover:underline"
      >
        {t("lesson.more")}
      </Link>
    </div>
  );
}
