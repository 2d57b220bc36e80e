/**
 * The complete list of operator permissions. The console can do nothing else, because each of its
 * calls names one of these (docs/rules/operator.md). `/help?view=powers` is written from this list,
 * and a test compares the two.
 */
export interface PermissionRule {
  /**
   * Changes need elevation: the wallet signed again, with a second factor, within the last ten
   * minutes. Reading does not.
   */
  elevated: boolean;
  /** Each use affects a person, and so appears in that person's records (promise 8). */
  touches: boolean;
}

const plain: PermissionRule = { elevated: false, touches: false };
const elevated: PermissionRule = { elevated: true, touches: false };
const person: PermissionRule = { elevated: false, touches: true };
const elevatedPerson: PermissionRule = { elevated: true, touches: true };

/** In display order. The first part of a name is its group. */
export const permissions = {
  "publish.contracts": elevated,
  "publish.pools": elevated,
  "publish.machines": elevated,
  "publish.news": plain,
  "publish.notices": plain,
  "publish.links": elevated,
  "people.find": person,
  "people.view": person,
  "people.end_sessions": elevatedPerson,
  "people.suspend": elevatedPerson,
  "people.support_link": elevatedPerson,
  "people.pay_now": elevatedPerson,
  "class.links": plain,
  "class.room": person,
  "class.contracts_switch": elevated,
  "class.clock": elevated,
  "class.sign_up_switch": elevated,
  "class.announce": plain,
  "class.debrief": plain,
  "instance.view": plain,
  "instance.export": plain,
  "instance.settings": elevated,
  "instance.worlds": elevated,
  "operators.manage": elevated,
  "audit.read": plain,
  "audit.export": plain,
} as const satisfies Record<string, PermissionRule>;

export type Permission = keyof typeof permissions;
export const permissionNames = Object.keys(permissions) as Permission[];

export type Role = "owner" | "publisher" | "support" | "auditor";

/** The four built-in roles. There are no others, and none can be composed. */
export const roles: Readonly<Record<Role, readonly Permission[]>> = {
  owner: permissionNames,
  publisher: [
    "publish.contracts",
    "publish.pools",
    "publish.machines",
    "publish.news",
    "publish.notices",
    "publish.links",
    "class.links",
    "class.room",
    "class.announce",
    "class.debrief",
    "instance.view",
  ],
  support: [
    "people.find",
    "people.view",
    "people.end_sessions",
    "people.suspend",
    "people.support_link",
    "people.pay_now",
    "instance.view",
  ],
  auditor: ["instance.view", "instance.export", "audit.read", "audit.export"],
};
export const roleNames = Object.keys(roles) as Role[];

/** Returns true if a role may publish anything. */
export function mayPublish(role: Role): boolean {
  return roles[role].some((permission) => permission.startsWith("publish."));
}

/** How long elevation lasts, in real time. */
export const elevatedMs = 10 * 60_000;

/**
 * Actions that no permission allows, in the order of the public page (`permissions.cannot.<name>`).
 */
export const neverAllowed = [
  "balance",
  "price",
  "outcome",
  "expiry",
  "withdrawal",
  "terms",
  "log",
  "see",
  "money",
  "key",
] as const;

export type Decision = "allowed" | "not_permitted" | "factor_required" | "raise_required";

export interface PermissionRequest {
  role: Role;
  /** Null: any operator may call. */
  permission: Permission | null;
  /** True if the call changes something. */
  changes: boolean;
  /** True if the operator has set up a second factor; without one they can only read. */
  factorsReady: boolean;
  /** Real time; null when not elevated. */
  elevatedUntilMs: number | null;
  nowMs: number;
}

/** Decides whether an operator may make a call. */
export function decidePermission({
  role,
  permission,
  changes,
  factorsReady,
  elevatedUntilMs,
  nowMs,
}: PermissionRequest): Decision {
  if (permission === null) return "allowed";
  if (!roles[role].includes(permission)) return "not_permitted";
  if (!changes) return "allowed";
  if (!factorsReady) return "factor_required";
  if (permissions[permission].elevated && (elevatedUntilMs === null || elevatedUntilMs <= nowMs)) {
    return "raise_required";
  }
  return "allowed";
}
