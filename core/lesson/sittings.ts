import { getItem, type ItemName, isItemName, items } from "#core/lesson/items.ts";

/**
 * A sitting: ten items in random order, five of them honest, each called honest or a scam
 * (docs/rules/help.md, "Sittings"). Giving the same answer ten times scores five.
 */
export const sittingSize = 10;
export const honestPerSitting = 5;

export const sittingAnswers = ["honest", "scam"] as const;
export type SittingAnswer = (typeof sittingAnswers)[number];

/** A random whole number from 0 to `end` - 1, each equally likely. */
export type RandomBelow = (end: number) => number;

/**
 * Draws the items of the next sitting. `seenItems` lists all items of earlier sittings, oldest
 * first: none of them repeats while enough others are left; after that, those seen longest ago
 * repeat first.
 */
export function drawSitting(seenItems: readonly ItemName[], randomBelow: RandomBelow): ItemName[] {
  const lastSeenAt = new Map(seenItems.map((name, index) => [name, index]));
  const drawItems = (honest: boolean, count: number): ItemName[] => {
    const names = items.filter((item) => item.honest === honest).map(({ name }) => name);
    const unseen = names.filter((name) => !lastSeenAt.has(name));
    const seenNames = names
      .filter((name) => lastSeenAt.has(name))
      .sort((a, b) => lastSeenAt.get(a)! - lastSeenAt.get(b)!);
    return [...shuffle(unseen, randomBelow), ...seenNames].slice(0, count);
  };
  const drawnItems = [
    ...drawItems(true, honestPerSitting),
    ...drawItems(false, sittingSize - honestPerSitting),
  ];
  return shuffle(drawnItems, randomBelow);
}

/** Fisher–Yates shuffle: each order is equally likely. */
function shuffle<T>(list: readonly T[], randomBelow: RandomBelow): T[] {
  const shuffled = [...list];
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    const swapIndex = randomBelow(index + 1);
    [shuffled[index], shuffled[swapIndex]] = [shuffled[swapIndex]!, shuffled[index]!];
  }
  return shuffled;
}

/** One item of a sitting and the person's answer; null until given. */
export interface SittingItem {
  item: ItemName;
  answer: SittingAnswer | null;
}

export const isRight = (name: ItemName, answer: SittingAnswer): boolean =>
  getItem(name).honest === (answer === "honest");

export interface SittingScore {
  /** Scams that were called a scam. */
  hits: number;
  /** Honest items that were called a scam. */
  falseAlarms: number;
}

/** The result of a finished sitting; null while an item has no answer. */
export function scoreSitting(list: readonly SittingItem[]): SittingScore | null {
  if (list.some(({ answer }) => answer === null)) return null;
  const calledScam = list.filter(({ answer }) => answer === "scam");
  const falseAlarms = calledScam.filter(({ item }) => getItem(item).honest).length;
  return { hits: calledScam.length - falseAlarms, falseAlarms };
}

/** Adds answers to a sitting. Only the first answer to an item counts. */
export function addAnswers(
  list: readonly SittingItem[],
  sittingItems: readonly SittingItem[],
): SittingItem[] {
  return list.map((sittingItem) => ({
    item: sittingItem.item,
    answer:
      sittingItem.answer ??
      sittingItems.find(({ item }) => item === sittingItem.item)?.answer ??
      null,
  }));
}

/** A sitting in stored form: `item:answer`, or the item alone, with spaces between. */
export const writeSitting = (list: readonly SittingItem[]): string =>
  list.map(({ item, answer }) => (answer === null ? item : `${item}:${answer}`)).join(" ");

/** Reads the output of `writeSitting`, or null. */
export function parseSitting(text: string): SittingItem[] | null {
  const list = text.split(" ").map((part): SittingItem | null => {
    const [item = "", answer] = part.split(":");
    if (!isItemName(item)) return null;
    if (answer === undefined) return { item, answer: null };
    return answer === "honest" || answer === "scam" ? { item, answer } : null;
  });
  return list.every((sittingItem) => sittingItem !== null) && list.length === sittingSize
    ? list
    : null;
}
