import { StartError } from "#server/platform/startError.ts";

/** Connections of one process at most: its pools, its locks, its clock and the bus. */
const connectionsPerProcess = 25;

/**
 * The remedy for a refused connection, without a full stop; null if the error has no known remedy.
 * Never contains the address or the password.
 */
export function explainConnectionError(error: unknown): string | null {
  const { code, message } = withMessage(error);
  if (code === "53300" || /too many clients|no more connections allowed/.test(message)) {
    return `PostgreSQL has no connection slot left (${message}); each Drydock process takes up to ${connectionsPerProcess}, so raise max_connections or end what else is connected`;
  }
  if (/unsupported startup parameter/.test(message)) {
    return `a connection pooler in between refuses Drydock's session settings (${message}); lead it to PostgreSQL itself, or to a pooler in session mode that passes "options" on`;
  }
  if (code === "57P03") return `PostgreSQL does not accept connections yet (${message})`;
  return null;
}

/** A failed query or connection during the start, as a sentence where one is known. */
export function toStartError(error: unknown): unknown {
  if (error instanceof StartError) return error;
  const explanation = explainConnectionError(error);
  return explanation === null
    ? error
    : new StartError(`The database cannot be used: ${explanation}.`);
}

/**
 * The message of an error; a host name with several addresses fails with a list of errors and no
 * message.
 */
export function getConnectionMessage(error: unknown): string {
  return withMessage(error).message;
}

function withMessage(error: unknown): { code: string | undefined; message: string } {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  const { code, message } = first as { code?: string; message?: string };
  return { code, message: String(message).replace(/\.$/, "") };
}
