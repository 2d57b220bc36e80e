import { type ESTree, type Plugin, parseAst, Visitor } from "vite";

/** What only the server reads of a call's definition: the browser sends what the types allow (`web/app/noSchemas.ts`). */
const serverOnly = new Set(["summary", "input", "answer", "errors"]);

/**
 * Leaves out of the browser's bundle what it never reads of `api/`: schemas and descriptions of calls, their lists of refusals, and of
 * `api/errors.ts` each refusal after which the same request is not worth sending again.
 */
export function bareCalls(): Plugin {
  return {
    name: "drydock:bare-calls",
    transform(code, id) {
      const file = /\/api\/((?:operator\/)?\w+\.ts)$/.exec(id)?.[1];
      if (file === undefined) return null;
      return { code: file === "errors.ts" ? retryable(code) : withoutSchemas(code), map: null };
    },
  };
}

/** A module of `api/` (JavaScript) with bare calls, whose schemas the bundler may drop. Throws on a definition it cannot read. */
export function withoutSchemas(code: string): string {
  const cuts: Cut[] = [];
  // Definitions stand at the top of a module; what a function does when it is called is left alone.
  let inside = 0;
  const enter = () => {
    inside++;
  };
  const leave = () => {
    inside--;
  };
  new Visitor({
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    CallExpression(call) {
      if (inside > 0) return;
      cuts.push([call.start, call.start, "/* @__PURE__ */ "]);
      if (call.callee.type !== "Identifier" || call.callee.name !== "defineCall") return;
      cuts.push(...without(definition(call), (name) => serverOnly.has(name)));
    },
  }).visit(parseAst(code));
  return cut(code, cuts);
}

/** `api/errors.ts` (JavaScript) with only those refusals after which the same request may succeed. */
export function retryable(code: string): string {
  const cuts: Cut[] = [];
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== "Identifier" || id.name !== "errors" || init?.type !== "ObjectExpression")
        return;
      cuts.push(
        ...without(init, (_, value) => !/retry: true/.test(code.slice(value.start, value.end))),
      );
    },
  }).visit(parseAst(code));
  if (cuts.length === 0) throw new Error("api/errors.ts has no list of errors any more");
  return cut(code, cuts);
}

/** From, to, and what stands there instead. */
type Cut = [number, number, string];

function definition({ arguments: [only] }: ESTree.CallExpression): ESTree.ObjectExpression {
  if (only?.type !== "ObjectExpression")
    throw new Error("defineCall takes its definition as a literal");
  return only;
}

/** Cuts out the properties that `goes` names, each with the comma after it. */
function without(
  { properties }: ESTree.ObjectExpression,
  goes: (name: string, value: ESTree.Expression) => boolean,
): Cut[] {
  return properties.flatMap((property, at): Cut[] => {
    if (property.type !== "Property") return [];
    const { key, value, start, end } = property;
    const name = key.type === "Identifier" ? key.name : key.type === "Literal" ? key.value : null;
    if (!goes(String(name), value as ESTree.Expression)) return [];
    return [[start, properties[at + 1]?.start ?? end, ""]];
  });
}

/** From the end, so that places before stay where they are; what lies inside of a cut goes with it. */
function cut(code: string, cuts: readonly Cut[]): string {
  const gone = cuts.filter(([from, to]) => to > from);
  const kept = cuts.filter(
    ([from, to]) => to > from || !gone.some(([start, end]) => start <= from && from < end),
  );
  return kept
    .toSorted((a, b) => b[0] - a[0])
    .reduce((text, [from, to, now]) => text.slice(0, from) + now + text.slice(to), code);
}
