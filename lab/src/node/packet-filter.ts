import { commandSucceeds, runCommand } from "../process/command.ts";
import { findCommand } from "./commands.ts";

/** The chains of kube-proxy, the kubelet and the CNI plugins; their names begin like this and nobody else's do. */
const OWN_CHAIN = /^(KUBE|CNI)-/;

/** A chain that every kube-proxy has, so that finding it means that a node is (or was) on this machine. */
export async function hasNodeRules(): Promise<boolean> {
  return commandSucceeds("iptables", ["--wait", "--table", "nat", "--list-rules", "KUBE-SERVICES"]);
}

/** Removes every rule and chain of a Kubernetes node, and leaves all others as they are. */
export async function removeNodeRules(): Promise<void> {
  for (const family of ["iptables", "ip6tables"]) {
    if (findCommand(`${family}-save`) === undefined) continue;
    const saved = await runCommand(`${family}-save`, []).catch(() => ({ stdout: "" })); // A kernel without IPv6 has no rules.
    const removal = desiredRemoval(saved.stdout);
    if (removal !== "") await runCommand(`${family}-restore`, ["--wait", "--noflush"], { input: removal });
  }
}

/** What `iptables-restore --noflush` needs to undo the node's part of what `iptables-save` printed; empty when there is none. */
export function desiredRemoval(saved: string): string {
  const commands: string[] = [];
  let [table, rules, chains]: [string, string[], string[]] = ["", [], []];
  for (const line of saved.split("\n")) {
    if (line.startsWith("*")) [table, rules, chains] = [line, [], []];
    else if (line.startsWith(":")) chains.push(...[chainOf(line)].filter((chain) => OWN_CHAIN.test(chain)));
    else if (line.startsWith("-A ") && leadsFromOthersToOwn(line)) rules.push(line.replace("-A", "-D"));
    else if (line === "COMMIT" && chains.length > 0) {
      // All chains are emptied before the first is deleted: they lead to each other.
      const emptied = chains.map((chain) => `:${chain} - [0:0]`);
      const deleted = chains.map((chain) => `-X ${chain}`);
      commands.push(table, ...emptied, ...rules, ...deleted, "COMMIT");
    }
  }
  return commands.length === 0 ? "" : `${commands.join("\n")}\n`;
}

function chainOf(declaration: string): string {
  return declaration.slice(1).split(" ")[0] ?? "";
}

function leadsFromOthersToOwn(rule: string): boolean {
  const chain = rule.split(" ")[1] ?? "";
  const target = / -[jg] (\S+)/.exec(rule)?.[1] ?? "";
  return !OWN_CHAIN.test(chain) && OWN_CHAIN.test(target);
}
