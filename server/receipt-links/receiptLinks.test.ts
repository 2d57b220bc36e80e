import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createReceiptLink } from "#api/receiptLinks.ts";
import { checkReceipt } from "#core/contracts/receipt.ts";
import { type ContractReceipt, listNeededLeaves } from "#core/contracts/receiptSchema.ts";
import { dayMs } from "#core/money/time.ts";
import { linksMax } from "#core/receipt-links/rules.ts";
import { ApiError } from "#server/platform/apiError.ts";
import { createReceiptLinks, type ReceiptLinks } from "#server/receipt-links/receiptLinks.ts";
import {
  catchErrorName,
  createTestContracts,
  place,
  type TestContracts,
} from "#server/testing/contracts.ts";
import type { Person } from "#server/testing/people.ts";

let t: TestContracts;
let links: ReceiptLinks;
/** A person with two settled orders. */
let owner: Person;
const orders: string[] = [];

beforeAll(async () => {
  t = await createTestContracts();
  const { ctx, contracts } = t;
  const unknownOrder = async () => {
    throw new ApiError("hosting.order_unknown");
  };
  links = createReceiptLinks(ctx, {
    contracts,
    hosting: { orderReceipt: unknownOrder },
    mining: { receipt: unknownOrder },
  });
  ctx.jobs.add(links.jobs);
  await t.tickTo(t.at(100) + 400);
  owner = await t.openPerson();
  for (const direction of ["up", "down"] as const)
    orders.push((await place(t, owner, { direction })).orderId);
  await t.tickTo(t.at(170));
  await contracts.settleDue();
});
afterAll(() => t.destroy());
afterEach(async () => {
  for (const { link_id: id } of await links.list(owner.userId))
    await links.revoke(owner.userId, id);
});

const newSecret = () => randomBytes(16).toString("base64url");
const make = (secret: string, orderId = orders[0]!, userId = owner.userId) =>
  links.create(userId, { secret, kind: "contract", orderId });
const toRows = async (userId: string) =>
  (await t.ctx.owner.pool.query("select * from receipt_link where user_id = $1", [userId])).rows;

describe("receipt links", () => {
  test("a link opens its owner's receipt, which agrees with the log", async () => {
    const secret = newSecret();
    await make(secret);
    const { kind, receipt } = await links.open(secret);
    expect(kind).toBe("contract");
    expect(receipt).toEqual(await t.contracts.receipt(owner.userId, orders[0]!));
    const leaves = new Map<number, Uint8Array>();
    for (const [from, to] of listNeededLeaves(receipt as unknown as ContractReceipt)) {
      const storedLeaves = await t.transparencyLog.leaves(from, to + 1);
      for (const [index, { bytes }] of storedLeaves.entries()) leaves.set(from + index, bytes);
    }
    const copy = JSON.parse(JSON.stringify(receipt));
    expect(checkReceipt(copy, await t.world(), leaves).ok).toBe(true);
  });

  test("a linked receipt contains the attempt but no person and no address", async () => {
    const secret = newSecret();
    await make(secret);
    const text = JSON.stringify(await links.open(secret));
    expect(text).not.toContain(owner.userId);
    expect(text).not.toMatch(/0x[0-9a-f]{40}\b/i);
    expect(text).not.toMatch(/user_id|address|invite|name"/);
    expect(text).toContain(owner.attemptId);
  });

  test("a secret creates one link under concurrent calls", async () => {
    const secret = newSecret();
    const [first, repeated] = await Promise.all([make(secret), make(secret)]);
    expect(repeated).toEqual(first);
    expect(await links.list(owner.userId)).toEqual([first]);
  });

  test("another person cannot create or revoke a link, nor a secret open more", async () => {
    const secret = newSecret();
    const { link_id: id } = await make(secret);
    const stranger = await t.openPerson();
    expect(await catchErrorName(make(newSecret(), orders[0], stranger.userId))).toBe(
      "contracts.order_unknown",
    );
    expect(await catchErrorName(make(secret, orders[1]))).toBe("receipt_links.secret_used");
    expect(await links.list(stranger.userId)).toEqual([]);
    await links.revoke(stranger.userId, id);
    expect((await links.open(secret)).kind).toBe("contract");
  });

  test("a link is stored by the hash of its secret only", async () => {
    const secret = newSecret();
    await make(secret);
    const [row] = await toRows(owner.userId);
    const bytes = [Buffer.from(secret), Buffer.from(secret, "base64url")];
    for (const value of Object.values(row).filter((column) => Buffer.isBuffer(column)))
      expect(bytes.some((marker) => value.includes(marker))).toBe(false);
    expect(Object.values(row).map(String).join()).not.toContain(secret);
  });

  test("a revoked link opens nothing, and revoking it again is a no-op", async () => {
    const secret = newSecret();
    const { link_id: id } = await make(secret);
    await links.revoke(owner.userId, id);
    await links.revoke(owner.userId, id);
    await links.revoke(owner.userId, "nonsense");
    expect(await catchErrorName(links.open(secret))).toBe("receipt_links.unknown");
    expect(await toRows(owner.userId)).toEqual([]);
  });

  test("a link expires after 30 real days and its row is purged", async () => {
    const secret = newSecret();
    const { created_at_ms: from, expires_at_ms: to } = await make(secret);
    expect(to - from).toBe(30 * dayMs);
    t.ctx.realClock.advanceMs(30 * dayMs - 1_000);
    expect((await links.open(secret)).expires_at_ms).toBe(to);
    t.ctx.realClock.advanceMs(1_000);
    expect(await catchErrorName(links.open(secret))).toBe("receipt_links.unknown");
    expect(await links.list(owner.userId)).toEqual([]);
    expect(await catchErrorName(make(secret))).toBe("receipt_links.secret_used");
    await t.ctx.jobs.runNow("receiptLinks.expire");
    expect(await toRows(owner.userId)).toEqual([]);
  });

  test("a person has at most 20 links, even with concurrent additions", async () => {
    for (let count = 1; count < linksMax; count += 1) await make(newSecret());
    const errors = await Promise.all([1, 2].map(() => catchErrorName(make(newSecret()))));
    expect(new Set(errors)).toEqual(new Set(["receipt_links.too_many", null]));
    await links.revoke(owner.userId, (await links.list(owner.userId))[0]!.link_id);
    expect(await catchErrorName(make(newSecret()))).toBeNull();
  });
});

test.each([
  ["22 characters of base64url", newSecret(), true],
  ["fewer", newSecret().slice(1), false],
  ["more", `${newSecret()}A`, false],
  ["unused bits that are set", `${"A".repeat(21)}B`, false],
  ["another alphabet", `${"A".repeat(20)}+A`, false],
])("a secret of %s is read: %s, %s", (_what, secret, fits) => {
  const input = { secret, kind: "contract", order_id: "x" };
  expect(createReceiptLink.input.safeParse(input).success).toBe(fits);
});
