import type { OptionSpec, OptionTable } from "../options/option-table.ts";
import type { SidecarFlags } from "./sidecar-flags.ts";

/** The flags of several sidecars in one table, each with its sidecar's name before it: `--attacher-timeout`. */
export function prefixedOptions(sidecars: readonly SidecarFlags[]): OptionTable {
  return Object.fromEntries(
    sidecars.flatMap((sidecar) =>
      Object.entries(sidecar.options).map(([name, spec]): [string, OptionSpec] => [
        prefixed(sidecar, name),
        { ...spec, help: `${sidecar.name}: ${spec.help}` },
      ]),
    ),
  );
}

/** One sidecar's own values out of that table. */
export function ownValues(
  sidecar: SidecarFlags,
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, never>> {
  const names = Object.keys(sidecar.options);
  return Object.fromEntries(names.map((name) => [name, values[prefixed(sidecar, name)]])) as Record<string, never>;
}

function prefixed({ name }: SidecarFlags, option: string): string {
  const prefix = name.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
  return `${prefix}${option.charAt(0).toUpperCase()}${option.slice(1)}`;
}
