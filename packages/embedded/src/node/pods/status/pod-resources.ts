import { type Container, type Pod, type PodStatus, Quantity, type QuantityString } from "@stowage/machinery";
import { isSidecar } from "./restart-rules.ts";

type Amounts = ReadonlyMap<string, Quantity>;
type AmountTexts = Record<string, QuantityString>;
type Kind = "requests" | "limits";

/** What cgroups would hold of a Pod that runs. */
const governed: readonly string[] = ["cpu", "memory"];

/** What a Pod as a whole has been given: nothing is resized on the way, so that it is what it asks for. */
export function podResourceStatus(pod: Pod): Pick<PodStatus, "resources" | "allocatedResources"> {
  const requests = totalOf(pod, "requests");
  const limits = totalOf(pod, "limits");
  const isRunning = pod.status?.phase === "Running";
  const told = (amounts: Amounts) => (isRunning ? only(amounts, (name) => governed.includes(name)) : amounts);
  const held = isRunning ? only(limits, (name) => isLimitedEverywhere(pod, name)) : limits;
  return {
    resources: { ...texts("limits", told(held)), ...texts("requests", told(requests)) },
    ...texts("allocatedResources", requests),
  };
}

function texts<K extends string>(key: K, amounts: Amounts): { [key in K]?: AmountTexts } {
  if (amounts.size === 0) return {};
  const written: AmountTexts = Object.fromEntries([...amounts].map(([name, amount]) => [name, amount.toString()]));
  return { [key]: written } as { [key in K]?: AmountTexts };
}

function only(amounts: Amounts, isWanted: (name: string) => boolean): Amounts {
  return new Map([...amounts].filter(([name]) => isWanted(name)));
}

function isLimitedEverywhere({ spec }: Pod, name: string): boolean {
  const all = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return all.every(({ resources }) => resources?.limits?.[name] !== undefined);
}

/**
 * Containers and sidecars run at once; other init containers run one by one before, beside the sidecars that came before them. What is
 * said for the whole Pod counts before that.
 */
function totalOf({ spec }: Pod, kind: Kind): Amounts {
  const { containers = [], initContainers = [], resources } = spec ?? {};
  const of = (container: Container) => amountsOf(container.resources?.[kind]);
  const phases: Amounts[] = [];
  let staying: Amounts = new Map();
  for (const container of initContainers) {
    const together = sumOf([staying, of(container)]);
    phases.push(together);
    if (isSidecar(container)) staying = together;
  }
  phases.push(sumOf([staying, ...containers.map(of)]));
  return new Map([...mostOf(phases), ...amountsOf(resources?.[kind])]);
}

function amountsOf(list: Readonly<Record<string, unknown>> | undefined): Amounts {
  return new Map(Object.entries(list ?? {}).map(([name, value]) => [name, Quantity.fromJson(value)]));
}

function sumOf(all: readonly Amounts[]): Amounts {
  return joined(all, (a, b) => a.add(b));
}

function mostOf(all: readonly Amounts[]): Amounts {
  return joined(all, (a, b) => (a.compare(b) < 0 ? b : a));
}

function joined(all: readonly Amounts[], join: (a: Quantity, b: Quantity) => Quantity): Amounts {
  const result = new Map<string, Quantity>();
  for (const amounts of all) {
    for (const [name, amount] of amounts) {
      const known = result.get(name);
      result.set(name, known === undefined ? amount : join(known, amount));
    }
  }
  return result;
}
