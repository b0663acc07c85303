import { defineCommand } from "../command.ts";
import { subjectKinds } from "../explain/subject-kinds.ts";
import { logOptions, lookOptions, outputOptions } from "../options/common-options.ts";

export const explainCommand = defineCommand({
  name: "explain",
  summary: "say why a claim, volume, Pod, snapshot or class is not as it should be",
  details:
    "Walks the whole chain: class, driver, operators, sidecars, capacity, topology, secrets, node, attachment, mount, events and the " +
    "sidecars' logs. Answers with the cause (see causes.md), what shows it, and what to type to mend it. Only reads; values of Secrets " +
    "are never shown. The exit code is 0 when nothing is wrong and when the cause was found, 3 when something is wrong and the cause " +
    "was not found: then it says what was looked at.",
  positional: [
    { name: "kind", help: subjectKinds.join(", "), values: () => subjectKinds },
    { name: "name", help: "of the object" },
  ],
  options: {
    namespace: {
      type: "string",
      short: "n",
      placeholder: "NAME",
      help: "of the object; that of the kubeconfig's context when left out",
    },
    ...lookOptions,
    ...outputOptions,
    ...logOptions,
  },
  async run(context, options, [kind = "", name = ""]) {
    const { runExplain } = await import("./explain-process.ts");
    return runExplain(context, { ...options, kind, name, isTerminal: process.stdout.isTTY });
  },
});
