import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { type Command, type CommandContext, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { logOptions } from "../options/common-options.ts";
import { stateOptions } from "./state-options.ts";

const options = { ...stateOptions, ...logOptions };

const saveCommand = defineCommand({
  name: "state save",
  summary: "save the state of the embedded cluster to a file",
  details:
    "Works while the API server runs, and saves what it had answered for at one moment. The file is readable by its owner alone: " +
    "it has the cluster's Secrets in it. The keys of the cluster, which sign certificates and tokens, are not in it.",
  positional: [{ name: "file", help: "that is not there yet" }],
  options,
  async run(context, { dataDir }, [file = ""]) {
    const { saveState } = await import("@stowage/embedded");
    saveState(folderOf(context, dataDir), file);
    context.terminal.out(`${file}\n`);
    return exitCodes.success;
  },
});

const restoreCommand = defineCommand({
  name: "state restore",
  summary: "put a saved state in the place of the embedded cluster's own",
  details:
    "The API server must not run. The state that was there is kept beside the new one, under a name that says when. Versions of " +
    "objects go on after those of both states, so that clients see that they have to read everything again.",
  positional: [{ name: "file", help: "that `stowage state save` has made" }],
  options,
  async run(context, { dataDir }, [file = ""]) {
    const { restoreState } = await import("@stowage/embedded");
    const { revision, keptAs } = restoreState(folderOf(context, dataDir), file, systemClock.nowMs());
    context.terminal.err(`restored ${file}; versions go on from ${revision}\n`);
    if (keptAs !== undefined) context.terminal.err(`the state from before is kept as ${keptAs}\n`);
    return exitCodes.success;
  },
});

const discardCommand = defineCommand({
  name: "state discard",
  summary: "begin with an empty embedded cluster at the next start",
  details:
    "The API server must not run. The state that was there, damaged or not, is kept under a name that says when; delete the file to " +
    "be rid of it.",
  options,
  async run(context, { dataDir }) {
    const { discardState } = await import("@stowage/embedded");
    const folder = folderOf(context, dataDir);
    const kept = discardState(folder, systemClock.nowMs());
    for (const name of kept) context.terminal.err(`the state from before is kept as ${name}\n`);
    if (kept.length === 0) context.terminal.err(`there was no state in ${folder}\n`);
    return exitCodes.success;
  },
});

/** What can be done with the state of an embedded cluster beside running it. */
export const stateCommands: readonly Command[] = [saveCommand, restoreCommand, discardCommand];

function folderOf({ homeDir }: CommandContext, dataDir: string | undefined): string {
  return dataDir ?? join(homeDir, ".stowage");
}
