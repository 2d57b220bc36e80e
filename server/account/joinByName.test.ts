import { expect, test } from "vitest";
import { joinByName, type PersonalDataSource } from "#server/account/personalData.ts";

const exporting = (name: string, json: unknown): PersonalDataSource => ({
  name,
  exportFor: async () => ({ json }),
  erase: null,
});
async function* toRows(...rows: object[]) {
  yield rows;
}

test("sources of one name are joined, and files are ordered by name", async () => {
  const joinedSources = joinByName([
    exporting("wallet", { balances: [1] }),
    exporting("account", { user: "u" }),
    exporting("wallet", { quotes: [2] }),
  ]);
  expect(joinedSources.map(({ name }) => name)).toEqual(["account", "wallet"]);
  expect((await joinedSources[1]!.exportFor("u")).json).toEqual({ balances: [1], quotes: [2] });
});

test("a file with a single source keeps its form, including a list", async () => {
  const [only] = joinByName([exporting("address_book", [{ name: "desk" }])]);
  expect((await only!.exportFor("u")).json).toEqual([{ name: "desk" }]);
  const [silent] = joinByName([{ name: "mining", erase: null }]);
  expect((await silent!.exportFor("u")).json).toEqual({});
});

test("joined sources are each erased, listed and read", async () => {
  const erased: string[] = [];
  const source = (list: string): PersonalDataSource => ({
    name: "wallet",
    lists: { [list]: () => toRows({ list }) },
    blobs: async function* blobs() {
      yield { name: `${list}.bin`, bytes: new Uint8Array() };
    },
    erase: async (userId) => void erased.push(`${list} of ${userId}`),
  });
  const [wallet] = joinByName([source("sent"), source("received")]);
  await wallet!.erase("u");
  expect(erased).toEqual(["sent of u", "received of u"]);
  expect(Object.keys(wallet!.lists)).toEqual(["sent", "received"]);
  const files: { name: string }[] = [];
  for await (const file of wallet!.blobs("u")) files.push(file);
  expect(files.map(({ name }) => name)).toEqual(["sent.bin", "received.bin"]);
});

test("two sources cannot write the same list, and a name is a single word", () => {
  const sentSource = { name: "wallet", lists: { sent: () => toRows() }, erase: null };
  expect(() => joinByName([sentSource, sentSource])).toThrow(
    "two domains write the same list in wallet",
  );
  expect(() => joinByName([exporting("../etc", {})])).toThrow(RangeError);
});
