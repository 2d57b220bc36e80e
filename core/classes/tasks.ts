interface TaskRule {
  /**
   * Evidence that a task is done: from the server's rows of an order or a withdrawal, or from a
   * check that ran in the pupil's browser, which then reports it.
   */
  known: "stored" | "reported";
  /** The address in the app at which the task is done. */
  to: `/${string}`;
}

/**
 * The closed list of tasks that a teacher sets for a class, in the order in which they are shown
 * (docs/rules/classes.md). None depends on a gain or a loss.
 */
export const classTasks = {
  order: { known: "stored", to: "/business" },
  receipt: { known: "reported", to: "/verify" },
  price: { known: "reported", to: "/verify?part=price" },
  pool: { known: "reported", to: "/ai" },
  fraud: { known: "reported", to: "/help?view=thief" },
  offers: { known: "stored", to: "/help?view=sitting" },
  withdraw: { known: "stored", to: "/wallet-info?coin=pUSDT&do=withdraw" },
} as const satisfies Record<string, TaskRule>;

export type ClassTask = keyof typeof classTasks;
export type KnownBy<How extends TaskRule["known"]> = {
  [Name in ClassTask]: (typeof classTasks)[Name]["known"] extends How ? Name : never;
}[ClassTask];

const names = Object.keys(classTasks) as [ClassTask, ...ClassTask[]];
export const classTaskNames = names;
export const reportedTaskNames = names.filter(
  (name): name is KnownBy<"reported"> => classTasks[name].known === "reported",
);
export const storedTaskNames = names.filter(
  (name): name is KnownBy<"stored"> => classTasks[name].known === "stored",
);

/** Always in a class's list: withdrawing cannot be switched off by a teacher. */
export const fixedTask = "withdraw" satisfies ClassTask;

/** The tasks of a class in order and without repetition, including the fixed task. */
export function listTasks(chosenTasks: readonly ClassTask[]): ClassTask[] {
  return names.filter((name) => name === fixedTask || chosenTasks.includes(name));
}
