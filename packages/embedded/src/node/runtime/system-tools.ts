import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandEnvironment } from "@stowage/csi/host";

/** Where the tools are that make a container, whatever its own `PATH` is. */
export const toolPath = commandEnvironment.PATH;

/** Where a tool is: in the container, too. Its name, when this machine does not have it. */
export function toolFile(name: string): string {
  return foundTool(name) ?? name;
}

export function foundTool(name: string): string | undefined {
  const folder = toolPath.split(":").find((each) => existsSync(join(each, name)));
  return folder === undefined ? undefined : join(folder, name);
}
