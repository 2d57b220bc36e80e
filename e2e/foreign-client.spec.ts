import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { startTestServer, type TestServer } from "./support/testServer.ts";

// World time runs six times as fast here, so the order is over after ten seconds.
let server: TestServer;
test.beforeAll(async () => {
  server = await startTestServer(1, { WORLD_SPEED: "6" });
});
test.afterAll(() => server?.stop());

/** Runs the program shown in docs/api.md, unmodified, in plain Node. */
test("a client with only a wallet library and fetch signs in and trades", async () => {
  const page = readFileSync(join(import.meta.dirname, "../docs/api.md"), "utf8");
  const program = /```js\n([\s\S]*?)```/.exec(page)?.[1];
  expect(program).toBeTruthy();
  // Placed beside the tests so that it resolves the wallet library.
  const file = join(import.meta.dirname, `foreign-client-${process.pid}.tmp.mjs`);
  writeFileSync(file, program as string);
  try {
    const output = await run(file, { DRYDOCK_URL: server.url });
    expect(output).toContain("balance 10000 pUSDT");
    expect(output).toContain("placed once true");
    expect(output).toMatch(/over (won|lost|tie) \d+\.\d\d -> \d+\.\d\d net -?\d/);
    expect(output).toContain("receipt drydock.receipt.contract/1 practice true");
  } finally {
    rmSync(file, { force: true });
  }
});

function run(file: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file], {
      env: { ...process.env, ...env, FORCE_COLOR: "0", NO_COLOR: "1" },
    });
    let output = "";
    child.stdout.on("data", (part) => {
      output += part;
    });
    child.stderr.on("data", (part) => {
      output += part;
    });
    child.on("error", reject);
    child.on("close", (status) => (status === 0 ? resolve(output) : reject(new Error(output))));
  });
}
