import { badRequest } from "../../answers/index.ts";
import type { AgentContainer, NodeAgents } from "../node-agents.ts";
import { ItemQueue } from "./item-queue.ts";
import type { WebSocketConnection } from "./websocket.ts";

export const forwardProtocols = ["v4.channel.k8s.io"];

export interface Forwarding {
  readonly agents: Pick<NodeAgents, "forward">;
  readonly pod: AgentContainer;
}

/** Those that a query asks for, each alone or several with commas. */
export function forwardPorts(asked: readonly string[]): number[] {
  const ports = asked.flatMap((each) => each.split(",")).map(Number);
  if (ports.length === 0) throw badRequest('query parameter "port" is required');
  const isPort = (port: number) => Number.isInteger(port) && port > 0 && port < 65_536;
  if (!ports.every(isPort)) throw badRequest("unable to parse port: it is a number from 1 to 65535");
  return ports;
}

/** What a client is told of a connection that came to nothing. */
export function forwardFailure({ pod, uid }: AgentContainer, port: number, problem: unknown): Buffer {
  const why = problem instanceof Error ? problem.message : "unknown";
  return Buffer.from(`error forwarding port ${port} to pod ${pod}, uid ${uid}: ${why}`);
}

/** Each port has two channels, for data and for what goes wrong; both begin with the port's number. Runs until the client has gone. */
export async function runForward(
  connection: WebSocketConnection,
  { agents, pod }: Forwarding,
  ports: readonly number[],
): Promise<void> {
  const queues = ports.map(() => new ItemQueue<Uint8Array>());
  const send = async (channel: number, bytes: Uint8Array) =>
    await connection.send(Buffer.concat([Buffer.of(channel), bytes]));
  for (const [index, port] of ports.entries()) {
    const number = Buffer.alloc(2);
    number.writeUInt16LE(port);
    await send(2 * index, number);
    await send(2 * index + 1, number);
  }
  const forwarding = ports.map(async (port, index) => {
    const incoming = queues[index] ?? new ItemQueue<Uint8Array>();
    const stream = { incoming, write: (bytes: Uint8Array) => send(2 * index, bytes) };
    try {
      await agents.forward(pod, port, stream, connection.gone);
    } catch (error) {
      await send(2 * index + 1, forwardFailure(pod, port, error));
    }
  });
  for await (const message of connection.messages()) {
    const channel = message[0] ?? 1;
    if (channel % 2 === 0) queues[channel / 2]?.push(message.subarray(1));
  }
  for (const queue of queues) queue.end();
  await Promise.all(forwarding);
}
