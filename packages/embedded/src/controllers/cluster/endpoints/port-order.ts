const OFFSET = 0x6c62272e07bb014262b821756295c58dn;
const PRIME = 0x0000000001000000000000000000013bn;
const MASK = (1n << 128n) - 1n;

interface PortFields {
  readonly name?: string;
  readonly port?: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

/**
 * Kubernetes orders ports by a hash (FNV-1a of 128 bits) of how Go prints them, and writes them in that order. The order means nothing,
 * but another one would be a change that everybody who watches is told of.
 */
export function inSliceOrder<P extends PortFields>(ports: readonly P[]): P[] {
  return byHash(ports, ({ name, protocol, port, appProtocol }) =>
    goText(pointer("Name", "string", name), pointer("Protocol", "v1.Protocol", protocol), [
      pointer("Port", "int32", port),
      pointer("AppProtocol", "string", appProtocol),
    ]),
  );
}

/** The same for Endpoints, whose ports are another Go type. */
export function inEndpointsOrder<P extends PortFields>(ports: readonly P[]): P[] {
  return byHash(ports, ({ name = "", protocol = "", port = 0, appProtocol }) =>
    goText(`Name:(string)${name}`, `Port:(int32)${port}`, [
      `Protocol:(v1.Protocol)${protocol}`,
      pointer("AppProtocol", "string", appProtocol),
    ]),
  );
}

function byHash<P>(ports: readonly P[], textOf: (port: P) => string): P[] {
  return ports
    .map((port) => ({ port, hash: fnv1a128(textOf(port)) }))
    .toSorted((left, right) => (left.hash < right.hash ? -1 : 1))
    .map(({ port }) => port);
}

function goText(first: string, second: string, others: readonly string[]): string {
  return `(v1.EndpointPort){${[first, second, ...others].join(" ")}}`;
}

function pointer(name: string, type: string, value: string | number | undefined): string {
  return `${name}:(*${type})${value ?? "<nil>"}`;
}

function fnv1a128(text: string): bigint {
  let hash = OFFSET;
  for (const byte of Buffer.from(text)) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  return hash;
}
