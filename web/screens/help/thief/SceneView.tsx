import { IconAlertTriangle, IconCheck } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { cx } from "#ui/cx.ts";
import { Progress } from "#ui/figures/Progress.tsx";
import { Link } from "#ui/router.tsx";
import { edge, layOutPicture, pictureWidth } from "#web/screens/help/thief/pictureShape.ts";
import {
  buildThiefPath,
  isSeenThrough,
  type Mark,
  type ThiefScene,
  type Tool,
  thiefScenes,
  tools,
} from "#web/screens/help/thief/scenes.ts";
import { ThiefPicture } from "#web/screens/help/thief/ThiefPicture.tsx";

/** Where each tool can be tried, and the label of its link. */
const places: Readonly<Record<Tool, readonly [path: string, label: string]>> = {
  receipt: ["/verify?specimen=1", "thief.try.receipt"],
  log: ["/verify?part=log", "help.try.log"],
  reader: ["/authorized-activity", "thief.try.reader"],
  withdraw: ["/wallet-info?coin=pUSDT&do=withdraw&amount=all", "help.try.withdraw"],
};

/** The person's choices in a picture: the part they marked, then the tool they would use. */
export interface Choices {
  mark: Mark;
  tool?: Tool;
}

export interface SceneViewProps {
  scene: ThiefScene;
  choices: Choices | undefined;
  /** Without choices, the person looks at the picture again. */
  onChoose: (choices: Choices | undefined) => void;
}

/**
 * One picture: the person marks what is wrong in it, and then what would show it; a path that
 * misses it goes on to its loss. The list beside the picture describes each of its parts, so that
 * the picture can be marked without seeing it.
 */
export function SceneView({ scene, choices, onChoose }: SceneViewProps) {
  const t = useText();
  const feedbackRef = useRef<HTMLDivElement>(null);
  const mark = choices?.mark;
  const tool = choices?.tool;
  useEffect(() => {
    if (mark === undefined) return;
    // The pressed button is gone: move focus to the result.
    feedbackRef.current?.scrollIntoView({ block: "nearest" });
    feedbackRef.current?.focus({ preventScroll: true });
  }, [mark]);
  const number = thiefScenes.indexOf(scene) + 1;
  const total = thiefScenes.length;
  const step = t("thief.step", { number, total });
  const isExposed = mark !== undefined && isSeenThrough(scene, mark);
  const isLost = mark !== undefined && !isExposed;
  return (
    <div className="flex flex-col gap-4 px-4 pane:grid pane:grid-cols-2 pane:items-start pane:gap-x-8">
      <div className="flex flex-col gap-2 pane:col-span-2">
        <p className="text-caption text-ink-faint">{step}</p>
        <Progress value={(number * 100) / total} label={step} />
      </div>
      <h2 className="text-title font-strong pane:col-span-2">{t(`thief.${scene.id}.title`)}</h2>
      <div className="relative mx-auto w-full max-w-96">
        <ThiefPicture
          scene={scene}
          isMarked={typeof mark === "number" ? mark : null}
          isRevealed={isExposed}
        />
        {mark === undefined ? (
          <Areas scene={scene} onMark={(area) => onChoose({ mark: area })} />
        ) : null}
      </div>
      <div className="flex flex-col gap-4">
        {mark === undefined ? (
          <MarkChoices scene={scene} onMark={(mark) => onChoose({ mark: mark })} />
        ) : (
          <div ref={feedbackRef} tabIndex={-1} className="flex flex-col gap-4 outline-none">
            {isLost ? <Loss scene={scene} mark={mark} /> : null}
            {isExposed && !tool ? (
              <Tools onTool={(toolName) => onChoose({ mark, tool: toolName })} />
            ) : null}
            {isExposed && tool ? <Seen scene={scene} tool={tool} /> : null}
            {isLost || tool ? <Next scene={scene} /> : null}
            {isLost ? (
              <Button block variant="quiet" onClick={() => onChoose(undefined)}>
                {t("thief.again")}
              </Button>
            ) : null}
          </div>
        )}
      </div>
    </div>
  );
}

/**
 * The areas that can be pressed in the picture; the list has the same for keyboard and screen
 * reader.
 */
function Areas({ scene, onMark }: { scene: ThiefScene; onMark: (part: number) => void }) {
  const t = useText();
  const { height, boxes } = layOutPicture(scene);
  const percent = (part: number, total: number) => `${(part * 100) / total}%`;
  return (
    <div aria-hidden="true">
      {boxes.map((box) => (
        <button
          key={box.number}
          type="button"
          tabIndex={-1}
          aria-label={t(`thief.${scene.id}.${box.number}`)}
          onClick={() => onMark(box.number)}
          className="absolute rounded-dock border border-transparent transition-colors hover:border-signal"
          style={{
            top: percent(box.y, height),
            height: percent(box.height, height),
            left: percent(edge, pictureWidth),
            right: percent(edge, pictureWidth),
          }}
        />
      ))}
    </div>
  );
}

const choice =
  "flex min-h-12 w-full items-center gap-3 rounded-dock border border-line-strong px-4 py-2.5 text-left text-signal-ink transition-colors hover:bg-leaf active:bg-well";

function MarkChoices({ scene, onMark }: { scene: ThiefScene; onMark: (mark: Mark) => void }) {
  const { formatNumber } = useIntl();
  const t = useText();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-2 font-strong">{t("thief.ask")}</legend>
      {layOutPicture(scene).boxes.map(({ number }) => (
        <button key={number} type="button" onClick={() => onMark(number)} className={choice}>
          <span className="w-3 shrink-0 font-strong">{formatNumber(number)}</span>
          <span className="min-w-0 flex-1">{t(`thief.${scene.id}.${number}`)}</span>
        </button>
      ))}
      <button type="button" onClick={() => onMark("nothing")} className={choice}>
        {t("thief.nothing")}
      </button>
    </fieldset>
  );
}

function Tools({ onTool }: { onTool: (tool: Tool) => void }) {
  const t = useText();
  return (
    <>
      <p className="flex items-center gap-2 font-strong">
        <IconCheck size={20} aria-hidden="true" className="shrink-0" />
        {t("thief.right")}
      </p>
      <fieldset className="flex flex-col gap-2">
        <legend className="pb-2 font-strong">{t("thief.how")}</legend>
        {tools.map((tool) => (
          <button key={tool} type="button" onClick={() => onTool(tool)} className={choice}>
            {t(`thief.tool.${tool}`)}
          </button>
        ))}
      </fieldset>
    </>
  );
}

function Seen({ scene, tool }: { scene: ThiefScene; tool: Tool }) {
  const t = useText();
  const [position, label] = places[scene.tool];
  return (
    <>
      <Outcome
        icon={<IconCheck size={20} aria-hidden="true" className="shrink-0" />}
        title={t("thief.shows", { tool: t(`thief.tool.${scene.tool}`) })}
        className="border-tide"
      >
        {tool === scene.tool ? null : <p className="text-ink-soft">{t("thief.notThat")}</p>}
        <p>{t(`thief.${scene.id}.seen`)}</p>
      </Outcome>
      <Link to={position} className={buttonClass({ variant: "outline", block: true })}>
        {t(label)}
      </Link>
    </>
  );
}

function Loss({ scene, mark }: { scene: ThiefScene; mark: Mark }) {
  const t = useText();
  return (
    <Outcome
      icon={<IconAlertTriangle size={20} aria-hidden="true" className="shrink-0" />}
      title={t("thief.on")}
      className="border-warning"
    >
      {mark === "nothing" ? null : <p className="text-ink-soft">{t("thief.harmless")}</p>}
      <p>{t(`thief.${scene.id}.loss`)}</p>
    </Outcome>
  );
}

interface OutcomeProps {
  icon: ReactNode;
  title: string;
  className: string;
  children: ReactNode;
}

function Outcome({ icon, title, className, children }: OutcomeProps) {
  return (
    <div className={cx("flex flex-col gap-2 border-l-2 pl-3", className)}>
      <p className="flex items-center gap-2 font-strong">
        {icon}
        {title}
      </p>
      {children}
    </div>
  );
}

function Next({ scene }: { scene: ThiefScene }) {
  const t = useText();
  const nextScene = thiefScenes[thiefScenes.indexOf(scene) + 1];
  return (
    <Link to={buildThiefPath(nextScene?.id ?? "end")} className={buttonClass({ block: true })}>
      {t(nextScene ? "thief.next" : "thief.toEnd")}
    </Link>
  );
}
