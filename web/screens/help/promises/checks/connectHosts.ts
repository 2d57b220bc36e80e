/** The hosts of `connect-src`; null when the policy has none, which would allow any. */
export function listConnectHosts(policy: string | null): string[] | null {
  const rules = (policy ?? "").split(";").map((rule) => rule.trim().split(/\s+/));
  return rules.find(([name]) => name === "connect-src")?.slice(1) ?? null;
}
