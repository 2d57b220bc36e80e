/**
 * `npm start`. Compiled code is cached beside the packages, which halves the processor time of a
 * start; nothing else may be imported before the cache is enabled. It is not in the system's
 * temporary directory, where another user could write code that would then be run.
 */
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";

// Without the cache, for example in a read-only directory, a start only takes longer.
enableCompileCache(join(import.meta.dirname, "../node_modules/.cache/drydock-compiled"));
const { runCommand } = await import("#server/mainCommand.ts");
// A killed process would never write its compile cache.
await runCommand(process.argv.slice(2), flushCompileCache);
