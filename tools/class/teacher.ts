import type { PrivateKeyAccount } from "viem/accounts";
import { type Client, newKey } from "#server/testing/client.ts";
import { type NonceFields, signNonce } from "#server/testing/signNonce.ts";
import { openOperatorSessions } from "../crash/operatorSessions.ts";

const passphrase = "kettle ochre vane and lamp";

/** The calls of a new instance's owner, over HTTP. */
export interface Teacher {
  token: string;
  read<Data>(path: string, input?: Record<string, unknown>): Promise<Data>;
  change<Data>(path: string, input: Record<string, unknown>): Promise<Data>;
  /** Signs again with the second factor, for changes that need elevation. */
  elevate(): Promise<void>;
}

/** Makes the first operator of an instance, with a passphrase. */
export async function createTeacher(
  client: Client,
  port: number,
  readOutput: () => string,
): Promise<Teacher> {
  const [session] = await openOperatorSessions(1, port, readOutput);
  const { token, account } = session!;
  const readData: Teacher["read"] = (path, input = {}) =>
    client.call({ method: "GET", path, input, token });
  const change: Teacher["change"] = (path, input) =>
    client.call({ method: "POST", path, input, token, key: newKey() });
  const sign = async (signerAccount: PrivateKeyAccount) =>
    signNonce(
      signerAccount,
      await readData<NonceFields>("/api/operator/getRaiseNonce", { chain_id: "1" }),
    );
  await change("/api/operator/raise", await sign(account));
  await change("/api/operator/setPassphrase", { passphrase });
  return {
    token,
    read: readData,
    change,
    elevate: async () => {
      await change("/api/operator/raise", { ...(await sign(account)), passphrase });
    },
  };
}
