/**
 * Something that keeps the program from starting and that whoever started it can put right.
 * `main.ts` prints the message, one plain sentence that says what to do, without a stack, and exits
 * with code 1.
 */
export class StartError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "StartError";
  }
}
