import { comparedLines } from "./meant-differences.ts";
import { normalForm, type Output } from "./normal-form.ts";
import { asCommand, type Scene } from "./scene.ts";
import type { Shell } from "./shell.ts";

/** What two servers made kubectl say. */
export interface Compared {
  readonly command: string;
  readonly real: Output;
  readonly embedded: Output;
}

/** Gives a new shell in that namespace. */
export type OpenShell = (namespace: string) => Shell;

export interface Servers {
  readonly real: OpenShell;
  readonly embedded: OpenShell;
}

/** Types the whole scene into both shells, each command when both are done with the one before. */
export async function compareScene(servers: Servers, { name, commands }: Scene): Promise<Compared[]> {
  const [real, embedded] = [servers.real(name), servers.embedded(name)];
  const compared: Compared[] = [];
  for (const each of [...preparations, ...commands]) {
    const command = asCommand(each);
    const said = async (shell: Shell): Promise<Output> => {
      const { code, lines } = normalForm(await shell.run(command), command.isSorted);
      return { code, lines: comparedLines(command.run, lines) };
    };
    const [first, second] = await Promise.all([said(real), said(embedded)]);
    compared.push({ command: command.run, real: first, embedded: second });
  }
  return compared;
}

/** No controller makes the account that Pods need. */
const preparations = ["kubectl create namespace $NAMESPACE", "kubectl create serviceaccount default"];

export function isSame({ real, embedded }: Compared): boolean {
  return real.code === embedded.code && real.lines.join("\n") === embedded.lines.join("\n");
}

/** The lines that only one of them has, for people. */
export function describeDifference({ command, real, embedded }: Compared): string {
  const codes = real.code === embedded.code ? [] : [`  exit code ${real.code}, embedded ${embedded.code}`];
  const onlyReal = without(real.lines, embedded.lines).map((line) => `  real     ${line}`);
  const onlyEmbedded = without(embedded.lines, real.lines).map((line) => `  embedded ${line}`);
  const lines = [...codes, ...onlyReal, ...onlyEmbedded];
  return [`$ ${command}`, ...(lines.length === 0 ? ["  the same lines in another order"] : lines)].join("\n");
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others];
  return lines.filter((line) => {
    const index = rest.indexOf(line);
    if (index !== -1) rest.splice(index, 1);
    return index === -1;
  });
}
