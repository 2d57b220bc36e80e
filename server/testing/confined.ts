/** Attempts everything that the confined picture-decoding process must be unable to do. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

const directory = process.argv[2]!;
const code = (work: () => unknown) => {
  try {
    work();
    return "allowed";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
};
const connected = Promise.withResolvers<string>();
try {
  connect(9, "127.0.0.1")
    .on("error", (error: NodeJS.ErrnoException) => connected.resolve(error.code ?? error.name))
    .on("connect", () => connected.resolve("allowed"));
} catch (error) {
  connected.resolve((error as NodeJS.ErrnoException).code ?? String(error));
}
process.send!({
  read: code(() => readFileSync(join(directory, "secret"))),
  readInsideProgram: code(() => readdirSync(join(import.meta.dirname, "../../docs"))),
  write: code(() => writeFileSync(join(directory, "new"), "")),
  spawn: code(() => {
    const { error } = spawnSync("true");
    if (error) throw error;
  }),
  connect: await connected.promise,
});
process.disconnect?.();
