import type { ESTree } from "vite";
import type { PeopleModuleDeps, SourceFile } from "#server/testing/sql/source.ts";

/**
 * The possible classes of a value, as far as a driver's result distinguishes them; null if the
 * source does not state them plainly.
 */
export type Classes = ReadonlySet<string> | null;

export interface Member {
  optional: boolean;
  classes: Classes;
}

export type Row = ReadonlyMap<string, Member>;

const keywords: Record<string, string> = {
  TSStringKeyword: "string",
  TSNumberKeyword: "number",
  TSBigIntKeyword: "bigint",
  TSBooleanKeyword: "boolean",
  TSNullKeyword: "null",
  TSUndefinedKeyword: "undefined",
};

const wellKnown: Record<string, string> = { Buffer: "bytes", Uint8Array: "bytes", Date: "date" };

type Type = ESTree.TSType;

interface ResolvedType {
  declaration: ESTree.TSTypeAliasDeclaration | ESTree.TSInterfaceDeclaration;
  file: SourceFile;
}

/**
 * Resolves types as written: interfaces, literals, aliases, `Pick`, `Omit` and `&`, across files.
 */
export function createRowTypes(sources: PeopleModuleDeps) {
  const resolveDeclared = (name: string, file: SourceFile): ResolvedType | null => {
    const ownType = file.types.get(name);
    if (ownType) return { declaration: ownType, file };
    const binding = file.resolve(name, 0);
    return binding?.kind === "import"
      ? resolveDeclared(binding.name, sources.file(binding.file))
      : null;
  };

  const signatures = (nodes: readonly ESTree.TSSignature[], file: SourceFile): Row =>
    new Map(
      nodes.flatMap((node): [string, Member][] => {
        if (node.type !== "TSPropertySignature") return [];
        const { key, optional, typeAnnotation } = node;
        const name =
          key.type === "Identifier" ? key.name : key.type === "Literal" ? String(key.value) : "";
        return [
          [
            name,
            {
              optional,
              classes: typeAnnotation && getClasses(typeAnnotation.typeAnnotation, file),
            },
          ],
        ];
      }),
    );

  const toRow = (type: Type, file: SourceFile): Row | null => {
    if (type.type === "TSParenthesizedType") return toRow(type.typeAnnotation, file);
    if (type.type === "TSTypeLiteral") return signatures(type.members, file);
    if (type.type === "TSIntersectionType") {
      return mergeRows(type.types.map((part) => toRow(part, file)));
    }
    if (type.type !== "TSTypeReference" || type.typeName.type !== "Identifier") return null;
    return namedRow(type.typeName.name, type.typeArguments?.params ?? [], file);
  };

  const namedRow = (
    name: string,
    typeParameters: readonly Type[],
    file: SourceFile,
  ): Row | null => {
    const [inner, names] = typeParameters;
    if ((name === "Pick" || name === "Omit") && inner && names) {
      const row = toRow(inner, file);
      const literalNames = getLiterals(names, file);
      const picked = name === "Pick";
      return (
        row &&
        literalNames &&
        new Map([...row].filter(([column]) => literalNames.has(column) === picked))
      );
    }
    const resolvedType = resolveDeclared(name, file);
    if (!resolvedType) return null;
    const { declaration } = resolvedType;
    if (declaration.type === "TSTypeAliasDeclaration")
      return toRow(declaration.typeAnnotation, resolvedType.file);
    const bases = declaration.extends.map(({ expression, typeArguments }) =>
      expression.type === "Identifier"
        ? namedRow(expression.name, typeArguments?.params ?? [], resolvedType.file)
        : null,
    );
    return mergeRows([...bases, signatures(declaration.body.body, resolvedType.file)]);
  };

  const getClasses = (type: Type, file: SourceFile): Classes => {
    const keyword = keywords[type.type];
    if (keyword) return new Set([keyword]);
    switch (type.type) {
      case "TSParenthesizedType":
        return getClasses(type.typeAnnotation, file);
      case "TSLiteralType":
        return type.literal.type === "Literal" && type.literal.value !== null
          ? new Set([typeof type.literal.value])
          : type.literal.type === "TemplateLiteral"
            ? new Set(["string"])
            : null;
      case "TSTemplateLiteralType":
        return new Set(["string"]);
      case "TSArrayType":
      case "TSTupleType":
        return new Set(["array"]);
      case "TSTypeOperator":
        return type.operator === "readonly" ? getClasses(type.typeAnnotation, file) : null;
      case "TSUnionType": {
        const parts = type.types.map((part) => getClasses(part, file));
        return union(parts);
      }
      case "TSTypeReference": {
        if (type.typeName.type !== "Identifier") return null;
        const wellKnownType = wellKnown[type.typeName.name];
        if (wellKnownType) return new Set([wellKnownType]);
        const resolvedType = resolveDeclared(type.typeName.name, file);
        return resolvedType?.declaration.type === "TSTypeAliasDeclaration"
          ? getClasses(resolvedType.declaration.typeAnnotation, resolvedType.file)
          : null;
      }
      default:
        return null;
    }
  };

  /** The names of `"a" | "b"`; null for anything else. */
  const getLiterals = (type: Type, file: SourceFile): ReadonlySet<string> | null => {
    if (type.type === "TSLiteralType")
      return type.literal.type === "Literal" ? new Set([String(type.literal.value)]) : null;
    if (type.type === "TSTypeReference" && type.typeName.type === "Identifier") {
      const resolvedType = resolveDeclared(type.typeName.name, file);
      return resolvedType?.declaration.type === "TSTypeAliasDeclaration"
        ? getLiterals(resolvedType.declaration.typeAnnotation, resolvedType.file)
        : null;
    }
    if (type.type !== "TSUnionType") return null;
    const parts = type.types.map((part) => getLiterals(part, file));
    return union(parts);
  };

  return { rowOf: toRow };
}

/** All members of all rows; null if one of them is unknown. */
function mergeRows(rows: readonly (Row | null)[]): Row | null {
  const knownRows = rows.filter((row) => row !== null);
  return knownRows.length < rows.length ? null : new Map(knownRows.flatMap((row) => [...row]));
}

function union(sets: readonly (ReadonlySet<string> | null)[]): ReadonlySet<string> | null {
  const knownSets = sets.filter((set) => set !== null);
  return knownSets.length < sets.length ? null : new Set(knownSets.flatMap((set) => [...set]));
}
