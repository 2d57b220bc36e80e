/**
 * The first lesson: twelve scenes in this order, each with a decision, in the stages that victims
 * of fraud report. Their texts are in i18n (`lesson.<scene>.…`); which choice keeps a person safe
 * is decided here, for server and browser alike (docs/rules/invites.md).
 */
const scenes = {
  tip: { stage: "contact", right: "b" },
  group: { stage: "contact", right: "c" },
  gain: { stage: "gain", right: "a" },
  authorise: { stage: "gain", right: "b" },
  payout: { stage: "payout", right: "c" },
  loan: { stage: "payout", right: "b" },
  bank: { stage: "payout", right: "a" },
  tax: { stage: "tax", right: "a" },
  papers: { stage: "tax", right: "c" },
  another: { stage: "tax", right: "b" },
  helper: { stage: "helper", right: "a" },
  office: { stage: "helper", right: "c" },
} as const satisfies Record<string, { stage: string; right: Choice }>;
export type SceneName = keyof typeof scenes;
export const sceneNames = Object.keys(scenes) as readonly SceneName[];

/**
 * The stages: first contact, early gains, the blocked payout, the aftermath, and the return of the
 * fraudster.
 */
export const stages = ["contact", "gain", "payout", "tax", "helper"] as const;
export type Stage = (typeof stages)[number];

export const getStage = (scene: SceneName): Stage => scenes[scene].stage;

/** The choices of every scene, in display order. */
export const choices = ["a", "b", "c"] as const;
export type Choice = (typeof choices)[number];

/** The choice in each scene that risks nothing. */
export const correctChoices = Object.fromEntries(
  sceneNames.map((scene) => [scene, scenes[scene].right]),
) as Readonly<Record<SceneName, Choice>>;

/** One choice for each scene. */
export type Answers = Readonly<Record<SceneName, Choice>>;

export const isCorrectChoice = (scene: SceneName, choice: Choice): boolean =>
  correctChoices[scene] === choice;

/** Number of scenes in which nothing was risked, 0 to 12. */
export function countRight(answers: Answers): number {
  return sceneNames.filter((scene) => isCorrectChoice(scene, answers[scene])).length;
}

/** The answers in stored form: their letters in scene order. */
export const writeAnswers = (answers: Answers): string =>
  sceneNames.map((scene) => answers[scene]).join("");

/** Reads the output of `writeAnswers`, or null. */
export function parseAnswers(text: string): Answers | null {
  if (text.length !== sceneNames.length || !/^[abc]+$/.test(text)) return null;
  return Object.fromEntries(sceneNames.map((scene, index) => [scene, text[index]])) as Record<
    SceneName,
    Choice
  >;
}
