import { closeSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CommandError } from "./command-error.ts";
import { createSystemExecutor, systemExecutor } from "./executor.ts";

const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable("the command should have failed"),
    (error: unknown) => error as CommandError,
  );

describe("a command", () => {
  it("gets its arguments as they are, without a shell", async () => {
    const { stdout } = await systemExecutor.run(["printf", "%s", "$HOME; `id`"]);
    expect(stdout).toBe("$HOME; `id`");
  });

  it("that fails says how, with what it printed last", async () => {
    const failure = await failureOf(systemExecutor.run(["ls", "/does-not-exist"]));
    expect(failure).toBeInstanceOf(CommandError);
    expect(failure).toMatchObject({ code: "COMMAND_FAILED", kind: "failed", exitCode: 2 });
    expect(failure.message).toContain("No such file or directory");
  });

  it("may answer by its exit code", async () => {
    const { exitCode } = await systemExecutor.run(["false"], { acceptedExitCodes: [1] });
    expect(exitCode).toBe(1);
  });

  it("that is not installed is told apart from one that fails", async () => {
    const failure = await failureOf(systemExecutor.run(["no-such-program"]));
    expect(failure).toMatchObject({ code: "COMMAND_NOT_FOUND", kind: "missing" });
  });

  it("that takes too long is ended", async () => {
    const failure = await failureOf(systemExecutor.run(["sleep", "60"], { timeoutMs: 50 }));
    expect(failure).toMatchObject({ code: "COMMAND_TIMEOUT", kind: "timeout" });
  });

  it("has the descriptor open that it was given, by which it is found if it outlives its parent", async () => {
    const descriptor = openSync("/etc/hostname", "r");
    const { stdout } = await createSystemExecutor(descriptor).run(["readlink", "/proc/self/fd/3"]);
    closeSync(descriptor);
    expect(stdout.trim()).toBe("/etc/hostname");
  });
});
