import { type Contact, type ContactCountry, drawContact } from "#core/identity/contact.ts";
import {
  type DocumentType,
  drawNumber,
  type State,
  stateFacts,
  withWrongCheck,
} from "#core/identity/documents.ts";
import { createDraw } from "#core/identity/draw.ts";
import { drawName } from "#core/identity/names.ts";
import { type Day, dayOf, dayText, type SexCode } from "#core/identity/residentId.ts";
import { dayMs } from "#core/money/time.ts";

/**
 * Specimen identities (docs/rules/identity.md): people who do not exist, with documents of states
 * that do not exist. All of one follows from its seed, so that no personal field of it needs to be
 * kept.
 */

/** What a specimen is drawn to teach. Only `verified` is accepted when the form repeats it. */
export const specimenKinds = [
  "verified",
  "unreadable",
  "expired",
  "name_differs",
  "number_check_failed",
] as const;
export type SpecimenKind = (typeof specimenKinds)[number];

export interface SpecimenOrder {
  /** 32 bytes that the server drew. */
  seed: Uint8Array;
  kind: SpecimenKind;
  documentType: DocumentType;
  state: State;
  country: ContactCountry;
  /** World time at which it was drawn; its dates lie around it. */
  drawnAtMs: number;
}

/** What the document shows. */
interface Print {
  name: string;
  issuedOn: string;
  /** The last day on which it is valid, `2031-05-02`. */
  expiresOn: string;
  /** Blurred and under glare: nobody could read name and number from it. */
  blurred: boolean;
}

/** The fictional identity that the person is given, and its document. */
export interface Specimen {
  name: string;
  sex: SexCode;
  birthday: Day;
  documentType: DocumentType;
  state: State;
  /** As the person knows it and as the document shows it. */
  number: string;
  contact: Contact;
  print: Print;
}

/** The day of a time, in UTC. */
export function dayAt(ms: number): Day {
  return dayOf(new Date(ms).toISOString().slice(0, 10)) as Day;
}

/**
 * Makes a specimen; each kind is truly what it is called. The person is between 20 and 69 years old
 * when it is drawn.
 * Only the seed is stored, and the form takes nothing but what the specimen says: comparing with a
 * known text is the only test that a stranger's name cannot pass, and a table without personal
 * fields cannot leak them.
 */
export function makeSpecimen(order: SpecimenOrder): Specimen {
  const { seed, kind, documentType, state, country, drawnAtMs } = order;
  const draw = createDraw(seed, "drydock.identity/1");
  const sex = draw.below(2) as SexCode;
  const { name, other } = drawName(stateFacts[state].script, sex, draw);
  const year = dayAt(drawnAtMs).year - 20 - draw.below(50);
  const birthday = { year, month: 1 + draw.below(12), day: 1 + draw.below(28) };
  const number = drawNumber({ type: documentType, state, birthday, sex }, draw);
  const contact = drawContact(country, draw);
  const isExpired = kind === "expired";
  const expiresAtMs = isExpired
    ? drawnAtMs - (20 + draw.below(400)) * dayMs
    : drawnAtMs + (700 + draw.below(2_000)) * dayMs;
  const issuedAtMs = expiresAtMs - 3_650 * dayMs;
  return {
    name,
    sex,
    birthday,
    documentType,
    state,
    number: kind === "number_check_failed" ? withWrongCheck(number) : number,
    contact,
    print: {
      name: kind === "name_differs" ? other : name,
      issuedOn: dayText(dayAt(issuedAtMs)),
      expiresOn: dayText(dayAt(expiresAtMs)),
      blurred: kind === "unreadable",
    },
  };
}

/** What the QR of a document says of it; no field of the person is in it. */
export interface SpecimenMark {
  /** Name of the world that issued it. */
  world: string;
  /** 24 hex digits, made by the server. */
  id: string;
}

/** The text that the issuer signs: practice mark and backing in words, the world, the id. */
export function specimenSigned({ world, id }: SpecimenMark): string {
  return `drydock.identity/1 practice backing:none ${world} ${id}`;
}

/** What the QR holds. `mac`: 32 hex digits by the issuer's key. */
export function specimenText(mark: SpecimenMark, mac: string): string {
  return `${specimenSigned(mark)} ${mac}`;
}

export const identityForm =
  /^drydock\.identity\/1 practice backing:none ([a-z0-9-]{1,40}) ([0-9a-f]{24}) ([0-9a-f]{32})$/;

/** Reads the text of a QR; null for any other text, however alike. */
export function readSpecimenText(text: string): (SpecimenMark & { mac: string }) | null {
  const [, world, id, mac] = identityForm.exec(text) ?? [];
  if (world === undefined || id === undefined || mac === undefined) return null;
  return { world, id, mac };
}
