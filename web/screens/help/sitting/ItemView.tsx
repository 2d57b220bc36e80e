import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useIntl } from "react-intl";
import { getItem, type Item } from "#core/lesson/items.ts";
import {
  isRight,
  type SittingAnswer,
  type SittingItem,
  sittingAnswers,
} from "#core/lesson/sittings.ts";
import { type LessonSource, lessonSources } from "#core/lesson/sources.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { Progress } from "#ui/figures/Progress.tsx";
import { formatPartialDate } from "#web/features/binary-warning/partialDate.ts";
import { OutLink } from "#web/features/leave-site/OutLink.tsx";
import { ItemPicture } from "#web/screens/help/sitting/ItemPicture.tsx";

export interface ItemViewProps {
  number: number;
  total: number;
  given: SittingItem;
  onAnswer: (answer: SittingAnswer) => void;
  onNext: () => void;
}

/** One item, two buttons of equal weight, and after the answer what decides and who published it. */
export function ItemView({ number, total, given, onAnswer, onNext }: ItemViewProps) {
  const t = useText();
  const item = getItem(given.item);
  const heading = useRef<HTMLHeadingElement>(null);
  // Each item mounts again and starts at the top.
  useEffect(() => {
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  const feedbackRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (given.answer === null) return;
    // The pressed button is now disabled: move focus on, and on a phone scroll to the answer below.
    feedbackRef.current?.scrollIntoView({ block: "nearest" });
    feedbackRef.current
      ?.querySelector<HTMLElement>(":scope > button")
      ?.focus({ preventScroll: true });
  }, [given.answer]);
  const step = t("sitting.step", { number, total });
  return (
    <div className="flex flex-col gap-4 px-4 pane:grid pane:grid-cols-2 pane:items-start pane:gap-x-8 wide:text-title">
      <div className="flex flex-col gap-2 pane:col-span-2">
        <p className="text-caption text-ink-faint wide:text-small">{step}</p>
        <Progress value={(number * 100) / total} label={step} />
      </div>
      <h2
        ref={heading}
        tabIndex={-1}
        className="text-title font-strong outline-none pane:col-span-2 wide:text-figure"
      >
        {t("sitting.ask")}
      </h2>
      <ItemPicture item={item} />
      <div className="flex flex-col gap-4">
        <fieldset className="grid grid-cols-2 gap-2">
          <legend className="sr-only">{t("sitting.ask")}</legend>
          {sittingAnswers.map((answer) => (
            <button
              key={answer}
              type="button"
              aria-pressed={given.answer === answer}
              disabled={given.answer !== null}
              onClick={() => onAnswer(answer)}
              className={cx(
                "min-h-12 rounded-dock border px-4 py-2 font-strong transition-colors",
                given.answer === null
                  ? "border-line-strong text-signal-ink hover:bg-leaf active:bg-well"
                  : given.answer === answer
                    ? "border-ink bg-leaf"
                    : "border-line text-ink-soft",
              )}
            >
              {t(`sitting.${answer}`)}
            </button>
          ))}
        </fieldset>
        <div ref={feedbackRef} className="flex flex-col gap-4">
          <div aria-live="polite">
            {given.answer ? <Feedback item={item} answer={given.answer} /> : null}
          </div>
          {given.answer ? (
            <Button block onClick={onNext}>
              {t(number === total ? "sitting.toEnd" : "sitting.next")}
            </Button>
          ) : null}
        </div>
      </div>
    </div>
  );
}

function Feedback({ item, answer }: { item: Item; answer: SittingAnswer }) {
  const t = useText();
  const isAnswerRight = isRight(item.name, answer);
  const Icon = isAnswerRight ? IconCheck : IconAlertTriangle;
  const result = item.honest
    ? t(isAnswerRight ? "sitting.trusted" : "sitting.alarm")
    : t(isAnswerRight ? "sitting.caught" : "sitting.missed");
  return (
    <div className={cx("border-l-2 pl-3", isAnswerRight ? "border-tide" : "border-warning")}>
      <p className="flex items-center gap-2 font-strong">
        <Icon size={20} aria-hidden="true" className="shrink-0" />
        {result}
      </p>
      <Reason item={item} />
    </div>
  );
}

/** The sentence why, the trait that decides, and its source. */
export function Reason({ item }: { item: Item }) {
  const t = useText();
  const intl = useIntl();
  const source: LessonSource = lessonSources[item.source];
  return (
    <>
      <p className="mt-1">{t(`sitting.${item.name}.why`)}</p>
      <dl className="mt-3 flex flex-col gap-2 text-small">
        <div>
          <dt className="text-ink-faint">{t("sitting.decides")}</dt>
          <dd className="font-strong">{t(`sitting.trait.${item.trait}`)}</dd>
        </div>
        <div>
          <dt className="text-ink-faint">{t("sitting.source")}</dt>
          <dd className="text-ink-soft">
            {source.authority}: <cite className="not-italic">{source.title}</cite>,{" "}
            {formatPartialDate(intl, source.date)}
            <br />
            <OutLink url={source.url}>{new URL(source.url).host}</OutLink>
          </dd>
        </div>
      </dl>
    </>
  );
}
