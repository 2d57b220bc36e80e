import { globSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readMigrations } from "#server/platform/db/migrate.ts";
import { createTestDatabase, type TestDatabase } from "#server/testing/database.ts";
import {
  type Catalogue,
  findDifferences,
  findUnstatedNulls,
  readCatalogue,
} from "#server/testing/sql/check.ts";
import { describeStatement } from "#server/testing/sql/describe.ts";
import { createRowTypes } from "#server/testing/sql/rowTypes.ts";
import { createSources, parseSource } from "#server/testing/sql/source.ts";
import { readStatements } from "#server/testing/sql/statements.ts";

/** Statements whose text or tables are known only at run time: how many per file, and why. */
const unchecked: Readonly<Record<string, { count: number; why: string }>> = {
  "server/platform/db/personRows.ts": {
    count: 4,
    why: "reads or empties whichever table a domain names",
  },
  "server/platform/crypto/storedSecrets.ts": {
    count: 7,
    why: "keeps PINs and passphrases, each in a table of its own",
  },
  "server/ledger/audit/explainedPostings.ts": {
    count: 1,
    why: "compares postings with the query that a domain states",
  },
  "server/app/hostile.test.ts": { count: 2, why: "counts the rows of every table there is" },
  "server/operator/reach.test.ts": { count: 2, why: "hashes every table there is" },
  "server/app/audit/referenceCheck.ts": { count: 3, why: "follows every foreign key there is" },
  "server/app/audit/singletonCheck.ts": {
    count: 1,
    why: "counts the rows of every such table there is",
  },
  "server/attempts/closingCheck.test.ts": {
    count: 1,
    why: "changes one column after the other",
  },
  "server/ledger/audit/audit.test.ts": {
    count: 2,
    why: "states what cannot be run, which is what it tests",
  },
  "server/contracts/orderResults.ts": {
    count: 3,
    why: "sums up the orders that one query of its own states, which is checked",
  },
  "server/ledger/writer.test.ts": { count: 1, why: "writes a table that the test makes" },
  "server/transparency-log/termsCheck.ts": {
    count: 1,
    why: "compares the terms of whichever table a domain names",
  },
  "server/market/feed.test.ts": { count: 1, why: "names each interval in its text" },
  "tools/bench/lib/ledgerFloor.ts": { count: 1, why: "writes a table that the bench makes" },
  "tools/bench/settle.ts": { count: 2, why: "writes a table that the bench makes" },
};

/** Nullable columns that are known to be set in every row read with a type that says so. */
const filled: Readonly<Record<string, string>> = {
  "class_code.joined_at_ms": "read of codes that a person joined with",
  "class_code.user_id": "read of codes that a person joined with",
  "contract_order.outcome": "read by the inbox, of settled orders",
  "contract_order.settled_at_ms": "read by the inbox, of settled orders",
  "entry.balance": "null of accounts of the house alone, and a person's are read",
  "identity_verification.outcome": "read by the inbox, of decided verifications",
  "identity_verification.over_at_ms": "read by the inbox, of decided verifications",
  "invitation.lesson_at_ms": "read by the journal of a reward, which is paid after the lesson",
  "operator_call.answer_encrypted": "written in the transaction that takes the key",
  "operator.user_id": "emptied only of operators whose time has ended",
  "recharge.over_at_ms": "read by the inbox, of refused recharges",
  "recharge.reason": "read by the inbox, of refused recharges",
  "recharge.worth": "read by the journal of a credit, which states it",
};

const root = join(import.meta.dirname, "../../..");
const sources = createSources(root);
const { rowOf } = createRowTypes(sources);
const paths = globSync("{server,seed,tools,verify,build}/**/*.ts", { cwd: root })
  .map((path) => path.replaceAll("\\", "/"))
  .toSorted();

let world: TestDatabase;
let client: pg.PoolClient;
let catalogue: Catalogue;
beforeAll(async () => {
  // A world's, and those of the directory, which has its own schema.
  const directory = readMigrations(join(root, "server/platform/worlds/migrations"));
  world = await createTestDatabase({ migrations: [...readMigrations(), ...directory] });
  client = await world.owner.pool.connect();
  catalogue = await readCatalogue(client);
});
afterAll(async () => {
  client.release();
  await world.destroy();
});

/** The errors that checking statements against the migrated schema reports. */
async function checkStatements(statements: ReturnType<typeof readStatements>) {
  const result = {
    /** `file:line: error`. */
    wrong: [] as string[],
    /** Statements by file whose text or tables exist only at run time. */
    unknown: {} as Record<string, number>,
    /** `table.column` and where its null is not handled. */
    nulls: new Map<string, string>(),
    checked: 0,
    /** How many of those declare a row type. */
    typed: 0,
  };
  for (const { at, texts, row, file } of statements) {
    const isListed = file.path in unchecked;
    try {
      if (!Array.isArray(texts)) throw new Error(texts.unknown);
      const members = row && rowOf(row, file);
      if (row && !members) result.wrong.push(`${at}: the row's type cannot be read`);
      for (const text of texts) {
        const columns = await describeStatement(client, text);
        if (!members) continue;
        result.wrong.push(
          ...findDifferences(text, columns, members, catalogue).map((item) => `${at}: ${item}`),
        );
        for (const column of findUnstatedNulls(text, columns, members, catalogue))
          result.nulls.set(column, at);
      }
      result.checked++;
      if (members) result.typed++;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (isListed) result.unknown[file.path] = (result.unknown[file.path] ?? 0) + 1;
      else result.wrong.push(`${at}: ${reason}`);
    }
  }
  return result;
}

// Parsing the source takes seconds, more on a busy machine.
test("every statement matches the migrated schema and its row's type", {
  timeout: 120_000,
}, async () => {
  const result = await checkStatements(readStatements(sources, paths));
  expect([...new Set(result.wrong)]).toEqual([]);
  const counts = Object.entries(unchecked).map(([path, { count }]) => [path, count]);
  expect(result.unknown).toEqual(Object.fromEntries(counts));
  expect(result.checked).toBeGreaterThan(500);
  expect(result.typed).toBeGreaterThan(300);
  const unlisted = [...result.nulls].filter(([column]) => !(column in filled));
  expect(unlisted).toEqual([]);
  expect(Object.keys(filled).filter((column) => !result.nulls.has(column))).toEqual([]);
});

describe("a statement that does not match is reported with its line", () => {
  const row = (columns: string, row: string) =>
    `import { sql } from "kysely";\nawait sql<${row}>\`select ${columns} from migration\`.execute(db);`;
  test.each<[string, string, string[]]>([
    ["a matching statement", row("name, sha256", "{ name: string; sha256: string }"), []],
    ["a renamed column", row("nome", "{ nome: string }"), [`x.ts:2: column "nome" does not exist`]],
    [
      "a member without a column",
      row("name", "{ name: string; at: bigint }"),
      ["x.ts:2: no column at"],
    ],
    [
      "an unused column",
      row("name, sha256", "{ name: string }"),
      ["x.ts:2: column sha256 is not in the row's type"],
    ],
    [
      "a count typed as a number",
      row("count(*) as n", "{ n: number }"),
      ["x.ts:2: column n is bigint, not number"],
    ],
    [
      "a fragment of a constant, in one of its two forms",
      `const order = newest ? sql\`order by name\` : sql\`order by nome\`;
       sql\`select name from migration \${order}\`.execute(db);`,
      [`x.ts:2: column "nome" does not exist`],
    ],
    [
      "a fragment of a function",
      `const named = (name) => sql\`\${sql.ref(name)} = \${name}\`;
       sql\`select 1 from migration m where \${named("nome")}\`.execute(db);`,
      [`x.ts:2: column "nome" does not exist`],
    ],
    [
      "an inherited member",
      "interface A { name: string; at: bigint }\ninterface B extends Omit<A, 'at'> { nome: string }\nsql<B>`select name from migration`.execute(db);",
      ["x.ts:3: no column nome"],
    ],
  ])("%s", async (_what, text, expected) => {
    const file = parseSource("x.ts", text, () => null);
    const result = await checkStatements(readStatements({ file: () => file }, ["x.ts"]));
    expect(result.wrong).toEqual(expected);
  });
});
