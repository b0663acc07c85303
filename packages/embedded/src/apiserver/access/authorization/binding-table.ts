import type { ClusterRoleBinding, RoleBinding, Subject } from "@stowage/machinery";
import type { ApiUser } from "../../verbs/api-request.ts";

type Binding = ClusterRoleBinding | RoleBinding;

/** Bindings by whom they are for, so that a request costs what concerns its user and not what the cluster has. */
export class BindingTable {
  readonly #byKey = new Map<string, Binding>();
  /** By namespace, empty for the whole cluster, and subject; then by key. */
  readonly #bySubject = new Map<string, Map<string, Binding>>();

  /** Undefined when it is gone. */
  set(key: string, binding: Binding | undefined): void {
    const previous = this.#byKey.get(key);
    if (previous !== undefined) for (const place of placesOf(previous)) this.#remove(place, key);
    if (binding === undefined) {
      this.#byKey.delete(key);
      return;
    }
    this.#byKey.set(key, binding);
    for (const place of placesOf(binding)) {
      const bindings = this.#bySubject.get(place) ?? new Map<string, Binding>();
      this.#bySubject.set(place, bindings.set(key, binding));
    }
  }

  /** Those of the cluster first. One that names the user in several ways comes several times. */
  *of(user: ApiUser, namespace: string): Generator<Binding> {
    yield* this.#within(user, "");
    if (namespace !== "") yield* this.#within(user, namespace);
  }

  *#within({ name, groups }: ApiUser, namespace: string): Generator<Binding> {
    yield* this.#bySubject.get(`${namespace}\n${userSubject(name)}`)?.values() ?? [];
    for (const group of groups) {
      yield* this.#bySubject.get(`${namespace}\n${groupSubject(group)}`)?.values() ?? [];
    }
  }

  #remove(place: string, key: string): void {
    const bindings = this.#bySubject.get(place);
    bindings?.delete(key);
    if (bindings?.size === 0) this.#bySubject.delete(place);
  }
}

function placesOf({ metadata: { namespace = "" }, subjects = [] }: Binding): string[] {
  return subjects.flatMap((subject) => {
    const text = subjectText(subject, namespace);
    return text === undefined ? [] : [`${namespace}\n${text}`];
  });
}

function subjectText(subject: Subject, bindingNamespace: string): string | undefined {
  const { kind, name } = subject;
  if (kind === "Group") return groupSubject(name);
  const userName = kind === "User" ? name : accountName(subject, bindingNamespace);
  return userName === undefined ? undefined : userSubject(userName);
}

/** A service account without a namespace is one of the binding's; in the whole cluster that is nobody. */
function accountName({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  const within = namespace === undefined || namespace === "" ? bindingNamespace : namespace;
  return kind === "ServiceAccount" && within !== "" ? `system:serviceaccount:${within}:${name}` : undefined;
}

/** Whether the subject of a binding means the user. */
export function isFor(subject: Subject, user: ApiUser, bindingNamespace: string): boolean {
  if (subject.kind === "Group") return user.groups.includes(subject.name);
  const userName = subject.kind === "User" ? subject.name : accountName(subject, bindingNamespace);
  return userName === user.name;
}

function userSubject(name: string): string {
  return `User ${name}`;
}

function groupSubject(name: string): string {
  return `Group ${name}`;
}
