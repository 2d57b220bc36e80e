/**
 * The first lesson: six scenes in this order, each with a decision. Their texts are in i18n
 * (`lesson.<scene>.…`); which choice keeps a person safe is decided here, for server and browser
 * alike (docs/rules/invites.md).
 */
export const sceneNames = ["tip", "payout", "authorise", "tax", "papers", "helper"] as const;
export type SceneName = (typeof sceneNames)[number];

/** The choices of every scene, in display order. */
export const choices = ["a", "b", "c"] as const;
export type Choice = (typeof choices)[number];

/** The choice in each scene that risks nothing. */
export const rightChoice: Readonly<Record<SceneName, Choice>> = {
  tip: "b",
  payout: "c",
  authorise: "b",
  tax: "a",
  papers: "c",
  helper: "a",
};

/** One choice for each scene. */
export type Answers = Readonly<Record<SceneName, Choice>>;

export const isSound = (scene: SceneName, choice: Choice): boolean => rightChoice[scene] === choice;

/** Number of scenes in which nothing was risked, 0 to 6. */
export function countRight(answers: Answers): number {
  return sceneNames.filter((scene) => isSound(scene, answers[scene])).length;
}

/** The answers in stored form: their letters in scene order. */
export const writeAnswers = (answers: Answers): string =>
  sceneNames.map((scene) => answers[scene]).join("");

/** Reads the output of `writeAnswers`, or null. */
export function parseAnswers(text: string): Answers | null {
  if (text.length !== sceneNames.length || !/^[abc]+$/.test(text)) return null;
  return Object.fromEntries(sceneNames.map((scene, at) => [scene, text[at]])) as Record<
    SceneName,
    Choice
  >;
}
