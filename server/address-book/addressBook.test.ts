import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { encodeAddress } from "#core/addresses/address.ts";
import { type AddressBook, createAddressBook } from "#server/address-book/addressBook.ts";
import { catchErrorName } from "#server/testing/contracts.ts";
import { createTestContext, type TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let book: AddressBook;
beforeAll(async () => {
  ctx = await createTestContext();
  book = createAddressBook(ctx);
});
afterAll(() => ctx.destroy());
async function newPerson(): Promise<string> {
  const userId = randomUUID();
  await ctx.fieldEncryption.createKey(userId);
  return userId;
}
const someAddress = () => encodeAddress("peth", randomBytes(20));

test("entries are trimmed, listed by name, renamed and removed", async () => {
  const user = await newPerson();
  const zoe = await book.add(user, { name: "  Zoë's desk ", address: someAddress() });
  const anna = await book.add(user, { name: "anna", address: ` ${someAddress().toUpperCase()} ` });
  expect([zoe.name, zoe.network, anna.address]).toEqual([
    "Zoë's desk",
    "peth",
    anna.address.toLowerCase(),
  ]);
  expect((await book.list(user)).map(({ name }) => name)).toEqual(["anna", "Zoë's desk"]);
  expect((await book.rename(user, anna.entry_id, "zz top")).name).toBe("zz top");
  expect((await book.list(user)).map(({ name }) => name)).toEqual(["Zoë's desk", "zz top"]);
  await book.remove(user, zoe.entry_id);
  expect((await book.list(user)).length).toBe(1);
});

test.each<[string, { name?: string; address?: string }, string]>([
  ["an empty name", { name: " " }, "book.name_empty"],
  ["31 characters", { name: "a".repeat(31) }, "book.name_too_long"],
  ["an empty address", { address: "" }, "address.malformed"],
  ["a real chain's address", { address: `0x${"12".repeat(20)}` }, "address.real_chain"],
])("%s is refused and not stored", async (_title, change, error) => {
  const user = await newPerson();
  const entry = { name: "desk", address: someAddress(), ...change };
  expect(await catchErrorName(book.add(user, entry))).toBe(error);
  expect(await book.list(user)).toEqual([]);
});

test("an address that is already in the book is refused with the name of its entry", async () => {
  const user = await newPerson();
  const address = someAddress();
  await book.add(user, { name: "desk", address });
  const failure = await book.add(user, { name: "other", address }).catch((error) => error);
  expect([failure.error, failure.data]).toEqual(["book.address_known", { name: "desk" }]);
});

test("a person's outside account has one entry per network, even when added twice", async () => {
  const user = await newPerson();
  const ensureOutside = (network = "peth", name = "My account elsewhere") =>
    book.ensureOutside(user, { name, network });
  const [first, repeated] = await Promise.all([ensureOutside(), ensureOutside()]);
  expect(repeated).toEqual(first);
  expect(await ensureOutside("peth", "Another name")).toEqual(first);
  expect((await ensureOutside("pbtc")).network).toBe("pbtc");
  expect((await book.list(user)).map(({ network }) => network).toSorted()).toEqual([
    "pbtc",
    "peth",
  ]);
  expect(await catchErrorName(ensureOutside("ethereum"))).toBe("address.network_unknown");
  const otherUser = await newPerson();
  const otherEntry = await book.ensureOutside(otherUser, { name: "x", network: "peth" });
  expect(otherEntry.address).not.toBe(first.address);
});

test("a removed outside account returns with the same address", async () => {
  const user = await newPerson();
  const ensureOutside = () => book.ensureOutside(user, { name: "mine", network: "ptron" });
  const first = await ensureOutside();
  await book.remove(user, first.entry_id);
  expect((await ensureOutside()).address).toBe(first.address);
});

test("an address book holds 100 addresses, even with concurrent additions", async () => {
  const user = await newPerson();
  for (let number = 1; number <= 99; number += 1) {
    await book.add(user, { name: `desk ${number}`, address: someAddress() });
  }
  const errors = await Promise.all(
    ["a", "b"].map((name) => catchErrorName(book.add(user, { name, address: someAddress() }))),
  );
  expect(new Set(errors)).toEqual(new Set(["book.full", null]));
  expect((await book.list(user)).length).toBe(100);
});

test("an address book is accessible to its owner only", async () => {
  const [user, otherUser] = [await newPerson(), await newPerson()];
  const entry = await book.add(user, { name: "desk", address: someAddress() });
  expect(await catchErrorName(book.rename(otherUser, entry.entry_id, "mine"))).toBe("book.unknown");
  expect(await catchErrorName(book.remove(otherUser, entry.entry_id))).toBe("book.unknown");
  expect(await catchErrorName(book.remove(user, "nonsense"))).toBe("book.unknown");
  expect(await book.list(otherUser)).toEqual([]);
  expect((await book.list(user))[0]?.name).toBe("desk");
});
