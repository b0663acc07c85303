/** `STOWAGE_PORT=tcp://10.0.0.1:443`: what every Pod is told of a Service called `stowage`, and what nobody means by that option. */
const link = /^(?:tcp|udp|sctp):\/\//u;

/** Variables of options that Kubernetes, and not a person, has given a value: the names of Services make them look so. */
export function serviceLinks(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env).filter((name) => /^STOWAGE_(?:.*_)?PORT$/u.test(name) && link.test(env[name] ?? ""));
}
