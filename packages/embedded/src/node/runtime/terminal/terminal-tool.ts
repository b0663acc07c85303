import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { StowageError } from "@stowage/machinery";
import { foundTool } from "../system-tools.ts";

/** What makes terminals here; undefined where nothing does. The one of busybox does not tell how a command ended. */
export function terminalTool(script = foundTool("script")): string | undefined {
  return script === undefined || basename(realpathSync(script)) === "busybox" ? undefined : script;
}

export function noTerminals(): StowageError {
  return new StowageError("TERMINALS_MISSING", "this machine has no `script` of util-linux, which makes terminals");
}
