import { describe, expect, it } from "vitest";
import { LabError } from "../errors.ts";
import { parseRequest } from "./arguments.ts";

const surroundings = { workingFolder: "/home/me", defaultDir: "/checkout/.lab/run" };
const parse = (...words: string[]) => parseRequest(words, surroundings);

describe("the lab's command line", () => {
  it("starts the checkout's own lab at the level that it had", () => {
    expect(parse("up")).toEqual({
      command: "up",
      dir: "/checkout/.lab/run",
      level: undefined,
      kubeletFolder: undefined,
      extraFlags: undefined,
    });
  });

  it("takes a relative folder from where the user is", () => {
    expect(parse("down", "--dir", "other", "--wipe")).toEqual({ command: "down", dir: "/home/me/other", wipe: true });
    expect(parse("status", "--dir=/abs")).toEqual({ command: "status", dir: "/abs", output: "table" });
  });

  it("collects the flags of each component in the order in which they were given", () => {
    const flags = ["kube-apiserver=--feature-gates=A=true", "etcd=--quota=1", "kube-apiserver=--v=4"];
    expect(parse("up", ...flags.flatMap((flag) => ["--extra-flag", flag]))).toMatchObject({
      extraFlags: { "kube-apiserver": ["--feature-gates=A=true", "--v=4"], etcd: ["--quota=1"] },
    });
  });

  it("builds everything, or what is named", () => {
    expect(parse("build")).toMatchObject({ names: expect.arrayContaining(["etcd", "kubelet", "csi-sanity"]) });
    expect(parse("build", "csi-sanity")).toEqual({ command: "build", names: ["csi-sanity"] });
  });

  it("shows help for all or for one command", () => {
    expect(parse("--help")).toEqual({ command: "help", about: undefined });
    expect(parse("up", "--help")).toEqual({ command: "help", about: "up" });
  });

  it.each([
    ["no command was given", []],
    ['there is no command "toString"', ["toString"]],
    ["up: Unknown option '--levl'", ["up", "--levl", "node"]],
    ['--level is one of api, control, node, not "x"', ["up", "--level", "x"]],
    ["up: Unexpected argument 'now'", ["up", "now"]],
    ['--extra-flag is COMPONENT=--FLAG, not "nobody=--v=1"', ["up", "--extra-flag", "nobody=--v=1"]],
    ['--extra-flag is COMPONENT=--FLAG, not "etcd=v"', ["up", "--extra-flag", "etcd=v"]],
    ['build: there is no "kubeadm"', ["build", "kubeadm"]],
  ])("refuses with %s", (message, words) => {
    const refusal = () => parse(...words);
    expect(refusal).toThrow(LabError);
    expect(refusal).toThrow(message);
  });
});
