import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { IdentitySpecimen, RealNameInfo, Verification } from "#api/identity.ts";
import { contactCountries } from "#core/identity/contact.ts";
import { documentTypes, issuingStates } from "#core/identity/documents.ts";
import { specimenKinds } from "#core/identity/specimen.ts";
import {
  createForm,
  createIdentityWorld,
  createPicture,
  draw,
  get,
  type IdentityWorld,
  newPerson,
  post,
  send,
} from "#server/identity/testing.ts";
import { newKey } from "#server/testing/client.ts";

let world: IdentityWorld;
beforeAll(async () => {
  world = await createIdentityWorld();
});
afterAll(() => world.close());

const info = async (user: string, language = "en") =>
  (await get<RealNameInfo>(world, user, "/api/user/getRealNameInfo", language)).data;

describe("a specimen", () => {
  test.each(
    contactCountries.map((country) => ({ country })),
  )("a specimen with a number of $country passes the form", async ({ country }) => {
    const user = newPerson();
    for (const state of issuingStates) {
      for (const document_type of documentTypes) {
        const specimen = await draw(world, user, { country, state, document_type });
        const image = await createPicture(specimen.qr_text);
        const upload = await send(world, user, createForm(specimen), image);
        expect(upload.error, `${state} ${document_type} ${specimen.contact.number}`).toBeNull();
        await world.review();
      }
    }
    expect((await info(user)).outcome).toBe("verified");
  });

  test("a surprise specimen hides its kind until it is decided", async () => {
    const user = newPerson();
    const url = "/api/user/drawIdentity";
    const { data: specimen } = await post<IdentitySpecimen>(world, user, url, {
      document_type: "resident_id",
      state: "qinglan",
      country: "SE",
    });
    expect(specimen.kind).toBeNull();
    await send(world, user, createForm(specimen), await createPicture(specimen.qr_text));
    await world.review();
    const list = await get<{ items: IdentitySpecimen[] }>(world, user, "/api/user/getSpecimenList");
    expect(specimenKinds).toContain(list.data.items[0]?.kind);
  });

  test("a person may draw thirty specimens per real day", async () => {
    const user = newPerson();
    for (let nth = 0; nth < 30; nth += 1) await draw(world, user);
    await expect(draw(world, user)).rejects.toThrow("identity.too_many_specimens");
    expect((await info(user)).specimens_left).toBe(0);
  });
});

describe("the review", () => {
  test.each([
    ["verified", "verified", null],
    ["unreadable", "refused", "unreadable"],
    ["expired", "refused", "expired"],
    ["name_differs", "refused", "name_differs"],
    ["number_check_failed", "refused", "number_check_failed"],
  ] as const)("a specimen that is %s ends as %s", async (kind, outcome, reason) => {
    const user = newPerson();
    for (const document_type of documentTypes) {
      const specimen = await draw(world, user, { kind, document_type });
      const image = await createPicture(specimen.qr_text);
      const upload = await send(world, user, createForm(specimen), image);
      expect([upload.error, upload.data?.status]).toEqual([null, "waiting"]);
      await world.review();
      const { verification } = await info(user);
      expect(verification).toMatchObject({ status: "over", outcome, reason });
    }
  });

  test("a review is waiting, closing and over within 24 hours of world time", async () => {
    const user = newPerson();
    expect((await info(user)).status).toBe("none");
    const specimen = await draw(world, user);
    const image = await createPicture(specimen.qr_text);
    const { data } = await send(world, user, createForm(specimen), image);
    expect(data.due_at_ms - data.sent_at_ms).toBeLessThan(24 * 3_600_000);
    expect((await info(user)).status).toBe("waiting");
    world.ctx.clock.advanceTo(data.closing_at_ms);
    expect((await info(user)).status).toBe("closing");
    world.ctx.clock.advanceTo(data.due_at_ms);
    await world.identity.review();
    expect((await info(user)).status).toBe("over");
  });

  test("sex title and age are in the request's language while the fields are kept", async () => {
    const user = newPerson();
    const specimen = await draw(world, user, { document_type: "resident_id", state: "qinglan" });
    await send(world, user, createForm(specimen), await createPicture(specimen.qr_text));
    const { person } = await info(user, "de");
    const today = new Date(world.ctx.clock.nowMs()).toISOString().slice(0, 10);
    const hadBirthday = today.slice(5) >= specimen.birthday.slice(5);
    expect(person).toMatchObject({
      name: specimen.name,
      sex_title: specimen.sex === 0 ? "Männlich" : "Weiblich",
      age:
        Number(today.slice(0, 4)) - Number(specimen.birthday.slice(0, 4)) - (hadBirthday ? 0 : 1),
      document_number: specimen.number,
      contact_number: specimen.contact.e164,
    });
    await world.review();
  });
});

describe("a form that does not match is refused and stores nothing", () => {
  const user = newPerson();
  let ownSpecimen: IdentitySpecimen;
  let image: Buffer;
  beforeAll(async () => {
    ownSpecimen = await draw(world, user, { document_type: "resident_id" });
    image = await createPicture(ownSpecimen.qr_text);
  });

  test.each<[string, Record<string, string>, string]>([
    ["no name", { name: "  " }, "identity.information_missing"],
    ["no document type", { document_type: "" }, "identity.information_missing"],
    ["no number", { number: "" }, "identity.information_missing"],
    ["no sex", { sex: "" }, "identity.information_missing"],
    ["no birthday", { birthday: "" }, "identity.information_missing"],
    ["no contact number", { contact_number: "" }, "identity.information_missing"],
    ["a resident ID of 17 characters", { number: "1".repeat(17) }, "identity.number_wrong"],
    ["a day that does not exist", { birthday: "1990-02-30" }, "identity.birthday_wrong"],
    ["half a contact number", { contact_number: "0770" }, "identity.contact_wrong"],
    [
      "a mainland number that begins with 2",
      { contact_country: "CN", contact_number: "23800138000" },
      "identity.contact_wrong",
    ],
    [
      "a mainland number of 10 digits",
      { contact_country: "CN", contact_number: "1380013800" },
      "identity.contact_wrong",
    ],
    ["an unknown country", { contact_country: "ZZ" }, "identity.contact_wrong"],
    ["another name", { name: "Maria Muster" }, "identity.differs"],
    ["another document type", { document_type: "passport" }, "identity.differs"],
    ["another birthday", { birthday: "1990-01-01" }, "identity.differs"],
    [
      "another contact number",
      { contact_country: "CN", contact_number: "13800138000" },
      "identity.differs",
    ],
    ["an unknown sex", { sex: "2" }, "request.malformed"],
    ["an unknown document type", { document_type: "visa" }, "request.malformed"],
    ["a name of 61 characters", { name: "x".repeat(61) }, "request.malformed"],
  ])("%s", async (_title, change, error) => {
    const before = world.files();
    const upload = await send(world, user, { ...createForm(ownSpecimen), ...change }, image);
    expect(upload.error).toBe(error);
    expect(world.files()).toEqual(before);
    expect((await info(user)).status).toBe("none");
  });

  test.each<[string, () => Promise<Buffer | null>, string, string?]>([
    ["no picture", async () => null, "identity.information_missing"],
    ["text", async () => Buffer.from("my passport ".repeat(20)), "identity.picture_type"],
    [
      "a truncated picture",
      async () => image.subarray(0, image.length / 2),
      "identity.picture_unreadable",
    ],
    ["a picture without a code", () => createPicture(), "identity.not_a_specimen", "no_code"],
    [
      "two codes",
      async () => createPicture(ownSpecimen.qr_text, (await draw(world, user)).qr_text),
      "identity.not_a_specimen",
      "several_codes",
    ],
    [
      "somebody else's QR code",
      () => createPicture("https://example.org/me"),
      "identity.not_a_specimen",
      "other_code",
    ],
    [
      "a specimen of another world",
      () => createPicture(ownSpecimen.qr_text.replace("test-world", "elsewhere")),
      "identity.not_a_specimen",
      "other_world",
    ],
    [
      "an invalid signature",
      () => createPicture(`${ownSpecimen.qr_text.slice(0, -4)}0000`),
      "identity.not_a_specimen",
      "not_issued",
    ],
    [
      "another person's specimen",
      async () => createPicture((await draw(world, newPerson())).qr_text),
      "identity.not_a_specimen",
      "not_issued",
    ],
  ])("%s", async (_title, make, error, expectedData) => {
    const before = world.files();
    const upload = await send(world, user, createForm(ownSpecimen), await make());
    expect(upload.error).toBe(error);
    if (expectedData) expect(upload.data).toMatchObject({ why: expectedData });
    expect(world.files()).toEqual(before);
    expect((await info(user)).status).toBe("none");
  });

  test("a wrong resident ID in cn is refused with the product's sentence", async () => {
    const form = { ...createForm(ownSpecimen), number: "123" };
    const { msg } = await send(world, user, form, image, { language: "cn" });
    expect(msg).toBe("错误的身份证号码，请核对！");
  });
});

describe("submitting a verification", () => {
  test("a repeated key is one verification, and another body under it is refused", async () => {
    const user = newPerson();
    const specimen = await draw(world, user);
    const image = await createPicture(specimen.qr_text);
    const key = newKey();
    const first = await send(world, user, createForm(specimen), image, { key });
    const repeated = await send(world, user, createForm(specimen), image, { key });
    expect(repeated.data.verification_id).toBe(first.data.verification_id);
    const otherForm = { ...createForm(specimen), name: ` ${specimen.name}` };
    expect((await send(world, user, otherForm, image, { key })).error).toBe(
      "idempotency.body_changed",
    );
    const busy = await send(world, user, createForm(specimen), image, { key: "" });
    expect(busy.error).toBe("identity.under_review");
    await world.review();
    expect((await send(world, user, createForm(specimen), image, { key: "" })).error).toBeNull();
    await world.review();
  });

  test("concurrent submissions under one key are one verification and one file", async () => {
    const user = newPerson();
    const specimen = await draw(world, user);
    const image = await createPicture(specimen.qr_text);
    const before = world.files().length;
    const key = newKey();
    const answers = await Promise.all(
      [1, 2].map(() => send(world, user, createForm(specimen), image, { key })),
    );
    expect(new Set(answers.map(({ data }) => data.verification_id)).size).toBe(1);
    expect(world.files()).toHaveLength(before + 1);
    await world.review();
  });

  test("a person may submit twenty times per real day", async () => {
    const user = newPerson();
    const specimen = await draw(world, user);
    const image = await createPicture(specimen.qr_text);
    for (let nth = 0; nth < 20; nth += 1) {
      expect((await send(world, user, createForm(specimen), image)).error).toBeNull();
      await world.review();
    }
    const { error } = await send(world, user, createForm(specimen), image);
    expect(error).toBe("identity.too_many_tries");
  });

  test("a submission without a session is refused before its body is read", async () => {
    const answer = await world.app.inject({ method: "POST", url: "/api/user/realNameVerify" });
    expect(answer.json().error).toBe("session.required");
  });
});

describe("the picture", () => {
  test("a picture is visible to its owner only, and the receipt has its digest", async () => {
    const user = newPerson();
    const specimen = await draw(world, user);
    const upload = await send(
      world,
      user,
      createForm(specimen),
      await createPicture(specimen.qr_text),
    );
    const id = upload.data.verification_id;
    const url = `/api/user/getRealNameImage?verification_id=${id}`;
    const response = await world.app.inject({ url, headers: { token: user } });
    expect(response.headers["content-type"]).toBe("image/webp");
    const stranger = await world.app.inject({ url, headers: { token: newPerson() } });
    expect(stranger.json().error).toBe("identity.unknown");
    const earlyAnswer = await post(world, user, "/api/user/purgeRealName", { verification_id: id });
    expect(earlyAnswer.error).toBe("identity.under_review");
    await world.review();
    const purgedVerification = await post<Verification>(world, user, "/api/user/purgeRealName", {
      verification_id: id,
    });
    expect(purgedVerification.data.receipt).toEqual({
      image_sha256: createHash("sha256").update(response.rawPayload).digest("hex"),
      image_bytes: response.rawPayload.length,
      purged_at_ms: world.ctx.realClock.nowMs(),
    });
    const imageAnswer = await world.app.inject({ url, headers: { token: user } });
    expect([imageAnswer.statusCode, imageAnswer.json().error]).toEqual([410, "identity.purged"]);
  });
});

describe("purge", () => {
  const sendOne = async (user: string) => {
    const specimen = await draw(world, user);
    const upload = await send(
      world,
      user,
      createForm(specimen),
      await createPicture(specimen.qr_text),
    );
    await world.review();
    return upload.data.verification_id;
  };
  const purgeJob = () => world.ctx.jobs.runNow("identity.purge");
  const hourMs = 3_600_000;

  test("a verification is purged between 23 and 24 real hours after its decision", async () => {
    const user = newPerson();
    await sendOne(user);
    world.ctx.realClock.advanceMs(23 * hourMs - 1);
    await purgeJob();
    expect((await info(user)).person).not.toBeNull();
    const purgeByMs = (await info(user)).verification!.purge_by_ms!;
    world.ctx.realClock.advanceMs(1);
    await purgeJob();
    const { person, verification } = await info(user);
    expect(person).toBeNull();
    expect(verification).toMatchObject({ image: null, shown: null, outcome: "verified" });
    expect(verification!.receipt!.purged_at_ms).toBeLessThanOrEqual(purgeByMs);
  });

  test("a purge deletes the file and its specimen and is idempotent", async () => {
    const user = newPerson();
    const before = world.files();
    const id = await sendOne(user);
    expect(world.files()).toHaveLength(before.length + 1);
    const first = await post<Verification>(world, user, "/api/user/purgeRealName", {
      verification_id: id,
    });
    world.ctx.realClock.advanceMs(60_000);
    const repeated = await post<Verification>(world, user, "/api/user/purgeRealName", {
      verification_id: id,
    });
    expect(repeated.data).toEqual(first.data);
    expect(world.files()).toEqual(before);
    const list = await get<{ items: unknown[] }>(world, user, "/api/user/getSpecimenList");
    expect(list.data.items).toEqual([]);
  });

  test("a verification under review is never purged", async () => {
    const user = newPerson();
    const specimen = await draw(world, user);
    await send(world, user, createForm(specimen), await createPicture(specimen.qr_text));
    world.ctx.realClock.advanceMs(9 * 24 * hourMs);
    await purgeJob();
    await world.review();
    expect(await info(user)).toMatchObject({ status: "over", outcome: "verified" });
  });

  test("specimens are deleted after a week, used or not", async () => {
    const user = newPerson();
    await draw(world, user);
    world.ctx.realClock.advanceMs(7 * 24 * hourMs);
    await purgeJob();
    const list = await get<{ items: unknown[] }>(world, user, "/api/user/getSpecimenList");
    expect(list.data.items).toEqual([]);
  });

  test("files without a verification are swept", async () => {
    const { mkdirSync, writeFileSync } = await import("node:fs");
    mkdirSync(world.directory, { recursive: true });
    const idPrefix = (world.ctx.realClock.nowMs() - 11 * 60_000).toString(36).padStart(9, "0");
    writeFileSync(`${world.directory}/${idPrefix}-${"0".repeat(32)}`, "x");
    expect(await world.identity.sweep()).toBe(1);
  });
});

test("an export holds all identity data, and erasing it twice leaves nothing", async () => {
  const user = newPerson();
  const specimen = await draw(world, user);
  await send(world, user, createForm(specimen), await createPicture(specimen.qr_text));
  const exportedData = await world.identity.exportFor(user);
  expect(exportedData.json).toMatchObject({
    specimens: [{ name: specimen.name }],
    verifications: [{ fields: { name: specimen.name, contact: specimen.contact.e164 } }],
  });
  expect(exportedData.files.map(({ bytes }) => bytes.length > 1_000)).toEqual([true]);
  const files = world.files().length;
  await world.identity.erase(user);
  await world.identity.erase(user);
  expect(world.files()).toHaveLength(files - 1);
  expect(await world.identity.exportFor(user)).toEqual({
    json: { specimens: [], verifications: [] },
    files: [],
  });
});
