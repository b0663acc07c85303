import { badRequest, type ExecOptions, routeNotFound } from "../../../apiserver/index.ts";

interface AskedPod {
  readonly namespace: string;
  readonly pod: string;
  /** Left out by most: the Pod that has the name is meant then. */
  readonly uid: string | undefined;
}

/** What is asked of a kubelet by a connection: `exec` also for attaching, with no command. */
export type StreamingQuestion =
  | (AskedPod & { readonly kind: "exec"; readonly container: string; readonly options: ExecOptions })
  | (AskedPod & { readonly kind: "forward"; readonly ports: readonly string[] });

/** By kubelet's paths: `/exec/NAMESPACE/POD/CONTAINER`, with the Pod's UID before the container or without it. Throws what is answered instead. */
export function streamingQuestion({ pathname, searchParams }: URL): StreamingQuestion {
  const [, root, namespace, pod, ...more] = pathname.split("/").map(decodeURIComponent);
  if (namespace === undefined || pod === undefined) throw routeNotFound();
  if (root === "portForward" && more.length <= 1) {
    return { kind: "forward", namespace, pod, uid: more[0], ports: searchParams.getAll("port") };
  }
  const container = more.at(-1);
  if ((root !== "exec" && root !== "attach") || container === undefined || more.length > 2) throw routeNotFound();
  const uid = more.length === 2 ? more[0] : undefined;
  return { kind: "exec", namespace, pod, uid, container, options: execOptions(searchParams, root === "exec") };
}

function execOptions(query: URLSearchParams, isExec: boolean): ExecOptions {
  const isSet = (name: string) => query.get(name) === "1" || query.get(name) === "true";
  const isTerminal = isSet("tty");
  const options = {
    command: isExec ? query.getAll("command") : [],
    hasStdin: isSet("input"),
    hasStdout: isSet("output"),
    hasStderr: isSet("error") && !isTerminal,
    isTerminal,
  };
  if (isExec && options.command.length === 0) throw badRequest("you must specify at least 1 command");
  if (options.hasStdin || options.hasStdout || options.hasStderr) return options;
  throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
}
