import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Writes `web/screens/wallet-requests/explain/signatures.json`, the function names in use by
 * contracts, from the ABIs in unpacked npm packages:
 * `node build/signatures.ts <day> <folder of a package>…`. Only functions that change state.
 */
interface AbiInput {
  type: string;
  components?: AbiInput[];
}
interface AbiItem {
  type: string;
  name?: string;
  stateMutability?: string;
  inputs?: AbiInput[];
}

const target = join(import.meta.dirname, "../web/screens/wallet-requests/explain/signatures.json");
const testPath = /mock|test|echidna|harness/i;

function getType({ type, components }: AbiInput): string {
  if (!type.startsWith("tuple")) return type;
  return `(${(components ?? []).map(getType).join(",")})${type.slice("tuple".length)}`;
}

function listSignatures(folder: string): string[] {
  return globSync(join(folder, "**/*.json"))
    .filter((file) => !testPath.test(file.slice(folder.length)))
    .flatMap((file) => {
      const { abi } = JSON.parse(readFileSync(file, "utf8")) as { abi?: AbiItem[] };
      return (Array.isArray(abi) ? abi : [])
        .filter(
          ({ type, name, stateMutability }) =>
            type === "function" && name && !/view|pure/.test(stateMutability ?? ""),
        )
        .map(({ name, inputs = [] }) => `${name}(${inputs.map(getType).join(",")})`)
        .filter((signature) => signature.length <= 120);
    });
}

const [day, ...folders] = process.argv.slice(2);
if (!day || !/^\d{4}-\d{2}-\d{2}$/.test(day) || folders.length === 0) {
  console.error("Usage: node build/signatures.ts <YYYY-MM-DD> <folder of a package>…");
  process.exit(2);
}
const sources = folders.map((folder) => {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as { name: string; version: string; license: string };
  return `${name} ${version} (${license})`;
});
const filesBySignature = new Map<string, string[]>();
for (const signature of new Set(folders.flatMap(listSignatures))) {
  const selector = bytesToHex(keccak_256(utf8ToBytes(signature)).slice(0, 4));
  filesBySignature.set(selector, [...(filesBySignature.get(selector) ?? []), signature]);
}
const signatures = Object.fromEntries(
  [...filesBySignature]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, list]) => [key, list.join(" | ")]),
);
writeFileSync(target, `${JSON.stringify({ day, sources, signatures }, null, 1)}\n`);
console.log(`${filesBySignature.size} functions of ${sources.length} packages`);
