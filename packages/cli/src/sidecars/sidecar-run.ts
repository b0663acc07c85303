import type { CommandContext } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import type { OptionValues } from "../options/option-table.ts";
import type { clusterSidecarOptions, driverSidecarOptions } from "./common-options.ts";
import { flagProblem } from "./flag-problem.ts";
import { makerOf } from "./makers/index.ts";
import { ownValues } from "./prefixed-options.ts";
import type { SidecarFlags } from "./sidecar-flags.ts";
import { runDriverlessSidecar, runSidecarProcess } from "./sidecar-process.ts";

type ClusterValues = OptionValues<typeof clusterSidecarOptions>;
type DriverValues = ClusterValues & OptionValues<typeof driverSidecarOptions>;

/** One sidecar by its own name, with its flags as the original has them. */
export async function runOneSidecar(
  context: CommandContext,
  name: string,
  values: ClusterValues & { readonly csiAddress?: string },
): Promise<number> {
  const problem = flagProblem(values);
  if (problem !== undefined) return refuse(context, `sidecar ${name}`, problem);
  const chosen = { maker: makerOf(name), options: values as never };
  const { csiAddress } = values;
  if (csiAddress === undefined) return runDriverlessSidecar(context, chosen, values);
  return runSidecarProcess(context, { chosen: [chosen], options: { ...values, csiAddress }, isAlone: true });
}

/** Several in one process, each with its flags under its name. */
export async function runSeveralSidecars(
  context: CommandContext,
  sidecars: readonly SidecarFlags[],
  values: DriverValues & Readonly<Record<string, unknown>>,
): Promise<number> {
  const nodeDeployment = sidecars.some((flags) => ownValues(flags, values).nodeDeployment === true);
  const problem = flagProblem({ ...values, nodeDeployment });
  if (problem !== undefined) return refuse(context, "sidecars", problem);
  const chosen = sidecars.map((flags) => ({ maker: makerOf(flags.name), options: ownValues(flags, values) }));
  return runSidecarProcess(context, { chosen, options: values, isAlone: false });
}

function refuse({ terminal }: CommandContext, command: string, problem: string): number {
  terminal.err(`stowage ${command}: ${problem}\n`);
  return exitCodes.usage;
}
