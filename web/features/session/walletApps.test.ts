import { expect, test } from "vitest";
import { listWalletAppLinks } from "./walletApps.ts";

const site = "https://practice.example.org:8443";
const hrefs = (origin: string) =>
  Object.fromEntries(listWalletAppLinks(origin).map((app) => [app.name, app.href]));

test("links have the documented form of each app", () => {
  expect(hrefs(site)).toEqual({
    MetaMask: "https://link.metamask.io/dapp/practice.example.org:8443/home",
    "Trust Wallet":
      "https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Fpractice.example.org%3A8443%2Fhome",
    "Coinbase Wallet":
      "https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fpractice.example.org%3A8443%2Fhome",
    "OKX Wallet":
      "https://web3.okx.com/download?deeplink=okx%3A%2F%2Fwallet%2Fdapp%2Furl%3FdappUrl%3Dhttps%253A%252F%252Fpractice.example.org%253A8443%252Fhome",
  });
});

test("links contain no invitation or class code", () => {
  const address = `${site}/home?invite=tug&class=7b#join`;
  for (const href of Object.values(hrefs(address))) {
    expect(decodeURIComponent(decodeURIComponent(href))).not.toMatch(/invite|tug|class|7b|join/);
  }
  expect(hrefs(address)).toEqual(hrefs(site));
});

test.each([
  "http://127.0.0.1:8080",
  "http://practice.example.org",
])("%s gets no links", (origin) => {
  expect(listWalletAppLinks(origin)).toEqual([]);
});

test("each link names the company that learns of the visit", () => {
  for (const { company } of listWalletAppLinks(site)) expect(company).not.toBe("");
});
