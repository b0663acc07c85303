import { type Container, type IntOrString, StowageError } from "@stowage/machinery";

/** The number of a port that is given as such, or by its name in the container. */
export function containerPort(wanted: IntOrString, { ports = [] }: Container): number {
  const port = typeof wanted === "number" ? wanted : (portNamed(wanted, ports) ?? numberOf(wanted));
  if (port > 0 && port < 65_536) return port;
  throw new StowageError("CONTAINER_CONFIG", `invalid port number: ${port}`);
}

function portNamed(wanted: string, ports: NonNullable<Container["ports"]>): number | undefined {
  return ports.find(({ name }) => name === wanted)?.containerPort;
}

/** Somebody may have written a number as a text. */
function numberOf(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new StowageError("CONTAINER_CONFIG", `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}
