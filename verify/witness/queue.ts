/** Runs tasks one after the other. */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  add<Result>(task: () => Promise<Result>): Promise<Result> {
    const run = this.#last.then(task);
    this.#last = run.catch(() => {});
    return run;
  }
}
