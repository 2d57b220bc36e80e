import { describe, expect, test } from "vitest";
import { contactCountries, isMainlandMobile } from "#core/identity/contact.ts";
import {
  checkDigitHolds,
  documentTypes,
  issuingStates,
  normalizeNumber,
  stateFacts,
} from "#core/identity/documents.ts";
import { parseResidentId } from "#core/identity/residentId.ts";
import {
  formatSpecimenText,
  makeSpecimen,
  parseSpecimenText,
  type SpecimenOrder,
  specimenKinds,
} from "#core/identity/specimen.ts";
import { dayMs } from "#core/money/time.ts";
import { decideIdentity, findDifferingFields, getIdentityStatus } from "./review.ts";

const drawnAtMs = Date.UTC(2026, 0, 5);

function orders(seeds: number): SpecimenOrder[] {
  return Array.from({ length: seeds }, (_, nth) => nth).flatMap((nth) =>
    specimenKinds.flatMap((kind) =>
      documentTypes.map((documentType) => ({
        seed: new Uint8Array(32).fill(nth + 1),
        kind,
        documentType,
        state: issuingStates[nth % issuingStates.length]!,
        country: contactCountries[nth % contactCountries.length]!,
        drawnAtMs,
      })),
    ),
  );
}

const toForm = (specimen: ReturnType<typeof makeSpecimen>) => ({
  name: specimen.name,
  documentType: specimen.documentType,
  number: specimen.number,
  sex: specimen.sex,
  birthday: [specimen.birthday.year, specimen.birthday.month, specimen.birthday.day]
    .map((part) => String(part).padStart(2, "0"))
    .join("-"),
  contact: specimen.contact.e164,
});

describe("a specimen", () => {
  test("a specimen is determined by its seed", () => {
    const [order] = orders(1);
    expect(makeSpecimen(order!)).toEqual(makeSpecimen({ ...order! }));
    const otherOrder = { ...order!, seed: new Uint8Array(32).fill(77) };
    expect(makeSpecimen(otherOrder)).not.toEqual(makeSpecimen(order!));
  });

  test("a specimen has exactly the defect of its kind and no other", () => {
    for (const order of orders(40)) {
      const { kind } = order;
      const decision = decideIdentity(makeSpecimen(order), drawnAtMs);
      expect(decision).toEqual(kind === "verified" ? { ok: true } : { ok: false, reason: kind });
    }
  });

  test("a verified specimen is valid for a year of world time and expires later", () => {
    for (const order of orders(20).filter(({ kind }) => kind === "verified")) {
      const specimen = makeSpecimen(order);
      expect(decideIdentity(specimen, drawnAtMs + 366 * dayMs)).toEqual({ ok: true });
      const laterDecision = decideIdentity(specimen, drawnAtMs + 9 * 366 * dayMs);
      expect(laterDecision).toEqual({ ok: false, reason: "expired" });
    }
  });

  test("a specimen's person is 20 to 69, and its resident ID encodes sex and birthday", () => {
    for (const order of orders(40)) {
      const { birthday, sex, number, documentType } = makeSpecimen(order);
      expect(2026 - birthday.year).toBeGreaterThanOrEqual(20);
      expect(2026 - birthday.year).toBeLessThanOrEqual(69);
      if (documentType !== "resident_id") continue;
      expect(parseResidentId(number)).toMatchObject({ birthday, sex });
    }
  });

  test("a specimen's number is invalid everywhere: length, province and country code", () => {
    for (const order of orders(40)) {
      const number = normalizeNumber(makeSpecimen(order).number);
      const { code, region } = stateFacts[order.state];
      if (order.documentType === "resident_id") expect(number.startsWith(region)).toBe(true);
      else expect(number.startsWith(code)).toBe(true);
      // ICAO Doc 9303 numbers have nine characters.
      if (order.documentType === "passport") expect(number.length).toBeGreaterThan(9);
      // An ISO 3166 user-assigned code, and no province of GB/T 2260.
      expect(code).toMatch(/^X[A-Z]{2}$/);
      expect(region).toMatch(/^99/);
    }
  });
});

test.each([
  ["AU", /^\+61491570(006|110|15[6-9])$/],
  ["DE", /^\+493023125\d{3}$/],
  ["FR", /^\+33639\d{6}$/],
  ["GB", /^\+447700900\d{3}$/],
  ["SE", /^\+4670174(06(0[5-9]|[1-9]\d))$/],
  ["US", /^\+1(202|312|415|617)55501\d{2}$/],
] as const)("a contact number of %s is from a range reserved for fiction", (country, range) => {
  for (const order of orders(60)) {
    expect(makeSpecimen({ ...order, country }).contact.e164).toMatch(range);
  }
});

test.each([
  ["13800138000", true],
  ["+86 138 0013 8000", true],
  ["008613800138000", true],
  ["23800138000", false],
  ["1380013800", false],
  ["138001380000", false],
  ["", false],
])("a mainland mobile number has 11 digits and begins with 1: %s %s", (text, is) => {
  expect(isMainlandMobile(text)).toBe(is);
});

describe("check digits", () => {
  test.each(documentTypes)("a %s fails the check with any other last character", (documentType) => {
    for (const order of orders(10).filter((order) => order.documentType === documentType)) {
      if (order.kind === "number_check_failed") continue;
      const { number } = makeSpecimen(order);
      expect(checkDigitHolds(documentType, number)).toBe(true);
      for (const last of "0123456789X") {
        if (last === number.at(-1)) continue;
        expect(checkDigitHolds(documentType, number.slice(0, -1) + last)).toBe(false);
      }
    }
  });
});

describe("a form", () => {
  const specimen = makeSpecimen(orders(1)[0]!);
  const form = toForm(specimen);
  test("a form matches its specimen regardless of case, spaces and hyphens", () => {
    expect(findDifferingFields(form, specimen)).toEqual([]);
    const looseForm = {
      ...form,
      name: `  ${specimen.name.toUpperCase().replace(" ", "   ")} `,
      number: ` ${specimen.number.toLowerCase().slice(0, 4)} -${specimen.number.slice(4)}`,
    };
    expect(findDifferingFields(looseForm, specimen)).toEqual([]);
  });
  test.each([
    ["name", { name: "Anna Beispiel" }],
    ["document_type", { documentType: "resident_id" }],
    ["number", { number: "XVK00000000" }],
    ["sex", { sex: specimen.sex === 0 ? 1 : 0 }],
    ["birthday", { birthday: "1900-01-01" }],
    ["contact_number", { contact: "+447700900999" }],
  ] as const)("a form with another %s differs in that field only", (field, change) => {
    expect(findDifferingFields({ ...form, ...change }, specimen)).toEqual([field]);
  });
});

test.each([
  [
    "an issued text",
    formatSpecimenText({ world: "harbour", id: "a".repeat(24) }, "b".repeat(32)),
    true,
  ],
  ["a voucher", `drydock.specimen/1 practice backing:none harbour ${"a".repeat(24)}`, false],
  ["a text without its practice label", `drydock.identity/1 harbour ${"a".repeat(24)}`, false],
  [
    "a text with a suffix",
    `${formatSpecimenText({ world: "w", id: "a".repeat(24) }, "b".repeat(32))} x`,
    false,
  ],
  ["an address", "https://example.org", false],
])("parseSpecimenText checks %s", (_title, text, isRead) => {
  expect(parseSpecimenText(text) !== null).toBe(isRead);
});

test.each([
  [999, false, "waiting"],
  [1_000, false, "closing"],
  [9_999_999, false, "closing"],
  [0, true, "over"],
] as const)("at %i with decided %s the status is %s", (nowMs, isDecided, status) => {
  expect(getIdentityStatus({ closingAtMs: 1_000, isDecided }, nowMs)).toBe(status);
});
