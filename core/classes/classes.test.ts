import { describe, expect, test } from "vitest";
import {
  classTaskNames,
  fixedTask,
  listTasks,
  reportedTaskNames,
  storedTaskNames,
} from "./tasks.ts";
import { backupBytes, decryptSeed, deriveBackupKeys, encryptSeed } from "./walletBackup.ts";

describe("tasks", () => {
  test("every choice includes withdrawing everything, in list order", () => {
    expect(listTasks([])).toEqual([fixedTask]);
    expect(listTasks(["price", "order", "price"])).toEqual(["order", "price", "withdraw"]);
    expect(listTasks(classTaskNames)).toEqual(classTaskNames);
  });

  test("each task is either stored or reported", () => {
    expect([...reportedTaskNames, ...storedTaskNames].toSorted()).toEqual(
      classTaskNames.toSorted(),
    );
    expect(storedTaskNames).toContain(fixedTask);
  });
});

describe("a backup under code and PIN", () => {
  const code = "34679ACDEFGH";
  const seed = new Uint8Array(32).map((_, index) => index);
  const nonce = new Uint8Array(24).fill(7);

  test("the same code and PIN decrypt the backup, and another code or PIN gives another proof and key", async () => {
    const keys = await deriveBackupKeys(code, "482915");
    const backup = encryptSeed(seed, keys.key, nonce);
    expect(backup).toHaveLength(backupBytes);
    expect(decryptSeed(backup, keys.key)).toEqual(seed);
    expect((await deriveBackupKeys(code, "482915")).proof).toEqual(keys.proof);
    for (const otherKeys of [
      await deriveBackupKeys(code, "482916"),
      await deriveBackupKeys("34679ACDEFGJ", "482915"),
    ]) {
      expect(otherKeys.proof).not.toEqual(keys.proof);
      expect(decryptSeed(backup, otherKeys.key)).toBeNull();
    }
    expect(decryptSeed(backup, keys.proof)).toBeNull();
  });

  test.each([0, 24, 56, 71])("a change to byte %i is detected", (position) => {
    const key = new Uint8Array(32).fill(9);
    const backup = encryptSeed(seed, key, nonce);
    backup[position]! ^= 1;
    expect(decryptSeed(backup, key)).toBeNull();
    expect(decryptSeed(backup.subarray(1), key)).toBeNull();
  });

  test("a seed of another length is refused", () => {
    expect(() => encryptSeed(seed.subarray(1), seed, nonce)).toThrow(RangeError);
  });
});
