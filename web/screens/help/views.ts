/** The parts of help, each at `/help?view=<name>`. */
const viewNames = [
  "article",
  "promises",
  "withdrawals",
  "red-flags",
  "caught",
  "binary",
  "lesson",
  "sitting",
  "thief",
  "powers",
] as const;
export type ViewName = (typeof viewNames)[number];

export function isView(text: string | null): text is ViewName {
  return (viewNames as readonly string[]).includes(text ?? "");
}

export const promiseNumbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export type PromiseNumber = (typeof promiseNumbers)[number];

/** Path of one red flag. */
export const buildFlagPath = (id: string) => `/help?view=red-flags&flag=${id}`;
export const buildArticlePath = (id: string) => `/help?view=article&article=${id}`;
export const buildPromisePath = (number: number) => `/help?view=promises#promise-${number}`;
