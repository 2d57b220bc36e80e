/**
 * `npm start`. Compiled code is kept beside the packages, which halves the processor time of a
 * start, so nothing else may be imported before that is switched on. Not in the system's temporary
 * directory: what lies there could be written by another user, and would be run.
 */
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";

// Without it, such as where this directory cannot be written, a start only takes longer.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/drydock-compiled"));
const { runCommand } = await import("#server/mainCommand.ts");
// A killed process would never write its compile cache.
await runCommand(process.argv.slice(2), flushCompileCache);
