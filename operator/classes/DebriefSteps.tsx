import { type ReactNode, useEffect, useRef, useState } from "react";
import { useIntl } from "react-intl";
import type { ClassDebrief } from "#api/operator/debrief.ts";
import { type FigureName, figureNames } from "#core/classes/debrief.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { DebriefFigure } from "#operator/classes/DebriefFigure.tsx";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { PracticeBand } from "#ui/PracticeBand.tsx";

interface Props {
  debrief: ClassDebrief;
  busy: boolean;
  /** The error of the last count. */
  note: ReactNode;
  onRecount: () => void;
}

const lastStep = figureNames.length - 1;

/** One figure at a time, in large type on a light background; all of them in print. */
export function DebriefSteps({ debrief, busy, note, onRecount }: Props) {
  const t = useText();
  const { step, go, stage } = useSteps();
  const [isFull, enter] = useFullScreen(stage);
  return (
    <ConsolePage
      title={t("debrief.title")}
      lead={debrief.label ?? t("debrief.unnamed")}
      actions={
        <div className="flex flex-wrap gap-2 print:hidden">
          <Button size="small" variant="outline" busy={busy} onClick={onRecount}>
            {t("debrief.recount")}
          </Button>
          <Button size="small" variant="outline" onClick={() => window.print()}>
            {t("debrief.print")}
          </Button>
          <Button size="small" onClick={enter}>
            {t("debrief.full")}
          </Button>
        </div>
      }
    >
      <p className="px-4 pt-1 text-small text-ink-faint print:hidden">
        {t("debrief.recount.hint")}
      </p>
      {note ? <div className="px-4 pt-3">{note}</div> : null}
      <section
        ref={stage}
        aria-label={t("debrief.title")}
        className={cx("paper-light mt-4 flex flex-col p-4 pane:p-8", isFull ? "pt-12" : undefined)}
      >
        {isFull ? <PracticeBand /> : null}
        {figureNames.map((name, index) => (
          <Slide key={name} name={name} debrief={debrief} isShown={index === step} />
        ))}
        <div className="mt-8 flex items-center justify-between gap-4 print:hidden">
          <Button variant="outline" disabled={step === 0} onClick={() => go(step - 1)}>
            {t("debrief.previous")}
          </Button>
          <span className="text-small text-ink-soft tabular-nums" aria-live="polite">
            {t("debrief.step", { step: step + 1, count: lastStep + 1 })}
          </span>
          <Button disabled={step === lastStep} onClick={() => go(step + 1)}>
            {t("debrief.next")}
          </Button>
        </div>
      </section>
    </ConsolePage>
  );
}

interface SlideProps {
  name: FigureName;
  debrief: ClassDebrief;
  isShown: boolean;
}

function Slide({ name, debrief, isShown }: SlideProps) {
  const t = useText();
  const { formatTime } = useIntl();
  const figure = debrief.figures[name];
  return (
    <article
      data-slide={name}
      aria-labelledby={`debrief-${name}`}
      className={cx("break-inside-avoid print:mb-6", isShown ? undefined : "hidden print:block")}
    >
      <h2
        id={`debrief-${name}`}
        tabIndex={-1}
        className="text-title font-strong tracking-tight pane:text-figure"
      >
        {t(`debrief.${name}`)}
      </h2>
      {figure ? (
        <>
          <DebriefFigure name={name} debrief={debrief} />
          <p className="mt-4 text-small text-ink-faint print:mt-1">
            {t("debrief.counted", {
              time: formatTime(figure.counted_at_ms, { timeStyle: "short" }),
            })}
          </p>
        </>
      ) : (
        <p className="mt-6 text-title text-ink-soft print:mt-2 print:text-small">
          {t("debrief.none")}
        </p>
      )}
      <p className="mt-6 border-l-4 border-line-strong pl-4 text-title text-pretty print:mt-2 print:text-small">
        {t(`debrief.${name}.ask`)}
      </p>
    </article>
  );
}

/** The step that a key leads to; null for other keys. */
function nextStep(step: number, key: string): number | null {
  switch (key) {
    case "ArrowRight":
    case "PageDown":
      return step + 1;
    case "ArrowLeft":
    case "PageUp":
      return step - 1;
    case "Home":
      return 0;
    case "End":
      return lastStep;
    default:
      return null;
  }
}

/** The current step; arrow and page keys change it, as presentation remotes send them. */
function useSteps() {
  const stage = useRef<HTMLElement>(null);
  const [step, setStep] = useState(0);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each step takes the focus
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false;
      return;
    }
    stage.current?.querySelector<HTMLElement>("article:not(.hidden) h2")?.focus();
  }, [step]);
  const goToStep = (to: number) => setStep(Math.max(0, Math.min(lastStep, to)));
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const next = nextStep(step, event.key);
      // An open sheet, such as elevation, keeps its own keys.
      if (next === null || document.querySelector("[role=dialog]")) return;
      event.preventDefault();
      setStep(Math.max(0, Math.min(lastStep, next)));
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, [step]);
  return { step, go: goToStep, stage };
}

/** Shows the element full screen; Escape returns. */
function useFullScreen(stage: { readonly current: HTMLElement | null }) {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    const onChange = () => setIsFull(document.fullscreenElement !== null);
    document.addEventListener("fullscreenchange", onChange);
    return () => document.removeEventListener("fullscreenchange", onChange);
  }, []);
  const enter = () => void stage.current?.requestFullscreen().catch(() => undefined);
  return [isFull, enter] as const;
}
