import type { Status } from "@stowage/machinery";
import type { AgentContainer, ExecOptions, NodeAgents, TerminalSize } from "../node-agents.ts";
import { ItemQueue } from "./item-queue.ts";
import type { WebSocketConnection } from "./websocket.ts";

/** The first byte of each message. */
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

export const execProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

export interface Execution {
  readonly agents: NodeAgents;
  readonly container: AgentContainer;
  readonly options: ExecOptions;
}

/** Runs until the process has ended or the client has gone; how it ended is the last thing that is sent. */
export async function runExec(
  connection: WebSocketConnection,
  { agents, container, options }: Execution,
): Promise<void> {
  const stdin = new ItemQueue<Uint8Array>();
  const resizes = new ItemQueue<TerminalSize>();
  const reading = readMessages(connection, stdin, resizes);
  const send = async (channel: number, bytes: Uint8Array) =>
    await connection.send(Buffer.concat([Buffer.of(channel), bytes]));
  const streams = {
    stdin,
    resizes,
    writeStdout: (bytes: Uint8Array) => send(channels.stdout, bytes),
    // A terminal has one way out.
    writeStderr: (bytes: Uint8Array) => send(options.isTerminal ? channels.stdout : channels.stderr, bytes),
  };
  const status = await endOf(agents.exec(container, options, streams, connection.gone));
  await send(channels.status, Buffer.from(JSON.stringify(status)));
  await connection.close(1000);
  await reading;
}

async function readMessages(
  connection: WebSocketConnection,
  stdin: ItemQueue<Uint8Array>,
  resizes: ItemQueue<TerminalSize>,
): Promise<void> {
  for await (const message of connection.messages()) {
    const payload = message.subarray(1);
    if (message[0] === channels.stdin) stdin.push(payload);
    else if (message[0] === channels.close && payload[0] === channels.stdin) stdin.end();
    else if (message[0] === channels.resize) {
      const size = terminalSize(payload);
      if (size !== undefined) resizes.push(size);
    }
  }
  stdin.end();
  resizes.end();
}

/** `{"Width":80,"Height":24}`; what is none is passed over, as kubelets do. */
function terminalSize(payload: Buffer): TerminalSize | undefined {
  try {
    const { Width: columns, Height: rows } = JSON.parse(payload.toString("utf8")) as Record<string, unknown>;
    return typeof columns === "number" && typeof rows === "number" ? { columns, rows } : undefined;
  } catch {
    return undefined;
  }
}

type ExecStatus = Omit<Status, "apiVersion" | "kind">;

async function endOf(running: Promise<number>): Promise<ExecStatus> {
  try {
    return exitStatus(await running);
  } catch (error) {
    const why = `error executing command in container: ${error instanceof Error ? error.message : "unknown"}`;
    const message = `Internal error occurred: ${why}`;
    const details = { causes: [{ message: why }] };
    return { metadata: {}, status: "Failure", message, reason: "InternalError", details, code: 500 };
  }
}

function exitStatus(code: number): ExecStatus {
  if (code === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}
