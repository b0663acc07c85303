import { type Container, type Pod, Quantity, type ResourceFieldSelector } from "@stowage/machinery";

type Amounts = Readonly<Record<string, string>>;

/** A limit that a container does not set is what the node has. */
const limitedByNode = new Set(["cpu", "memory", "ephemeral-storage"]);

/**
 * What `resourceFieldRef` names, as a whole number of its divisor, rounded up; undefined when there is no such resource. `container` is
 * whose, when the reference does not say.
 */
export function containerResource(
  pod: Pod,
  { containerName, resource, divisor }: ResourceFieldSelector,
  { container, allocatable }: { readonly container?: Container; readonly allocatable: Amounts },
): string | undefined {
  const owner = containerName === undefined || containerName === "" ? container : containerNamed(pod, containerName);
  const [, list, name = ""] = /^(limits|requests)\.(.+)$/.exec(resource) ?? [];
  if (owner === undefined || (!limitedByNode.has(name) && !name.startsWith("hugepages-"))) return undefined;
  const amounts: Amounts = (list === "limits" ? owner.resources?.limits : owner.resources?.requests) ?? {};
  const own = Quantity.parse(amounts[name] ?? "0");
  const isNodes = list === "limits" && own.isZero() && limitedByNode.has(name);
  const amount = isNodes ? Quantity.parse(allocatable[name] ?? "0") : own;
  const unit = Quantity.parse(divisor ?? "1");
  return wholeUnits(amount, unit.isZero() ? Quantity.parse("1") : unit, name).toString();
}

function containerNamed(pod: Pod, wanted: string): Container | undefined {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  return [...containers, ...initContainers].find(({ name }) => name === wanted);
}

function wholeUnits(amount: Quantity, unit: Quantity, name: string): bigint {
  const [total, each] = name === "cpu" ? [amount.milliValue(), unit.milliValue()] : [amount.value(), unit.value()];
  return (total + each - 1n) / each;
}
