import type { SexCode } from "#core/identity/residentId.ts";
import type { SeededChoice } from "#core/identity/seededChoice.ts";

/** Name parts: common ones, so that no combination points at a real person. */
const latin = {
  given: [
    ["Aldo", "Bennet", "Corin", "Daven", "Emric", "Florin", "Jorin", "Lukan", "Marek", "Tavin"],
    ["Alina", "Brisa", "Celine", "Danika", "Elva", "Fiora", "Jolanda", "Livia", "Marisa", "Tessa"],
  ],
  family: [
    "Ashdown",
    "Brenner",
    "Calloway",
    "Dunmere",
    "Eastvale",
    "Farrow",
    "Halden",
    "Kestrel",
    "Lindmark",
    "Marlow",
    "Norwick",
    "Sandoval",
  ],
} as const;
const han = {
  given: [
    ["清远", "建明", "志航", "文涛", "海生", "国栋", "浩然", "立群"],
    ["晓岚", "静怡", "雨桐", "婉清", "秀英", "思雨", "月华", "佳宁"],
  ],
  family: ["林", "陈", "苏", "沈", "方", "江", "顾", "叶"],
} as const;

export interface GeneratedName {
  name: string;
  /** Same family name, different given name. */
  other: string;
}

export function drawName(script: "latin" | "han", sex: SexCode, draw: SeededChoice): GeneratedName {
  const { given, family } = script === "latin" ? latin : han;
  const names: readonly string[] = given[sex];
  const index = draw.below(names.length);
  const last = draw.pick<string>(family);
  const otherIndex = (index + 1 + draw.below(names.length - 1)) % names.length;
  const join = (first: string) => (script === "latin" ? `${first} ${last}` : `${last}${first}`);
  return { name: join(names[index] as string), other: join(names[otherIndex] as string) };
}

/**
 * Normalises a name for comparison: single spaces between words; case and character width are
 * ignored.
 */
export function normalizeName(text: string): string {
  return text.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}
