import { fork } from "node:child_process";
import type { FloodServer } from "./flood-server-process.ts";
import type { Task } from "./subject.ts";

const FILES = { stowage: "./subject-stowage.ts", "client-node": "./subject-client-node.ts" } as const;
export type SubjectName = keyof typeof FILES;

export interface SubjectRun {
  readonly task: Task;
  readonly exposeGc?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a subject in a process of its own, passes its wishes on to the server, and resolves with what it reports. */
export function runSubject<Report>(name: SubjectName, server: FloodServer, run: SubjectRun): Promise<Report> {
  const child = fork(new URL(FILES[name], import.meta.url), [JSON.stringify(run.task)], {
    execArgv: run.exposeGc ? ["--expose-gc"] : [],
    env: { ...process.env, ...run.env },
  });
  return new Promise((resolve, reject) => {
    child.on("message", (message: Report | { ask: "prepare" | "flood"; events: number }) => {
      if (typeof message === "object" && message !== null && "ask" in message) {
        void server[message.ask](message.events).then(() => child.send("done"));
      } else {
        resolve(message);
      }
    });
    child.on("error", reject);
    child.on("exit", (code) => reject(new Error(`${name} ended with ${code} and no report`)));
  });
}
