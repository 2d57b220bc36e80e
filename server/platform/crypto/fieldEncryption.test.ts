import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import { readConfig } from "#server/platform/config/config.ts";
import {
  createFieldEncryption,
  KeyDestroyedError,
  KeyMissingError,
} from "#server/platform/crypto/fieldEncryption.ts";

let directory: string;
let nowMs = 0;
const config = () => ({ ...readConfig({}), dataDirectory: directory });
const realClock = { nowMs: () => nowMs };
const throwIt = (error: unknown) => {
  throw error;
};
const makeBus = () => createLocalBus(throwIt);
const open = (bus = makeBus()) => createFieldEncryption({ config: config(), bus, realClock });

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "drydock-sealing-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function filesBelow(path: string): string[] {
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A person who signed up. */
async function newPerson(): Promise<string> {
  const person = randomUUID();
  await open().createKey(person);
  return person;
}

test.each([
  ["a text", "Zoë’s desk"],
  ["nothing", ""],
  ["a long text", "x".repeat(100_000)],
])("encrypted text is decrypted for the same person: %s", async (_title, text) => {
  const [person, fieldEncryption] = [await newPerson(), open()];
  const encrypted = await fieldEncryption.encrypt(person, text);
  expect(encrypted.length).toBe(Buffer.byteLength(text) + 29);
  if (text) expect(encrypted.includes(text)).toBe(false);
  expect(await fieldEncryption.decryptText(person, encrypted)).toBe(text);
  // Another start of the program reads the same key.
  expect(await open().decryptText(person, encrypted)).toBe(text);
});

test("encrypting the same text twice gives different bytes", async () => {
  const [person, fieldEncryption] = [await newPerson(), open()];
  expect(await fieldEncryption.encrypt(person, "a")).not.toEqual(
    await fieldEncryption.encrypt(person, "a"),
  );
});

test("another person's bytes and tampered bytes are not decrypted", async () => {
  const [person, otherPerson, fieldEncryption] = [await newPerson(), await newPerson(), open()];
  const encrypted = await fieldEncryption.encrypt(person, "text");
  await fieldEncryption.encrypt(otherPerson, "text");
  await expect(fieldEncryption.decrypt(otherPerson, encrypted)).rejects.toThrow();
  for (const position of [0, 5, 14, encrypted.length - 1]) {
    const alteredBytes = Buffer.from(encrypted);
    alteredBytes[position]! ^= 1;
    await expect(fieldEncryption.decrypt(person, alteredBytes)).rejects.toThrow();
  }
  await expect(fieldEncryption.decrypt(person, Buffer.alloc(4))).rejects.toThrow(
    "not encrypted here",
  );
});

test("key files are readable by their owner only", async () => {
  await newPerson();
  const [file] = filesBelow(directory);
  expect(statSync(file!).mode & 0o777).toBe(0o600);
  expect(statSync(join(directory, "keys")).mode & 0o777).toBe(0o700);
});

test("destroying a key prevents decryption and new keys in every process", async () => {
  const [person, bus] = [await newPerson(), makeBus()];
  const [local, remote] = [open(bus), open(bus)];
  const encrypted = await local.encrypt(person, "text");
  await remote.decrypt(person, encrypted);
  const key = readFileSync(filesBelow(directory)[0]!);
  await local.destroyKey(person);
  await local.destroyKey(person);
  for (const fieldEncryption of [local, remote, open()]) {
    await expect(fieldEncryption.decrypt(person, encrypted)).rejects.toThrow(KeyDestroyedError);
    await expect(fieldEncryption.encrypt(person, "more")).rejects.toThrow(KeyDestroyedError);
    expect(await fieldEncryption.decryptText(person, encrypted)).toBeNull();
  }
  expect(filesBelow(directory).some((file) => readFileSync(file).includes(key))).toBe(false);
});

test("a destroyed key restored from a copy of the directory is not used", async () => {
  const person = await newPerson();
  const encrypted = await open().encrypt(person, "text");
  const [file] = filesBelow(directory);
  const key = readFileSync(file!);
  await open().destroyKey(person);
  writeFileSync(file!, key);
  await expect(open().decrypt(person, encrypted)).rejects.toThrow(KeyDestroyedError);
});

test("a key is kept until its tombstone is written", async () => {
  const person = await newPerson();
  const [file] = filesBelow(directory);
  const key = readFileSync(file!);
  mkdirSync(`${file}.gone`);
  await expect(open().destroyKey(person)).rejects.toThrow("EISDIR");
  expect(readFileSync(file!)).toEqual(key);
});

test("a key destroyed while it is being read is not cached", async () => {
  const [person, bus] = [await newPerson(), makeBus()];
  const remote = open(bus);
  const reading = remote.encrypt(person, "text");
  bus.publish("person.forgotten", { userId: person });
  await reading;
  await open().destroyKey(person);
  await expect(remote.encrypt(person, "more")).rejects.toThrow(KeyDestroyedError);
});

test("a process that missed the notification uses its cached key for a minute", async () => {
  const person = await newPerson();
  const [local, isolated] = [open(), open()];
  const encrypted = await isolated.encrypt(person, "text");
  await local.destroyKey(person);
  nowMs += 60_001;
  await expect(isolated.decrypt(person, encrypted)).rejects.toThrow(KeyDestroyedError);
});

test("processes that create a key concurrently agree on one", async () => {
  const person = randomUUID();
  const encryptions = Array.from({ length: 20 }, () => open());
  await Promise.all(encryptions.map((encryption) => encryption.createKey(person)));
  const encrypted = await Promise.all(
    encryptions.map((encryption) => encryption.encrypt(person, "text")),
  );
  const reader = open();
  for (const bytes of encrypted) expect(await reader.decryptText(person, bytes)).toBe("text");
  expect(filesBelow(directory).length).toBe(1);
});

test("creating and destroying a key concurrently leaves no key", async () => {
  for (let round = 0; round < 30; round += 1) {
    const person = randomUUID();
    const [first, second] = [open(), open()];
    await Promise.all([first.createKey(person).catch(() => {}), second.destroyKey(person)]);
    const remainingFiles = filesBelow(directory).filter((file) => file.includes(person));
    expect(remainingFiles.map((file) => file.endsWith(".gone"))).toEqual([true]);
  }
});

test("a missing key without a tombstone is an error and is not created again", async () => {
  const person = await newPerson();
  const encrypted = await open().encrypt(person, "text");
  const [file] = filesBelow(directory);
  rmSync(file!);
  for (const operation of [
    () => open().encrypt(person, "more"),
    () => open().decrypt(person, encrypted),
    () => open().decryptText(person, encrypted),
  ]) {
    await expect(operation()).rejects.toThrow(KeyMissingError);
  }
  expect(filesBelow(directory)).toEqual([]);
});

test("a sign-up does not recreate a destroyed key", async () => {
  const person = await newPerson();
  await open().destroyKey(person);
  await expect(open().createKey(person)).rejects.toThrow(KeyDestroyedError);
});

test("a blind index is the same in every process and differs by use", async () => {
  const [first, second] = [open(), open()];
  const digest = await first.blindIndex("address", "0xabc");
  expect(digest.length).toBe(32);
  expect(await second.blindIndex("address", "0xabc")).toEqual(digest);
  expect(await first.blindIndex("nonce", "0xabc")).not.toEqual(digest);
});
