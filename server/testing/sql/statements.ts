import type { ESTree } from "vite";
import {
  type Binding,
  type FunctionNode,
  isFunction,
  type Node,
  type PeopleModuleDeps,
  type SourceFile,
} from "#server/testing/sql/source.ts";

/**
 * The SQL that a program sends, read from its source: every sql`...` with its interpolations as
 * parameters and its fragments expanded, once for each combination of its conditions.
 */
export interface Statement {
  /** `server/ledger/audit/audit.ts:120`. */
  at: string;
  /**
   * The statement's texts, one per combination of conditions; or why they are only known at run
   * time.
   */
  texts: string[] | { unknown: string };
  /** The rows it is declared to return: `sql<Row>`. */
  row: ESTree.TSType | null;
  file: SourceFile;
}

/** One way that a fragment can read. Interpolated values go between its pieces. */
interface Variant {
  pieces: string[];
  /** Which way each condition went, by its text. */
  taken: ReadonlyMap<string, boolean>;
}

/** Why a text is known only at run time. */
class UnknownTextError extends Error {}

/**
 * The arguments that a function's parameters are bound to while its fragment is expanded: an
 * expression, at the call.
 */
type Arguments = ReadonlyMap<string, { node: Node; place: CallSite }>;

interface CallSite {
  file: SourceFile;
  values: Arguments;
}

const variantsMax = 64;
const emptyVariant: Variant = { pieces: [""], taken: new Map() };

type Template = ESTree.TaggedTemplateExpression;

function isSql(node: Node): node is Template {
  return (
    node.type === "TaggedTemplateExpression" &&
    node.tag.type === "Identifier" &&
    node.tag.name === "sql"
  );
}

export function readStatements(sources: PeopleModuleDeps, paths: readonly string[]): Statement[] {
  const fragments = new Set<Template>();
  const reader = createReader(sources, fragments);
  const templates = paths.flatMap((path) => {
    const file = sources.file(path);
    return file.nodes.filter(isSql).map((node) => ({ file, node }));
  });
  const readTemplates = templates.map(({ file, node }) => ({
    file,
    node,
    texts: reader.texts(file, node),
  }));
  return readTemplates
    .filter(({ file, node }) => !fragments.has(node) || isExecuted(file, node))
    .map(({ file, node, texts }) => ({
      at: `${file.path}:${file.lineOf(node.start)}`,
      texts,
      row: node.typeArguments?.params[0] ?? null,
      file,
    }));
}

function isExecuted(file: SourceFile, node: Template): boolean {
  const parent = file.parents.get(node);
  return (
    parent?.type === "MemberExpression" &&
    parent.property.type === "Identifier" &&
    parent.property.name === "execute"
  );
}

function createReader(sources: PeopleModuleDeps, fragments: Set<Template>) {
  const getBinding = (
    name: string,
    position: number,
    file: SourceFile,
  ): [Binding | null, SourceFile] => {
    const binding = file.resolve(name, position);
    if (binding?.kind !== "import") return [binding, file];
    const otherFile = sources.file(binding.file);
    return [otherFile.exported(binding.name), otherFile];
  };

  /** The text of a string literal in the source; null if there is none. */
  const getString = (node: Node, site: CallSite): string | null => {
    if (node.type === "Literal" && typeof node.value === "string") return node.value;
    if (node.type === "TemplateLiteral") {
      const parts = node.expressions.map((part) => getString(part, site));
      return parts.includes(null)
        ? null
        : node.quasis.map((quasi, index) => quasi.value.cooked + (parts[index] ?? "")).join("");
    }
    if (node.type === "Identifier") {
      const value = site.values.get(node.name);
      if (value) return getString(value.node, value.place);
      const [binding, file] = getBinding(node.name, node.start, site.file);
      if (binding?.kind === "constant")
        return getString(binding.init, { file, values: site.values });
    }
    return null;
  };

  const template = (node: Template, site: CallSite): Variant[] => {
    let variants: Variant[] = [emptyVariant];
    node.quasi.quasis.forEach((quasi, index) => {
      variants = variants.map((variant) => append(variant, [quasi.value.cooked ?? ""]));
      const part = node.quasi.expressions[index];
      if (part) variants = product(variants, fragment(part, site) ?? [parameter]);
    });
    return variants;
  };

  /**
   * The ways an interpolated expression can read; null for a value, which is sent as a parameter.
   */
  const fragment = (node: Node, site: CallSite): Variant[] | null => {
    if (isSql(node)) {
      fragments.add(node);
      return template(node, site);
    }
    switch (node.type) {
      case "ParenthesizedExpression":
      case "TSAsExpression":
      case "TSNonNullExpression":
        return fragment(node.expression, site);
      case "ConditionalExpression":
        return condition(node, site);
      case "Identifier":
        return resolveName(node, site);
      case "CallExpression":
        return expandCall(node, site);
      case "MemberExpression":
        return member(node, site);
      default:
        return null;
    }
  };

  const condition = (node: ESTree.ConditionalExpression, site: CallSite): Variant[] | null => {
    const ways = [fragment(node.consequent, site), fragment(node.alternate, site)];
    if (!ways[0] && !ways[1]) return null;
    const test = site.file.text.slice(node.test.start, node.test.end);
    return ways.flatMap((variants, index) =>
      (variants ?? [parameter]).flatMap((variant) => {
        const branch = variant.taken.get(test);
        if (branch !== undefined && branch !== (index === 0)) return [];
        return [{ ...variant, taken: new Map(variant.taken).set(test, index === 0) }];
      }),
    );
  };

  const resolveName = (
    node: ESTree.IdentifierReference | ESTree.BindingIdentifier | ESTree.IdentifierName,
    site: CallSite,
  ) => {
    const value = site.values.get(node.name);
    if (value) return fragment(value.node, value.place);
    const [binding, file] = getBinding(node.name, node.start, site.file);
    if (binding?.kind === "constant") return fragment(binding.init, { file, values: site.values });
    if (binding?.kind === "parameter" && isFragmentType(binding.node))
      return expandPassedFragment(binding, file);
    if (binding?.kind === "other" && mayBeFragment(node.name, file))
      throw new UnknownTextError(`\`${node.name}\` is assembled at run time`);
    return null;
  };

  /** A fragment that the callers of a function pass in: what each of them in that file passes. */
  const expandPassedFragment = (
    { of, index }: Extract<Binding, { kind: "parameter" }>,
    file: SourceFile,
  ): Variant[] => {
    const name = of.type === "FunctionDeclaration" ? of.id?.name : undefined;
    const calls = file.nodes.filter(
      (call) =>
        call.type === "CallExpression" &&
        call.callee.type === "Identifier" &&
        call.callee.name === name,
    );
    const variants = calls.flatMap((call) => {
      const handed = call.type === "CallExpression" ? call.arguments[index] : undefined;
      return (handed && fragment(handed, { file, values: new Map() })) ?? [];
    });
    if (variants.length === 0) throw new UnknownTextError("its callers pass in a part of it");
    return variants;
  };

  const expandCall = (node: ESTree.CallExpression, site: CallSite): Variant[] | null => {
    const { callee } = node;
    if (
      callee.type === "MemberExpression" &&
      callee.object.type === "Identifier" &&
      callee.object.name === "sql" &&
      callee.property.type === "Identifier"
    )
      return helper(callee.property.name, node.arguments, site);
    if (callee.type !== "Identifier") return null;
    const [binding, file] = getBinding(callee.name, callee.start, site.file);
    const body =
      binding?.kind === "function"
        ? binding.node
        : binding?.kind === "constant" && isFunction(binding.init)
          ? binding.init
          : null;
    if (!body) return null;
    const result = getResult(body);
    if (!result) return null;
    const values = new Map(site.values);
    body.params.forEach((parameterNode, index) => {
      const argument = node.arguments[index];
      if (parameterNode.type === "Identifier" && argument)
        values.set(parameterNode.name, { node: argument, place: site });
    });
    return fragment(result, { file, values });
  };

  const helper = (name: string, callArguments: readonly Node[], site: CallSite): Variant[] => {
    const [first, second] = callArguments;
    const fail = (): never => {
      throw new UnknownTextError(`sql.${name} of what is known only at run time`);
    };
    if (!first) return fail();
    if (name === "join") return joinVariants(first, second, site) ?? fail();
    const text = getString(first, site) ?? fail();
    const quoted = () =>
      text
        .split(".")
        .map((part) => `"${part}"`)
        .join(".");
    const writers: Record<string, () => string> = {
      raw: () => text,
      lit: () => `'${text.replaceAll("'", "''")}'`,
      ref: quoted,
      table: quoted,
    };
    return [{ ...emptyVariant, pieces: [(writers[name] ?? fail)()] }];
  };

  const joinVariants = (
    list: Node,
    separator: Node | undefined,
    site: CallSite,
  ): Variant[] | null => {
    const between = separator ? fragment(separator, site) : [{ ...emptyVariant, pieces: [", "] }];
    let items: (Variant[] | null)[] | null = null;
    if (list.type === "ArrayExpression")
      items = list.elements.map((element) => element && fragment(element, site));
    else if (
      list.type === "CallExpression" &&
      list.callee.type === "MemberExpression" &&
      list.callee.property.type === "Identifier" &&
      list.callee.property.name === "map"
    ) {
      // Two copies of each element's result: the values differ, the text does not.
      const [callback] = list.arguments;
      const result = callback && isFunction(callback) ? getResult(callback) : null;
      const item = result && fragment(result, site);
      items = result ? [item ?? null, item ?? null] : null;
    }
    if (!items || !between) return null;
    return items.reduce<Variant[]>(
      (products, item, index) =>
        product(index === 0 ? products : product(products, between), item ?? [parameter]),
      [emptyVariant],
    );
  };

  const member = (node: ESTree.MemberExpression, site: CallSite): Variant[] | null => {
    if (node.object.type !== "Identifier") return null;
    const [binding, file] = getBinding(node.object.name, node.object.start, site.file);
    if (binding?.kind !== "constant") return null;
    const init = binding.init.type === "TSAsExpression" ? binding.init.expression : binding.init;
    const object = init.type === "TSSatisfiesExpression" ? init.expression : init;
    if (object.type !== "ObjectExpression") return null;
    const key = node.property.type === "Identifier" && !node.computed ? node.property.name : null;
    const ways = object.properties.flatMap((property) => {
      if (property.type !== "Property" || property.key.type !== "Identifier") return [];
      if (key !== null && property.key.name !== key) return [];
      return fragment(property.value, { file, values: site.values }) ?? [];
    });
    return ways.length > 0 ? ways : null;
  };

  return {
    texts: (file: SourceFile, node: Template): Statement["texts"] => {
      try {
        return template(node, { file, values: new Map() }).map(({ pieces }) =>
          pieces.reduce((text, piece, index) => `${text}$${index}${piece}`),
        );
      } catch (error) {
        if (error instanceof UnknownTextError) return { unknown: error.message };
        throw error;
      }
    },
  };
}

/** An interpolated value: an empty piece on either side. */
const parameter: Variant = { pieces: ["", ""], taken: new Map() };

function append({ pieces, taken }: Variant, texts: readonly string[]): Variant {
  const [first = "", ...rest] = texts;
  return { pieces: [...pieces.slice(0, -1), pieces.at(-1)! + first, ...rest], taken };
}

/** Every way of the first with every way of the second that does not contradict its conditions. */
function product(left: readonly Variant[], right: readonly Variant[]): Variant[] {
  const products = left.flatMap((a) =>
    right
      .filter((b) => [...b.taken].every(([test, way]) => (a.taken.get(test) ?? way) === way))
      .map((b) => ({ ...append(a, b.pieces), taken: new Map([...a.taken, ...b.taken]) })),
  );
  if (products.length > variantsMax) throw new UnknownTextError("it has too many variants");
  return products;
}

/** The expression that a function returns, if that is all it does. */
function getResult(node: FunctionNode): Node | null {
  if (!node.body) return null;
  if (node.body.type !== "BlockStatement") return node.body;
  const [last] = node.body.body.slice(-1);
  return last?.type === "ReturnStatement" ? last.argument : null;
}

function isFragmentType(node: Node): boolean {
  return (
    node.type === "Identifier" &&
    node.typeAnnotation?.typeAnnotation.type === "TSTypeReference" &&
    node.typeAnnotation.typeAnnotation.typeName.type === "Identifier" &&
    node.typeAnnotation.typeAnnotation.typeName.name === "RawBuilder"
  );
}

/** Returns true if a variable is assigned a fragment anywhere. */
function mayBeFragment(name: string, file: SourceFile): boolean {
  return file.nodes.some(
    (node) =>
      node.type === "VariableDeclarator" &&
      node.id.type === "Identifier" &&
      node.id.name === name &&
      node.init !== null &&
      isSql(node.init),
  );
}
