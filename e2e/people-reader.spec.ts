import { expect, test } from "@playwright/test";
import { getMain, press } from "./support/peopleActions.ts";
import { collectPageErrors, expectAccessible } from "./support/walletActions.ts";

const token = `0x${"aa".repeat(20)}`;
const stranger = `0x${"bb".repeat(20)}`;
const word = (hex: string) => hex.slice(2).padStart(64, "0");
const permit = {
  primaryType: "Permit",
  domain: { name: "Coin", verifyingContract: token },
  message: { owner: token, spender: stranger, value: `${2n ** 256n - 1n}`, deadline: "9999999999" },
};
const requests: [
  what: string,
  request: string,
  title: string | null,
  risk: string,
  does: RegExp,
][] = [
  [
    "an unlimited allowance",
    `0x095ea7b3${word(stranger)}${"f".repeat(64)}`,
    ...(["Unlimited allowance", "Lets others take"] as const),
    /take all your .* tokens/,
  ],
  [
    "a permit",
    JSON.stringify({ method: "eth_signTypedData_v4", params: [token, JSON.stringify(permit)] }),
    ...(["Permit", "Lets others take"] as const),
    /It looks like a login, but it isn’t one/,
  ],
  [
    "a transfer of ownership",
    JSON.stringify({ to: token, value: "0x0", data: `0xf2fde38b${word(stranger)}` }),
    ...(["Change of owner", "Lets others take"] as const),
    /with everything it holds and does/,
  ],
  [
    "a harmless message",
    JSON.stringify({ method: "personal_sign", params: ["I was here", stranger] }),
    ...([null, "Careful"] as const),
    /It sends nothing on a chain/,
  ],
];

test("the request reader explains each danger and recognises a harmless message", async ({
  page,
}) => {
  const errors = collectPageErrors(page);
  const main = getMain(page);
  await page.goto("/authorized-activity");
  const requestTexts: string[] = [];
  page.on("request", (request) => requestTexts.push(request.postData() ?? request.url()));
  for (const [name, request, title, risk, does] of requests) {
    await main.getByLabel("Request as text").fill(request);
    await press(page, "Explain");
    const listItem = main.getByRole("listitem").filter({ hasText: does });
    await expect(listItem, name).toContainText(risk);
    if (title) await expect(listItem.locator("strong"), name).toHaveText(title);
    else await expect(listItem.locator("strong"), name).toHaveCount(0);
  }
  await expectAccessible(page);
  // The text never leaves this browser.
  expect(requestTexts.join(" ")).not.toMatch(/095ea7b3|I was here|Permit/);
  expect(errors).toEqual([]);
});
