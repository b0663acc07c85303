import type { ChildProcess } from "node:child_process";
import { StowageError } from "@stowage/machinery";
import type { ExecPluginConfig } from "./connection-config.ts";
import { execInfo } from "./exec-credential.ts";

export interface ExecPluginRun {
  /** Whether a person sits at this process's standard input. */
  readonly isInteractive: boolean;
  readonly timeoutMs: number;
  /** Ends a plugin that is running, and fails the run with its reason. */
  readonly signal?: AbortSignal;
  /** Receives what the plugin says on its standard error; without it, that goes to our own. */
  readonly onStderr?: (text: string) => void;
}

const outputLimitChars = 1024 * 1024;
const killGraceMs = 2_000;

/** Runs the plugin and resolves with what it printed. */
export async function runExecPlugin(plugin: ExecPluginConfig, run: ExecPluginRun): Promise<string> {
  const interactive = run.isInteractive && plugin.interactiveMode !== "Never";
  if (plugin.interactiveMode === "Always" && !interactive) {
    throw failed(plugin, "needs a terminal to ask on, and there is none", "Run the command from a terminal.");
  }
  const child = startPlugin(plugin, interactive, run.onStderr === undefined ? "inherit" : "pipe");
  child.stderr?.setEncoding("utf8").on("data", (text: string) => run.onStderr?.(text));
  return collectOutput(child, plugin, run);
}

function startPlugin(plugin: ExecPluginConfig, interactive: boolean, stderr: "inherit" | "pipe"): ChildProcess {
  const { spawn } = process.getBuiltinModule("node:child_process");
  try {
    return spawn(plugin.command, plugin.args, {
      env: { ...plugin.env, KUBERNETES_EXEC_INFO: execInfo(plugin, interactive) },
      stdio: [interactive ? "inherit" : "ignore", "pipe", stderr],
      windowsHide: true,
    });
  } catch (error) {
    // Node's error is no cause of ours: it lists the arguments.
    throw notStarted(plugin, error as NodeJS.ErrnoException);
  }
}

function collectOutput(child: ChildProcess, plugin: ExecPluginConfig, run: ExecPluginRun): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    const stop = (error: unknown) => {
      settle();
      reject(error);
      endProcess(child);
    };
    const timer = setTimeout(() => {
      stop(failed(plugin, `did not finish within ${run.timeoutMs / 1000} s`));
    }, run.timeoutMs);
    const onAbort = () => stop(run.signal?.reason);
    const settle = () => {
      clearTimeout(timer);
      run.signal?.removeEventListener("abort", onAbort);
    };
    run.signal?.addEventListener("abort", onAbort);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > outputLimitChars) {
        stop(failed(plugin, "printed more than 1 MiB"));
      }
    });
    child.on("error", (error) => stop(notStarted(plugin, error)));
    child.on("close", (exitCode, signal) => {
      settle();
      if (exitCode === 0) {
        resolve(output);
      } else {
        const how = exitCode === null ? `was ended by ${signal}` : `failed with exit code ${exitCode}`;
        reject(failed(plugin, how));
      }
    });
  });
}

/** A plugin that ignores SIGTERM, or whose children hold its output open, must not hold us. */
function endProcess(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), killGraceMs);
  timer.unref();
  child.once("exit", () => clearTimeout(timer));
}

function notStarted(plugin: ExecPluginConfig, error: NodeJS.ErrnoException): StowageError {
  if (error.code === "ENOENT") {
    return new StowageError(
      "CREDENTIAL_PLUGIN_NOT_FOUND",
      `The credential plugin ${plugin.command} is not installed.`,
      {
        nextStep: plugin.installHint,
      },
    );
  }
  const why =
    error.code === "EACCES"
      ? "may not be executed by this user"
      : `could not be started (${error.code ?? "unknown error"})`;
  return failed(plugin, why);
}

function failed(plugin: ExecPluginConfig, complaint: string, nextStep?: string): StowageError {
  return new StowageError("CREDENTIAL_PLUGIN_FAILED", `The credential plugin ${plugin.command} ${complaint}.`, {
    nextStep,
  });
}
