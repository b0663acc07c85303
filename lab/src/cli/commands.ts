import { ensureBinaries } from "../build/build.ts";
import { startLab } from "../cluster/lab.ts";
import { isAllUp, readLabStatus } from "../cluster/status.ts";
import { stopLab } from "../cluster/stop.ts";
import { type Progress, seconds } from "../progress.ts";
import type { Request } from "./arguments.ts";
import { helpText } from "./command-table.ts";
import { renderStatusTable } from "./status-table.ts";

export interface CommandContext {
  readonly progress: Progress;
  /** For what a program may read: stdout. */
  readonly print: (text: string) => void;
  readonly signal: AbortSignal;
}

type RequestFor<Command extends Request["command"]> = Extract<Request, { command: Command }>;

/** Does what was asked and returns the exit code. */
export async function runRequest(request: Request, context: CommandContext): Promise<number> {
  switch (request.command) {
    case "help":
      context.print(helpText(request.about));
      return 0;
    case "up":
      return up(request, context);
    case "down":
      return down(request, context);
    case "status":
      return status(request, context);
    case "build":
      return build(request, context);
    default:
      return request satisfies never;
  }
}

async function up(request: RequestFor<"up">, { progress, print, signal }: CommandContext): Promise<number> {
  const since = performance.now();
  const lab = await startLab({ ...request, progress, signal });
  const news = lab.started.length === 0 ? "was up already" : `is up after ${seconds(since)}`;
  progress.line(`the lab in ${lab.dir} (level ${lab.level}, ${lab.server}) ${news}`);
  print(`${lab.kubeconfigPath}\nexport KUBECONFIG=${shellWord(lab.kubeconfigPath)}\n`);
  return 0;
}

async function down({ dir, wipe }: RequestFor<"down">, { progress, signal }: CommandContext): Promise<number> {
  const since = performance.now();
  const wasThere = await stopLab({ dir, wipe, progress, signal });
  const kept = wipe ? "nothing is left of it" : 'its state is kept ("down --wipe" removes it)';
  progress.line(wasThere ? `the lab in ${dir} is down after ${seconds(since)}; ${kept}` : `there is no lab in ${dir}`);
  return 0;
}

async function status({ dir, output }: RequestFor<"status">, { progress, print }: CommandContext): Promise<number> {
  const found = await readLabStatus(dir);
  if (found === undefined) {
    progress.line(`there is no lab in ${dir}; "npm run lab -- up" starts one`);
    return 1;
  }
  print(output === "json" ? `${JSON.stringify(found, undefined, 2)}\n` : renderStatusTable(found));
  return isAllUp(found) ? 0 : 1;
}

async function build({ names }: RequestFor<"build">, { progress, print, signal }: CommandContext): Promise<number> {
  const since = performance.now();
  const binaries = await ensureBinaries(names, { progress, signal });
  progress.line(`${names.length} binaries are up to date after ${seconds(since)}`);
  print(
    Object.values(binaries)
      .map(({ path }) => `${path}\n`)
      .join(""),
  );
  return 0;
}

function shellWord(text: string): string {
  return /^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
