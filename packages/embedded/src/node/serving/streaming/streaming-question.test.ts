import { describe, expect, it } from "vitest";
import { streamingQuestion } from "./streaming-question.ts";

const asked = (path: string) => streamingQuestion(new URL(path, "https://node"));

describe("what is asked of a kubelet by a connection", () => {
  it("is a command in a container, with what it reads and writes", () => {
    expect(asked("/exec/a/p/c?command=sh&command=-c&input=1&output=1&error=1")).toEqual({
      kind: "exec",
      namespace: "a",
      pod: "p",
      uid: undefined,
      container: "c",
      options: { command: ["sh", "-c"], hasStdin: true, hasStdout: true, hasStderr: true, isTerminal: false },
    });
  });

  it("is what runs already, when there is no command to it; a terminal has one way out", () => {
    expect(asked("/attach/a/p/u/c?output=1&error=1&tty=1")).toMatchObject({
      uid: "u",
      container: "c",
      options: { command: [], hasStdout: true, hasStderr: false, isTerminal: true },
    });
  });

  it("is ports of a Pod", () => {
    expect(asked("/portForward/a/p?port=80&port=81")).toMatchObject({ kind: "forward", pod: "p", ports: ["80", "81"] });
    expect(asked("/portForward/a/p/u")).toMatchObject({ kind: "forward", uid: "u", ports: [] });
  });

  it.each([
    ["/exec/a/p/c?output=1", "at least 1 command"],
    ["/exec/a/p/c?command=x", "at least 1 of stdin, stdout, stderr"],
    ["/exec/a/p?command=x&output=1", "could not find"],
    ["/exec/a/p/u/c/more?command=x&output=1", "could not find"],
    ["/portForward/a", "could not find"],
    ["/run/a/p/c?cmd=x", "could not find"],
    ["/", "could not find"],
  ])("is not %s", (path, why) => {
    expect(() => asked(path)).toThrow(why);
  });
});
