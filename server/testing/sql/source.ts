import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ESTree, parseSync } from "vite";

export type Node = ESTree.Node;

/** The declaration that a name refers to where it is used. */
export type Binding =
  | { kind: "constant"; init: ESTree.Expression }
  | { kind: "function"; node: FunctionNode }
  | { kind: "parameter"; node: ESTree.ParamPattern; of: FunctionNode; index: number }
  | { kind: "import"; file: string; name: string }
  /** Reassigned or destructured: its value is known only at run time. */
  | { kind: "other" };

export type FunctionNode = ESTree.Function | ESTree.ArrowFunctionExpression;

type TypeDeclaration = ESTree.TSTypeAliasDeclaration | ESTree.TSInterfaceDeclaration;

export interface SourceFile {
  /** Path below the root, with slashes. */
  path: string;
  text: string;
  /** Every node, outer before inner. */
  nodes: readonly Node[];
  parents: ReadonlyMap<Node, Node>;
  types: ReadonlyMap<string, TypeDeclaration>;
  /** Resolves a name at a position of this file: the declaration of the innermost scope. */
  resolve: (name: string, at: number) => Binding | null;
  /** The same for an exported name. */
  exported: (name: string) => Binding | null;
  lineOf: (offset: number) => number;
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}

function getChildren(node: Node): Node[] {
  return Object.values(node).flat().filter(isNode);
}

export function isFunction(node: Node): node is FunctionNode {
  return (
    node.type === "FunctionDeclaration" ||
    node.type === "FunctionExpression" ||
    node.type === "ArrowFunctionExpression"
  );
}

const scopes = new Set<Node["type"]>([
  "Program",
  "BlockStatement",
  "ForStatement",
  "ForOfStatement",
]);

/** Reads and parses files of the repository, each once. */
export function createSources(root: string) {
  const cache = new Map<string, SourceFile>();
  const toPath = (specifier: string, from: string): string | null => {
    const path = specifier.startsWith("#")
      ? specifier.slice(1)
      : specifier.startsWith(".")
        ? join(dirname(from), specifier).replaceAll("\\", "/")
        : null;
    return path !== null && /\.tsx?$/.test(path) && existsSync(join(root, path)) ? path : null;
  };
  return {
    file: (path: string): SourceFile => {
      const sourceFile =
        cache.get(path) ?? parseSource(path, readFileSync(join(root, path), "utf8"), toPath);
      cache.set(path, sourceFile);
      return sourceFile;
    },
  };
}
export type PeopleModuleDeps = ReturnType<typeof createSources>;

interface DeclaredBinding {
  scope: Node;
  binding: Binding;
}

export function parseSource(
  path: string,
  text: string,
  toPath: (specifier: string, from: string) => string | null,
): SourceFile {
  const { program, errors } = parseSync(path, text, {});
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`);
  const parents = new Map<Node, Node>();
  const types = new Map<string, TypeDeclaration>();
  const declarations = new Map<string, DeclaredBinding[]>();
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    for (const child of getChildren(node)) {
      parents.set(child, node);
      visit(child);
    }
  };
  visit(program);
  for (const node of nodes) {
    if (node.type === "TSTypeAliasDeclaration" || node.type === "TSInterfaceDeclaration")
      types.set(node.id.name, node);
  }
  const getScope = (node: Node): Node => {
    let scope = parents.get(node) ?? program;
    while (!scopes.has(scope.type) && !isFunction(scope)) scope = parents.get(scope) ?? program;
    return scope;
  };
  const declare = (name: string, scope: Node, binding: Binding) => {
    const before = declarations.get(name) ?? [];
    declarations.set(name, [...before, { scope, binding }]);
  };
  for (const node of nodes) {
    if (node.type === "VariableDeclarator") {
      const declaration = parents.get(node);
      const fixed = declaration?.type === "VariableDeclaration" && declaration.kind === "const";
      if (node.id.type === "Identifier")
        declare(
          node.id.name,
          getScope(declaration ?? node),
          fixed && node.init ? { kind: "constant", init: node.init } : { kind: "other" },
        );
      else
        for (const name of namesIn(node.id))
          declare(name, getScope(declaration ?? node), { kind: "other" });
    } else if (node.type === "ImportDeclaration") {
      const file = toPath(node.source.value, path);
      for (const specifier of node.specifiers)
        if (specifier.type === "ImportSpecifier" && file !== null)
          declare(specifier.local.name, program, {
            kind: "import",
            file,
            name:
              specifier.imported.type === "Identifier"
                ? specifier.imported.name
                : specifier.imported.value,
          });
    }
    if (isFunction(node)) {
      if (node.type === "FunctionDeclaration" && node.id)
        declare(node.id.name, getScope(node), { kind: "function", node });
      node.params.forEach((parameter, index) => {
        for (const name of namesIn(parameter))
          declare(name, node, { kind: "parameter", node: parameter, of: node, index });
      });
    }
  }
  const lines = text.split("\n").map((line) => line.length + 1);
  return {
    path,
    text,
    nodes,
    parents,
    types,
    resolve: (name, position) => {
      const [innermost] = (declarations.get(name) ?? [])
        .filter(({ scope }) => scope.start <= position && position <= scope.end)
        .toSorted((a, b) => a.scope.end - a.scope.start - (b.scope.end - b.scope.start));
      return innermost?.binding ?? null;
    },
    exported: (name) =>
      declarations.get(name)?.find(({ scope }) => scope === program)?.binding ?? null,
    lineOf: (position) => {
      let line = 0;
      for (let remaining = position; remaining >= (lines[line] ?? Number.POSITIVE_INFINITY); line++)
        remaining -= lines[line]!;
      return line + 1;
    },
  };
}

/** Names that a pattern binds; also names in its default values, which does no harm. */
function namesIn(pattern: Node): string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  if (pattern.type === "TSParameterProperty") return namesIn(pattern.parameter);
  if (pattern.type === "AssignmentPattern") return namesIn(pattern.left);
  if (pattern.type === "RestElement") return namesIn(pattern.argument);
  if (pattern.type === "ArrayPattern")
    return pattern.elements.flatMap((element) => (element ? namesIn(element) : []));
  if (pattern.type === "ObjectPattern")
    return pattern.properties.flatMap((property) =>
      property.type === "Property" ? namesIn(property.value) : namesIn(property.argument),
    );
  return [];
}
