import { expect, test } from "vitest";
import { readSocketsMax } from "./socketsMax.ts";

const limits = (files: string) =>
  `Limit                     Soft Limit           Hard Limit           Units
Max processes             94010                94010                processes
Max open files            ${files}          524288               files
`;

test.each([
  ["1024 files leave 904 sockets", limits("1024"), 904],
  ["few files still leave some sockets", limits("64"), 16],
  ["an unlimited number of files has no socket limit", limits("unlimited"), null],
  ["an unknown number of files has no socket limit", "", null],
])("%s", (_title, text, expected) => expect(readSocketsMax(text)).toBe(expected));
