import { goQuote } from "@stowage/machinery/structural";
import { badRequest } from "../../answers/index.ts";
import type { ApiUser } from "../../verbs/api-request.ts";
import { anonymousUser, authenticatedUser } from "../authentication/authenticated-user.ts";
import type { ResourceAccess } from "./access-attributes.ts";
import type { Authorizer } from "./authorizer.ts";

/** By their names in small letters, as Node gives them; of a header that came several times, all values. */
export type RequestHeaders = Readonly<Record<string, readonly string[] | undefined>>;

const extraPrefix = "impersonate-extra-";

/**
 * Whom a request is to be taken for: the user themselves, or whom they name in `Impersonate-` headers and have the right to
 * `impersonate`. Throws when they have not.
 */
export function impersonatedUser(authorizer: Authorizer, user: ApiUser, headers: RequestHeaders): ApiUser {
  const wanted = wantedUser(headers);
  if (wanted === undefined) return user;
  for (const checked of wantedRights(wanted)) {
    const attributes = {
      isResource: true,
      user,
      verb: "impersonate",
      subresource: "",
      namespace: "",
      ...checked,
    } as const;
    const refused = authorizer.refusal(attributes);
    if (refused !== undefined) throw refused;
  }
  const account = accountOf(wanted.name);
  const groups =
    wanted.groups.length === 0 && account !== undefined
      ? ["system:serviceaccounts", `system:serviceaccounts:${account.namespace}`]
      : wanted.groups;
  if (wanted.name !== anonymousUser.name) return authenticatedUser({ ...wanted, groups });
  return { ...wanted, groups: [...new Set([...groups, ...anonymousUser.groups])] };
}

type Right = Pick<ResourceAccess, "group" | "resource" | "name"> & Partial<ResourceAccess>;

function wantedRights({ name, uid, groups, extra = {} }: ApiUser): Right[] {
  const account = accountOf(name);
  const authentication = "authentication.k8s.io";
  return [
    account === undefined
      ? { group: "", resource: "users", name }
      : { group: "", resource: "serviceaccounts", ...account },
    ...(uid === undefined ? [] : [{ group: authentication, resource: "uids", name: uid }]),
    ...groups.map((group) => ({ group: "", resource: "groups", name: group })),
    ...Object.entries(extra).flatMap(([key, values]) =>
      values.map((value) => ({ group: authentication, resource: "userextras", subresource: key, name: value })),
    ),
  ];
}

/** Undefined when the request names nobody. */
function wantedUser(headers: RequestHeaders): ApiUser | undefined {
  const name = headers["impersonate-user"]?.[0] ?? "";
  const uid = headers["impersonate-uid"]?.[0] ?? "";
  const groups = headers["impersonate-group"] ?? [];
  const extra = Object.entries(headers).flatMap(([header, values = []]): [string, readonly string[]][] =>
    header.startsWith(extraPrefix) ? [[decodedKey(header.slice(extraPrefix.length)), values]] : [],
  );
  if (name === "") {
    if (uid === "" && groups.length === 0 && extra.length === 0) return undefined;
    throw badRequest(`requested ${goUser(uid, groups, extra)} without impersonating a user name`);
  }
  return {
    name,
    ...(uid !== "" && { uid }),
    groups,
    ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
  };
}

/** As the original prints whom it was to take for somebody. */
function goUser(uid: string, groups: readonly string[], extra: readonly [string, readonly string[]][]): string {
  const list = (texts: readonly string[]) => `[]string{${texts.map(goQuote).join(", ")}}`;
  const entries = extra
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => `${goQuote(key)}:${list(values)}`);
  const extraText = `map[string][]string${extra.length === 0 ? "(nil)" : `{${entries.join(", ")}}`}`;
  const groupText = groups.length === 0 ? "[]string(nil)" : list(groups);
  return `&user.DefaultInfo{Name:"", UID:${goQuote(uid)}, Groups:${groupText}, Extra:${extraText}}`;
}

function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // One that is not encoded rightly stands for itself.
    return key;
  }
}

function accountOf(name: string): { readonly namespace: string; readonly name: string } | undefined {
  const found = /^system:serviceaccount:([a-z0-9-]+):([a-z0-9.-]+)$/.exec(name);
  return found === null ? undefined : { namespace: found[1] ?? "", name: found[2] ?? "" };
}
