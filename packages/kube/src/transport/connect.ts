import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type SecureContext, type TLSSocket } from "node:tls";
import { toConnectionError } from "./connection-error.ts";
import { socketEvent } from "./socket-event.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface TlsMaterial {
  readonly context: SecureContext;
  readonly verify: boolean;
  /** The name to expect in the certificate in place of the host. */
  readonly serverName?: string;
  /** What resumes a former TLS session: a handshake that is a good deal cheaper for both sides. */
  session?: Buffer;
}

/** Probes an idle connection after this long; with the system's ten probes a dead peer is noticed within a minute. */
export const keepAliveDelayMs = 30_000;
/** Node gives each address of a name 250 ms by default, too little for a server on another continent. */
const addressAttemptMs = 2_000;

/** `name` is what errors call the other side. */
export async function openTcp(address: Address, name: string, signal: AbortSignal): Promise<Socket> {
  const socket = connectTcp({
    host: address.host,
    port: address.port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: keepAliveDelayMs,
    autoSelectFamilyAttemptTimeout: addressAttemptMs,
  });
  await orDestroy(socket, async () => {
    await socketEvent(socket, "connect", signal).catch((error: unknown) => {
      throw toConnectionError(error, name);
    });
  });
  return socket;
}

export interface Handshake {
  readonly host: string;
  readonly name: string;
  readonly tls: TlsMaterial;
}

export async function openTls(socket: Socket, { host, name, tls }: Handshake, signal: AbortSignal): Promise<TLSSocket> {
  const expected = tls.serverName ?? host;
  const secured = connectTls({
    socket,
    // An IP address is looked for in the certificate but may not be sent as a server name.
    host: expected,
    servername: isIP(expected) === 0 ? expected : "",
    secureContext: tls.context,
    rejectUnauthorized: tls.verify,
    ALPNProtocols: ["http/1.1"],
    session: tls.session,
  });
  secured.on("session", (session: Buffer) => {
    tls.session = session;
  });
  await orDestroy(secured, async () => {
    await socketEvent(secured, "secureConnect", signal).catch((error: unknown) => {
      delete tls.session;
      throw toConnectionError(error, name);
    });
  });
  return secured;
}

export async function orDestroy(socket: Socket, work: () => Promise<void>): Promise<void> {
  // Until the HTTP client listens, and after a failure, nobody else hears an error; unheard it would end the process.
  socket.on("error", () => {});
  try {
    await work();
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

export function addressOf(url: URL): Address {
  const defaultPorts: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };
  const port = url.port === "" ? (defaultPorts[url.protocol] ?? 1080) : Number(url.port);
  return { host: url.hostname.replace(/^\[(.*)\]$/, "$1"), port };
}
