import { randomBytes } from "node:crypto";
import { encodeAddress } from "#core/addresses/address.ts";
import { specimen } from "#server/recharge/testing.ts";
import { newKey } from "#server/testing/client.ts";
import { type Answer, createForm, getData } from "./http.ts";
import type { Person, TestInstance } from "./testInstance.ts";

/** A person who has one of everything that has an id, by the name of the field that carries it. */
export interface Holder extends Person {
  /** Ids by field and, where calls mean different things by one name, by the domain in the path. */
  ids: ReadonlyMap<string, string>;
  receiveAddress: string;
  /** The picture uploaded for the recharge, as it was sent. */
  marker: string;
}

/** Text that a picture carries behind its last chunk and in its description. */
const marker = "<script>alert('probe-4711')</script>";

export const getHolder = (instance: TestInstance): Promise<Holder> =>
  instance.createOnce("holder", () => createHolder(instance));

export async function createHolder(instance: TestInstance): Promise<Holder> {
  const person = await instance.person();
  const { token } = person;
  const get = async (path: string) => getData(await instance.ask({ path, token }));
  const post = async (path: string, input: object) =>
    getData(await instance.ask({ method: "POST", path, input, token }));
  const change = async (path: string, input: object) =>
    getData(await instance.change(person, path, input));
  const ids = new Map<string, string>();
  const keep = (name: string, { [name.split(" ").at(-1)!]: id }: Record<string, unknown>) =>
    ids.set(name, String(id));

  const details = await get("/api/contract/getContractDetails?contract_id=btc-usdt");
  const order = { contract_id: "btc-usdt", direction: "up", stake: "20", tier: 300 };
  const termsHash = (details.terms as { terms_hash: string }).terms_hash;
  keep(
    "contract order_id",
    await change("/api/contract/contractPlaceOrder", { ...order, terms_hash: termsHash }),
  );
  const outsideAddress = encodeAddress("peth", randomBytes(20));
  keep(
    "user withdrawal_id",
    await change("/api/user/withdraw", { coin: "pUSDT", amount: "25", address: outsideAddress }),
  );
  keep(
    "user entry_id",
    await post("/api/user/addAddress", { name: "A place of mine", address: outsideAddress }),
  );
  const quote = await post("/api/user/quoteExchange", { from: "pUSDT", to: "pBTC", amount: "20" });
  keep("user quote_id", quote);
  const pools = (await get("/api/pledge/getProductList")).items as Product[];
  const pool = pools.find(({ state }) => state === "open")!;
  const subscription = {
    product_id: pool.product_id,
    amount: pool.minimum,
    terms_hash: pool.terms_hash,
  };
  keep("pledge order_id", await change("/api/pledge/trusteeshipProduct", subscription));
  const machines = (await get("/api/machine/getProductList")).items as Product[];
  const machine = machines.find(({ stock_left }) => stock_left > 0)!;
  const lease = {
    product_id: machine.product_id,
    quantity: 1,
    days: 3,
    terms_hash: machine.terms_hash,
  };
  keep("machine lease_id", await change("/api/machine/leaseProduct", lease));
  const voucher = await post("/api/user/drawVoucher", {
    coin: "pUSDT",
    network: "peth",
    amount: "100",
    kind: "good",
  });
  keep("user voucher_id", voucher);
  keep("user recharge_id", getData(await recharge(instance, person, String(voucher.qr_text))));
  keep(
    "user specimen_id",
    await post("/api/user/drawIdentity", {
      document_type: "passport",
      state: "velmark",
      country: "US",
    }),
  );
  const otherPerson = await instance.person();
  const { address } = await dataOfReceive(instance, otherPerson);
  keep(
    "record journal_id",
    await change("/api/user/send", { coin: "pUSDT", address, amount: "20" }),
  );
  const sessions = (await get("/api/user/getSessionList")).items as { session_id: string }[];
  keep("user session_id", sessions[0]!);
  const authorisations = (await get("/api/user/getAuthorisationList")).items as {
    authorisation_id: string;
  }[];
  keep("user authorisation_id", authorisations[0]!);
  const attempt = await get("/api/user/getWithdrawTerms?coin=pUSDT");
  keep("attempt_id", attempt);
  for (const id of ids.values()) if (!/^[0-9a-f-]{16,}$/.test(id)) throw new Error(`no id: ${id}`);
  const receivedTransfer = await dataOfReceive(instance, person);
  return { ...person, ids, receiveAddress: receivedTransfer.address, marker };
}

interface Product {
  product_id: string;
  terms_hash: string;
  minimum: string;
  state: string;
  stock_left: number;
}

async function dataOfReceive(
  instance: TestInstance,
  { token }: Person,
): Promise<{ address: string }> {
  return getData(await instance.ask({ path: "/api/user/getReceiveAddress?coin=pUSDT", token }));
}

/** Sends a specimen's picture, with a script behind its end. */
async function recharge(instance: TestInstance, person: Person, text: string): Promise<Answer> {
  const bytes = Buffer.concat([await specimen(text), Buffer.from(marker)]);
  const texts = Object.entries({ coin: "pUSDT", network: "peth", amount: "100" });
  return sendPicture(instance, person, { texts, bytes, name: `x.png"; evil="${marker}` });
}

export function sendPicture(
  instance: TestInstance,
  { token }: Pick<Person, "token">,
  picture: {
    texts?: readonly (readonly [string, string])[];
    bytes: Uint8Array;
    name?: string;
    type?: string;
  },
): Promise<Answer> {
  const { texts = [], bytes, name = "voucher.png", type = "image/png" } = picture;
  const form = createForm(texts, [{ field: "image", name, type, bytes }]);
  const headers = { ...form.headers, "idempotency-key": newKey() };
  return instance.ask({ method: "POST", path: "/api/user/recharge", ...form, headers, token });
}
