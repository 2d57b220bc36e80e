import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

/**
 * No function has more than 70 lines, not counting named functions inside it, so that a factory is
 * not as long as everything it returns; an anonymous callback counts towards the enclosing
 * function.
 */
const root = join(import.meta.dirname, "../..");
const linesMax = 70;

/** Longer functions, each with its maximum of lines, rounded up to tens. */
const allowed: Readonly<Record<string, { lines: number; reason: string }>> = {
  "api/operator/publishing.ts callsFor": {
    lines: 110,
    reason: "a table of calls, one after the other",
  },
  "core/market/simulate/checkDay.ts runDay": {
    lines: 90,
    reason: "steps that share most of their values",
  },
  "operator/instance/ErrorsPage.tsx ErrorsPage": {
    lines: 90,
    reason: "the markup of one view, in order",
  },
  "operator/instance/sections/MarketSection.tsx MarketSection": {
    lines: 100,
    reason: "the fields of one form with their state, in order",
  },
  "operator/instance/sections/OffersSection.tsx OffersSection": {
    lines: 120,
    reason: "the fields of one form with their state, in order",
  },
  "operator/instance/sections/StorageSection.tsx StorageSection": {
    lines: 80,
    reason: "the fields of one form with their state, in order",
  },
  "operator/publishing/ActionBar.tsx ActionBar": {
    lines: 120,
    reason: "the markup of one view, in order",
  },
  "operator/publishing/PublishSheet.tsx PublishSheet": {
    lines: 90,
    reason: "the fields of one form with their state, in order",
  },
  "operator/publishing/forms/NoticeForm.tsx NoticeForm": {
    lines: 90,
    reason: "the fields of one form with their state, in order",
  },
  "operator/publishing/forms/PoolForm.tsx PoolForm": {
    lines: 80,
    reason: "the fields of one form with their state, in order",
  },
  "server/operator/operatorsRoutes.ts operatorsRoutes": {
    lines: 80,
    reason: "a list of routes, each of a few lines",
  },
  "server/platform/http/stream.ts createStream": {
    lines: 90,
    reason: "steps that share most of their values",
  },
  "server/records/receipt.ts buildAccount": {
    lines: 90,
    reason: "the fields of a receipt, in the order of its format",
  },
  "server/records/receipt.ts buildJournalReceipt": {
    lines: 80,
    reason: "the fields of a receipt, in the order of its format",
  },
  "server/transparency-log/publicationCheck.ts createPublicationCheck": {
    lines: 80,
    reason: "steps that share most of their values",
  },
  "verify/main.ts main": {
    lines: 110,
    reason: "the command line: options, and one branch a command",
  },
  "web/features/monte-carlo/FanChart.tsx FanChart": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/features/pin/PinForm.tsx PinForm": {
    lines: 90,
    reason: "the fields of one form with their state, in order",
  },
  "web/features/receipt-links/sharedFacts.tsx useSharedFacts": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/features/receipt/Receipt.tsx CheckedOnce": {
    lines: 90,
    reason: "the markup of one view, in order",
  },
  "web/features/receipt/tampering/alterables.ts listJournalAlterables": {
    lines: 80,
    reason: "one list of independent values",
  },
  "web/features/receipt/tampering/TryToCheat.tsx Falsify": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/features/session/ChooseStep.tsx ChooseStep": {
    lines: 80,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/account/personal-data/DeleteSheet.tsx DeleteSheet": {
    lines: 90,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/backtest/Setup.tsx Setup": {
    lines: 100,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/contracts/chart/KlinePanel.tsx KlinePanel": {
    lines: 130,
    reason: "the markup of one view, in order",
  },
  "web/screens/contracts/chart/KlineTable.tsx KlineTable": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/screens/contracts/chart/styles.ts createChartStyles": {
    lines: 90,
    reason: "the style of a chart library, one nested object",
  },
  "web/screens/gallery/Figures.tsx Figures": { lines: 80, reason: "a page of samples" },
  "web/screens/gallery/Inputs.tsx Inputs": { lines: 80, reason: "a page of samples" },
  "web/screens/help/lesson/SceneView.tsx SceneView": {
    lines: 80,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/hosting/pools/PoolCard.tsx PoolCard": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/screens/hosting/product/Costs.tsx Costs": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/screens/hosting/product/SubscribeSheet.tsx SubscribeSheet": {
    lines: 80,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/mining/BuyForm.tsx BuyForm": {
    lines: 100,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/mining/Calculator.tsx Calculator": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/screens/mining/Comparison.tsx Comparison": {
    lines: 90,
    reason: "the markup of one view, in order",
  },
  "web/screens/mining/NetworkPanel.tsx Figures": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/screens/verify/LogPanel.tsx State": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/screens/wallet/ResultBreakdown.tsx Picture": {
    lines: 100,
    reason: "the markup of one view, in order",
  },
  "web/screens/wallet/TotalChart.tsx TotalChart": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/screens/wallet/address-book/AddressForm.tsx AddressForm": {
    lines: 90,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/wallet/exchange/ExchangeView.tsx ExchangeView": {
    lines: 100,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/wallet/performance/HoursHeat.tsx HoursHeat": {
    lines: 100,
    reason: "the markup of one view, in order",
  },
  "web/screens/wallet/recharge/RechargeForm.tsx RechargeForm": {
    lines: 80,
    reason: "the fields of one form with their state, in order",
  },
  "web/screens/wallet/records/RecordScroll.tsx RecordScroll": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
  "web/screens/home/steps/StepsCard.tsx StepsCard": {
    lines: 80,
    reason: "the markup of one view, in order",
  },
};

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";
const getChildren = (node: Node): Node[] =>
  Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
const functionTypes = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
]);

interface MeasuredFunction {
  name: string;
  lines: number;
}

/** The functions of a source with a name, each with its own lines. */
function measureFunctions(file: string, text: string): MeasuredFunction[] {
  const functions: MeasuredFunction[] = [];
  const toLine = (offset: number) => text.slice(0, offset).split("\n").length;
  const getName = (node: Node, parent: Node | null): string | null => {
    const nameNodes = [node.id, parent?.type === "VariableDeclarator" ? parent.id : parent?.key];
    for (const value of nameNodes)
      if (isNode(value) && typeof value.name === "string") return value.name;
    return null;
  };
  const visit = (node: Node, parent: Node | null, enclosingFunction: MeasuredFunction | null) => {
    let enclosing = enclosingFunction;
    const name = functionTypes.has(node.type) ? getName(node, parent) : null;
    if (name !== null) {
      const lines = toLine(node.end) - toLine(node.start) + 1;
      enclosing = { name, lines };
      functions.push(enclosing);
      // The line on which it begins counts for the enclosing function.
      if (enclosingFunction) enclosingFunction.lines -= lines - 1;
    }
    for (const child of getChildren(node)) visit(child, node, enclosing);
  };
  visit(parseSync(file, text, {}).program as unknown as Node, null, null);
  return functions;
}

const files = globSync("{api,build,core,i18n,operator,seed,server,ui,verify,web}/**/*.{ts,tsx}", {
  cwd: root,
}).filter((file) => !/\.(?:test|spec)\.tsx?$|\.d\.ts$|testing/.test(file));

const longFunctions = files.flatMap((file) =>
  measureFunctions(file, readFileSync(join(root, file), "utf8"))
    .filter(({ lines }) => lines > linesMax)
    .map(({ name, lines }) => ({ key: `${file} ${name}`, lines })),
);

test(`a function has at most ${linesMax} lines, except for those listed`, () => {
  expect(files.length).toBeGreaterThan(1_000);
  const tooLong = longFunctions.filter(
    ({ key, lines }) => lines > (allowed[key]?.lines ?? linesMax),
  );
  expect(tooLong).toEqual([]);
});

test("every exception is still needed, close to the actual length, and has a reason", () => {
  const lengths = new Map(longFunctions.map(({ key, lines }) => [key, lines]));
  const unusedExceptions = Object.entries(allowed).filter(
    ([key, { lines, reason }]) => (lengths.get(key) ?? 0) <= lines - 20 || reason === "",
  );
  expect(unusedExceptions).toEqual([]);
});

test("a named inner function is counted separately, a callback with its enclosing function", () => {
  const text = `function outer() {\n  const inner = () => {\n    a();\n  };\n  b(() => {\n    c();\n  });\n}`;
  expect(measureFunctions("a.ts", text)).toEqual([
    { name: "outer", lines: 6 },
    { name: "inner", lines: 3 },
  ]);
});
