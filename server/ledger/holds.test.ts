import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createJournal,
  createMoveLegs,
  createPersonWith,
  createTestLedger,
  getBalance,
  type Person,
  postAlone,
  postInOrder,
} from "#server/ledger/testing.ts";
import type { Journal, Ledger } from "#server/ledger/types.ts";
import type { TestContext } from "#server/testing/testContext.ts";

let ctx: TestContext;
let ledger: Ledger;
let house: bigint;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ ctx, ledger, house, close } = await createTestLedger());
});
afterAll(() => close());

describe("a hold", () => {
  const placeOrder = (person: Person, amount: bigint) =>
    createJournal(createMoveLegs(person.wallet, person.held, amount), {
      hold: { action: "place" },
    });
  const post_ = (person: Person, holdId: string, amount: bigint) =>
    createJournal(createMoveLegs(person.held, house, amount), {
      hold: { action: "post", of: holdId },
    });
  const void_ = (person: Person, holdId: string, amount: bigint) =>
    createJournal(createMoveLegs(person.held, person.wallet, amount), {
      hold: { action: "void", of: holdId },
    });

  test("held money cannot be spent", async () => {
    const person = await createPersonWith(ledger, 100n);
    expect(await postAlone(ledger, placeOrder(person, 80n))).toBe("posted");
    expect(await postAlone(ledger, createJournal(createMoveLegs(person.wallet, house, 30n)))).toBe(
      "overdraft",
    );
    expect(await postAlone(ledger, placeOrder(person, 30n))).toBe("overdraft");
    expect(await getBalance(ledger, person)).toMatchObject({ available: 20n, held: 80n });
  });

  test("held money cannot move without its hold", async () => {
    const person = await createPersonWith(ledger, 100n);
    await postAlone(ledger, placeOrder(person, 80n));
    expect(
      await postAlone(ledger, createJournal(createMoveLegs(person.held, person.wallet, 80n))),
    ).toBe("hold_mismatch");
    expect(
      await postAlone(ledger, createJournal(createMoveLegs(person.wallet, person.held, 5n))),
    ).toBe("hold_mismatch");
  });

  test.each([
    ["committed twice", post_, post_],
    ["refunded twice", void_, void_],
    ["committed, then refunded", post_, void_],
    ["refunded, then committed", void_, post_],
  ])("a hold %s is refused the second time", async (_title, first, second) => {
    const person = await createPersonWith(ledger, 100n);
    const hold = placeOrder(person, 40n);
    await postAlone(ledger, hold);
    await postAlone(ledger, placeOrder(person, 40n));
    expect(await postAlone(ledger, first(person, hold.id, 40n))).toBe("posted");
    expect(await postAlone(ledger, second(person, hold.id, 40n))).toBe("hold_not_pending");
    expect((await getBalance(ledger, person)).held).toBe(40n);
  });

  test("a hold committed several times concurrently posts once", async () => {
    const person = await createPersonWith(ledger, 100n);
    const [a, b] = [placeOrder(person, 40n), placeOrder(person, 40n)];
    expect(
      await postInOrder(ctx, ledger, [a, post_(person, a.id, 40n), post_(person, a.id, 40n), b]),
    ).toEqual(["posted", "posted", "hold_not_pending", "posted"]);
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        postInOrder(ctx, ledger, [(index % 2 ? post_ : void_)(person, b.id, 40n)]),
      ),
    );
    expect(outcomes.flat().filter((outcome) => outcome === "posted")).toHaveLength(1);
    expect((await getBalance(ledger, person)).held).toBe(0n);
  });

  test.each<[string, bigint, (p: Person, of: string) => Journal]>([
    ["committed with less than is held", 40n, (p, holdId) => post_(p, holdId, 39n)],
    ["committed with more than is held", 40n, (p, holdId) => post_(p, holdId, 41n)],
    [
      "refunded to somebody else",
      40n,
      (p, holdId) => ({ ...post_(p, holdId, 40n), hold: { action: "void", of: holdId } }),
    ],
  ])("a hold %s is refused", async (_title, amount, make) => {
    const person = await createPersonWith(ledger, 100n);
    const hold = placeOrder(person, amount);
    await postAlone(ledger, hold);
    await postAlone(ledger, placeOrder(person, 60n));
    expect(await postAlone(ledger, make(person, hold.id))).toBe("hold_mismatch");
  });

  test("a refused hold can never be committed", async () => {
    const person = await createPersonWith(ledger, 100n);
    const rejectedHold = placeOrder(person, 150n);
    await postAlone(ledger, placeOrder(person, 50n));
    expect(await postAlone(ledger, rejectedHold)).toBe("overdraft");
    expect(await postAlone(ledger, post_(person, rejectedHold.id, 150n))).toBe("hold_unknown");
    await postAlone(ledger, createJournal(createMoveLegs(house, person.wallet, 1_000n)));
    expect(await postAlone(ledger, rejectedHold)).toBe("overdraft");
    expect(await postAlone(ledger, post_(person, rejectedHold.id, 50n))).toBe("hold_unknown");
  });

  test("a journal that placed no hold cannot be committed", async () => {
    const person = await createPersonWith(ledger, 100n);
    const plain = createJournal(createMoveLegs(person.wallet, house, 10n));
    await postAlone(ledger, plain);
    expect(await postAlone(ledger, post_(person, plain.id, 10n))).toBe("hold_unknown");
    expect(
      await postAlone(
        ledger,
        createJournal(createMoveLegs(person.wallet, house, 10n), { hold: { action: "place" } }),
      ),
    ).toBe("hold_mismatch");
  });
});
