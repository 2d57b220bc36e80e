/**
 * A condition that prevents startup and that the person starting the program can fix. `main.ts`
 * prints the message, one plain sentence saying what to do, without a stack trace, and exits with
 * code 1.
 */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StartError";
  }
}
