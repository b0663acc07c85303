import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SessionPlace {
  /** Where it is typed. */
  readonly cwd: string;
  /** For what the session writes down itself. */
  readonly notes: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A terminal window: what one command sets, the next one has. With job control, as where people type. */
export class ShellSession implements AsyncDisposable {
  readonly #place: SessionPlace;
  readonly #shell: ChildProcess;
  readonly #ended: Promise<unknown>;
  #last: Promise<unknown> = Promise.resolve();
  #typed = 0;

  constructor(place: SessionPlace) {
    mkdirSync(place.notes, { recursive: true });
    this.#place = place;
    this.#shell = spawn("bash", ["--norc", "--noprofile", "-m"], {
      cwd: place.cwd,
      env: place.env,
      // What it says of its jobs is nobody's.
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    });
    this.#shell.stdout?.setEncoding("utf8");
    this.#ended = once(this.#shell, "close");
  }

  /** To its end, after what was typed before. */
  async type(command: string): Promise<Answer> {
    const answer = this.#last.then(() => this.#run(command));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #run(command: string): Promise<Answer> {
    const [script, out, err] = ["sh", "out", "err"].map((end) => join(this.#place.notes, `${this.#typed}.${end}`));
    this.#typed += 1;
    writeFileSync(script ?? "", `${command}\n`);
    const answered = Promise.race([once(this.#shell.stdout as NodeJS.ReadableStream, "data"), this.#ended]);
    this.#shell.stdin?.write(`. ${script} >${out} 2>${err} </dev/null; echo $?\n`);
    const [exitCode] = (await answered) as [string];
    const [stdout = "", stderr = ""] = [out, err].map((file) => readFileSync(file ?? "", "utf8"));
    return { exitCode: Number.parseInt(exitCode, 10), stdout, stderr };
  }

  /** In another window, with what is set in this one; until it has said that, and on. */
  async typeAndLeave(command: string, says: RegExp): Promise<RunningOn> {
    const variables = (await this.type("export -p")).stdout;
    const running = new RunningOn(`${variables}\n${command}`, this.#place);
    await running.said(says);
    return running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shell.stdin?.end();
    await this.#ended;
  }
}

/** A command that runs until somebody ends it. */
export class RunningOn {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #heard = "";

  constructor(command: string, { cwd, env }: SessionPlace) {
    // A group of its own, as a shell makes it, since Ctrl-C goes to all of the group.
    this.#child = spawn("bash", ["-c", command], { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#heard += text;
        this.#child.emit("heard");
      });
    }
    this.#ended = once(this.#child, "close");
  }

  async said(words: RegExp): Promise<void> {
    while (!words.test(this.#heard)) {
      if (this.#child.exitCode !== null) throw new Error(`it ended before it said ${words}: ${this.#heard}`);
      await Promise.race([once(this.#child, "heard"), this.#ended]);
    }
  }

  /** Its exit code. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  async interrupt(): Promise<number | null> {
    if (this.#child.exitCode === null && this.#child.signalCode === null)
      process.kill(-(this.#child.pid ?? 0), "SIGINT");
    return this.ended();
  }
}
