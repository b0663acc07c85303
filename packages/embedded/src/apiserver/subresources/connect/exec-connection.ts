import type { AgentContainer, ExecOptions, NodeAgents, TerminalSize } from "../node-agents.ts";
import { execStatus } from "./exec-status.ts";
import { ItemQueue } from "./item-queue.ts";
import { terminalSize } from "./terminal-size.ts";
import type { WebSocketConnection } from "./websocket.ts";

/** The first byte of each message. */
const channels = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;

export const execProtocols = ["v5.channel.k8s.io", "v4.channel.k8s.io"];

export interface Execution {
  readonly agents: Pick<NodeAgents, "exec">;
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
  const status = await execStatus(agents.exec(container, options, streams, connection.gone));
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
