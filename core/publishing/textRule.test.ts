import { expect, test } from "vitest";
import { findRealChain } from "#core/addresses/addressChains.ts";
import { findTextProblems } from "#core/publishing/textRule.ts";

const getFaults = (text: string) => findTextProblems(text, findRealChain).map(({ fault }) => fault);

test.each([
  ["Two percent, guaranteed.", "promises_return"],
  ["Nobody can guarantee anything.", "promises_return"],
  ["Sichere Rendite im Schlaf", "promises_return"],
  ["Ein deutscher Text mit no risk darin", "promises_return"],
  ["gua**ran**teed", "promises_return"],
  ["Earn 8% APR", "promises_return"],
  ["gua\u200branteed", "promises_return"],
  ["稳赚不赔", "promises_return"],
  ["必ず儲かる", "promises_return"],
  ["Win 100 USDT", "coin_unmarked"],
  ["Kauft BTC", "coin_unmarked"],
  ["Send it to this address", "asks_payment"],
  ["An activation fee is due", "asks_payment"],
  ["Bitte auf das Konto überweisen: überweise es auf mein Konto", "asks_payment"],
  ["IBAN DE89 3704 0044 0532 0130 00", "asks_payment"],
  ["4111 1111 1111 1111", "asks_payment"],
  ["bitcoin:somewhere?amount=1", "asks_payment"],
  ["0x52908400098527886E0F7030069857D2E4169EE7", "real_address"],
  ["0x529084000985**27886E0F7030069857D2E4169EE7**", "real_address"],
  ["bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "real_address"],
  ["TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC", "real_address"],
  ["1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "real_address"],
  ["at vitalik.eth", "real_address"],
  ["EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N", "real_address"],
  ["Write to [us](https://t.me/somebody)", "messenger"],
  ["our group is on chat.whatsapp.com/abc", "messenger"],
  ["[tip](https://paypal.me/somebody)", "payment_link"],
  ["[here](http://example.org)", "link_not_https"],
  ["http://example.org", "link_not_https"],
  ["[here](javascript:alert)", "link_not_https"],
  ["[here](//example.org)", "link_not_https"],
  ["[here](https://user@example.org)", "link_not_https"],
  ["[a]: ftp://example.org", "link_not_https"],
  ["<mailto:a@example.org>", "link_not_https"],
])("%j is refused: %s", (text, fault) => {
  expect(getFaults(text)).toContain(fault);
});

test.each([
  "Contracts are switched off on Friday from 9 to 11.",
  "The BTC/USDT market has a gap of 40 seconds; 100 pUSDT stay 100 pUSDT.",
  "A withdrawal leaves the practice ledger and nothing is sent on any blockchain.",
  "Read [the promises](/help?view=promises) or https://example.org/class.",
  "Praxisaddress peth1qqqsyqcyq5rqwzqfpg9scrgwpugpzysnzs23v9ccrydpk8qarc0sq2lwcf of this world",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk",
  "nichtsdestotrotzbemerkenswert",
  "Order 7 of 10 was settled at 23 123.49 on 2026-01-31.",
  "合约将于周五暂停。余额保持不变。",
  "出金は24時間以内に完了します。",
])("%j may be published", (text) => {
  expect(getFaults(text)).toEqual([]);
});

test("a fault reports its phrase and the chain of the address", () => {
  const [fault] = findTextProblems(
    "to 0x52908400098527886E0F7030069857D2E4169EE7 now",
    findRealChain,
  );
  expect(fault).toEqual({
    fault: "real_address",
    phrase: "0x52908400098527886E0F7030069857D2E4169EE7",
    chain: "Ethereum",
  });
});

/** Ten times a draft's maximum length: quadratic time would take half a minute on these. */
test.each([
  "a",
  "a.",
  "a-",
  "A1",
  "4",
  " \n",
  "[\n",
  "<a:",
  "a+",
  "a_",
  "bitcoin:",
  "zahle",
  "](",
])("checking a text of %j takes linear time", (part) => {
  /** Milliseconds of this thread alone, the least of five. */
  const measure = (length: number) => {
    const text = `${part.repeat(length / part.length)}!`;
    const times = Array.from({ length: 5 }, () => {
      const before = process.threadCpuUsage();
      findTextProblems(text, () => null);
      const { user, system } = process.threadCpuUsage(before);
      return (user + system) / 1_000;
    });
    return Math.min(...times);
  };
  // Eight times the length: factor 8 when linear, 64 when quadratic. A millisecond is noise.
  expect(measure(80_000)).toBeLessThan(32 * Math.max(1, measure(10_000)));
});

test.each([
  ["see...t.me.", "messenger"],
  ["t.me-x", "messenger"],
  ["t.me.5", "messenger"],
  ["a-.T.ME", "messenger"],
  ["x-http://b.org", "link_not_https"],
  ["seeHTTP://b.org", "link_not_https"],
])("%j is recognised after normalisation", (text, fault) => {
  expect(findTextProblems(text, () => null).map((problem) => problem.fault)).toEqual([fault]);
});

test.each([
  "HTTPS://b.org",
  "Supprimé après le 1er mai",
  "(1.https://b.org)",
  "see:https://b.org",
  "not.me",
  "at.me.example",
])("%j is allowed", (text) => {
  expect(findTextProblems(text, () => null)).toEqual([]);
});
