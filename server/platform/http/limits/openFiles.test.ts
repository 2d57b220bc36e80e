import { expect, test } from "vitest";
import { socketsMax } from "./openFiles.ts";

const limits = (files: string) =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             94010                94010                processes
Max open files            ${files}          524288               files
`;

test.each([
  ["1024 files leave 904 sockets", limits("1024"), 904],
  ["few files leave a few sockets all the same", limits("64"), 16],
  ["without a limit there is none", limits("unlimited"), null],
  ["no limit is known where the system does not say", "", null],
])("%s", (_title, text, expected) => expect(socketsMax(text)).toBe(expected));
