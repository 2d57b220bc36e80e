import { useState } from "react";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Row } from "#ui/Row.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { reportTask } from "#web/features/classes/reportTask.ts";
import { browserStorage } from "#web/lib/storage.ts";
import { type Choices, SceneView } from "#web/screens/help/thief/SceneView.tsx";
import { buildThiefPath, isSeenThrough, thiefScenes } from "#web/screens/help/thief/scenes.ts";

/**
 * The person's choices in each picture on this visit; nothing of them is stored or sent. A class
 * that has it as a task learns only that one picture was viewed.
 */
type Visit = Readonly<Record<string, Choices | undefined>>;

/**
 * `/help?view=thief`: the screens of this app as a thief would build them, one after the other;
 * `scene=` names one of them, or `end`.
 */
export default function ThiefView() {
  const [query] = useSearchParams();
  const [visit, setVisit] = useState<Visit>({});
  const requestedScene = query.get("scene");
  const scene = thiefScenes.find(({ id }) => id === requestedScene);
  const choose = (id: string, choices: Choices | undefined) => {
    setVisit((now) => ({ ...now, [id]: choices }));
    // A part of the first ten minutes: a picture was looked at to its end.
    if (
      choices &&
      (choices.tool ||
        !isSeenThrough(thiefScenes.find((thiefScene) => thiefScene.id === id)!, choices.mark))
    ) {
      browserStorage.write("fraud_met", "1");
      reportTask("fraud");
    }
  };
  if (scene) {
    return (
      <SceneView
        key={scene.id}
        scene={scene}
        choices={visit[scene.id]}
        onChoose={(choices) => choose(scene.id, choices)}
      />
    );
  }
  if (requestedScene !== "end") return <Start />;
  return (
    <div className="max-w-160">
      <Ending visit={visit} />
    </div>
  );
}

/** On a phone only the beginning; beside it, where there is room, every picture in order. */
function Start() {
  const t = useText();
  return (
    <div className="pane:grid pane:grid-cols-2 pane:items-start pane:gap-x-8">
      <div className="flex flex-col gap-3 px-4 pt-1 wide:gap-5 wide:text-title">
        <p>{t("thief.intro")}</p>
        <p className="text-small text-ink-soft wide:text-body">{t("thief.still")}</p>
        <Link to={buildThiefPath(thiefScenes[0]!.id)} className={buttonClass({ block: true })}>
          {t("thief.begin")}
        </Link>
      </div>
      <ol className="hairlines mx-4 rounded-dock border border-line max-pane:hidden wide:text-title">
        {thiefScenes.map(({ id }) => (
          <li key={id}>
            <Row to={buildThiefPath(id)} label={t(`thief.${id}.title`)} />
          </li>
        ))}
      </ol>
    </div>
  );
}

function Ending({ visit }: { visit: Visit }) {
  const t = useText();
  const visited = thiefScenes.flatMap((scene) => {
    const mark = visit[scene.id]?.mark;
    return mark === undefined ? [] : [{ id: scene.id, seen: isSeenThrough(scene, mark) }];
  });
  const count = visited.filter(({ seen }) => seen).length;
  return (
    <>
      <div className="flex flex-col gap-3 px-4">
        <h2 className="text-title font-strong">{t("thief.end")}</h2>
        {visited.length > 0 ? (
          <p>{t("thief.end.count", { count, total: visited.length })}</p>
        ) : null}
        <p>{t("thief.end.text")}</p>
      </div>
      <Section title={t("thief.end.list")}>
        {thiefScenes.map(({ id }) => {
          const item = visited.find((visit) => visit.id === id);
          return (
            <Row
              key={id}
              to={buildThiefPath(id)}
              label={t(`thief.${id}.title`)}
              value={
                item ? (
                  <Badge tone={item.seen ? "neutral" : "warning"}>
                    {t(item.seen ? "thief.seen" : "thief.missed")}
                  </Badge>
                ) : undefined
              }
            />
          );
        })}
      </Section>
      <div className="px-4 pt-6">
        <Link to="/help?view=caught" className={buttonClass({ variant: "outline", block: true })}>
          {t("help.view.caught")}
        </Link>
      </div>
    </>
  );
}
