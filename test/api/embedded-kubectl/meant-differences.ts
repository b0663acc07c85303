/** Lines of which some commands show others with the embedded server, on purpose. */
interface MeantDifference {
  readonly command: RegExp;
  readonly line: RegExp;
  readonly reason: string;
}

const meantDifferences: readonly MeantDifference[] = [
  {
    command: /version/u,
    line: /gitCommit|goVersion|compiler/iu,
    reason: "it says of itself what it is: neither compiled nor Go",
  },
  {
    command: /api-(?:versions|resources)/u,
    line: /flowcontrol|resource\.k8s\.io|autoscaling\/v/u,
    reason: "flow control, dynamic resources and the newer autoscaling are not served; nothing of storage is in them",
  },
  {
    command: /get apiservices/u,
    line: /./u,
    reason: "nothing is aggregated, so that its own groups are not listed as services",
  },
  {
    command: /get leases/u,
    line: /lease.coordination.k8s.io\/apiserver-|No resources found/u,
    reason: "there is one server, which does not count itself",
  },
];

/** What is to be the same. */
export function comparedLines(command: string, lines: readonly string[]): readonly string[] {
  const meant = meantDifferences.filter((difference) => difference.command.test(command));
  return lines.filter((line) => !meant.some((difference) => difference.line.test(line)));
}
