import { beforeEach, describe, expect, it } from "vitest";
import { map, ownedBy } from "../fixtures/cluster-objects.ts";
import { blockingDependents, type GraphNode, type Identity } from "./graph-node.ts";
import { OwnerGraph } from "./owner-graph.ts";

const deletionTimestamp = "2026-01-01T00:00:00Z";
const nameOf = ({ identity }: GraphNode) => identity.name;

let news: string[];
let graph: OwnerGraph;

beforeEach(() => {
  news = [];
  graph = new OwnerGraph({
    check: (node) => news.push(`check ${nameOf(node)}`),
    checkLater: (node) => news.push(`check ${nameOf(node)} later`),
    orphan: (node) => news.push(`orphan ${nameOf(node)}`),
    absent: ({ name, namespace }: Identity) => news.push(`absent ${namespace}/${name}`),
    foreignOwner: (node, owner) => news.push(`${nameOf(node)} has foreign ${owner.name}`),
  });
});

/** What follows from doing so. */
function after(action: () => void): string[] {
  news = [];
  action();
  return news;
}

const child = (more: Parameters<typeof map>[1] = {}) => map("child", { ownerReferences: [ownedBy("owner")], ...more });

describe("an owner that goes", () => {
  it("has those that it owned looked at", () => {
    graph.seen(map("owner"));
    graph.seen(child());
    graph.seen(map("stranger"));
    expect(after(() => graph.gone(map("owner")))).toEqual(["absent shop/owner", "check child"]);
    expect(graph.find("uid-of-owner")).toBeUndefined();
  });

  it("is nothing to those that belong to it no longer", () => {
    graph.seen(map("owner"));
    graph.seen(child());
    graph.seen(map("child"));
    expect(after(() => graph.gone(map("owner")))).toEqual([]);
  });
});

describe("an owner that nobody has seen", () => {
  it("is looked for, and its dependents with it when it is not there", () => {
    expect(after(() => graph.seen(child()))).toEqual(["check owner"]);
    const identity = graph.find("uid-of-owner")?.identity as Identity;
    expect(after(() => graph.notFound(identity))).toEqual(["absent shop/owner", "check child"]);
  });

  it("is an owner like any other once it is seen", () => {
    graph.seen(child());
    expect(after(() => graph.seen(map("owner")))).toEqual([]);
    expect(graph.find("uid-of-owner")?.isVirtual).toBe(false);
    expect(after(() => graph.gone(map("owner")))).toContain("check child");
  });

  it("is looked for at the next place when its dependents do not agree", () => {
    graph.seen(child());
    graph.seen(map("other", { ownerReferences: [ownedBy("zebra", { uid: "uid-of-owner" })] }));
    const identity = graph.find("uid-of-owner")?.identity as Identity;
    expect(after(() => graph.notFound(identity))).toEqual(["absent shop/owner", "check child", "check zebra later"]);
    expect(graph.find("uid-of-owner")?.identity.name).toBe("zebra");
  });
});

describe("a reference that does not fit", () => {
  it("into another namespace is told, and looked at", () => {
    graph.seen(map("owner", { namespace: "elsewhere" }));
    expect(after(() => graph.seen(child()))).toEqual(["child has foreign owner", "check child"]);
  });

  it("is told when the owner is seen after it as well", () => {
    graph.seen(child());
    const seen = after(() => graph.seen(map("owner", { namespace: "elsewhere" })));
    expect(seen).toEqual(["child has foreign owner", "check child"]);
  });

  it("under another name is looked at", () => {
    graph.seen(map("owner"));
    const wrong = map("wrong", { ownerReferences: [ownedBy("other", { uid: "uid-of-owner" })] });
    expect(after(() => graph.seen(wrong))).toEqual(["check wrong"]);
  });

  it("to what is the whole cluster's fits from everywhere", () => {
    graph.seen(map("owner", { namespace: undefined }));
    expect(after(() => graph.seen(child()))).toEqual([]);
  });
});

describe("an owner that is deleted in the foreground", () => {
  const going = map("owner", { deletionTimestamp, finalizers: ["foregroundDeletion"] });

  beforeEach(() => {
    graph.seen(map("owner"));
    graph.seen(child({ ownerReferences: [ownedBy("owner", { blockOwnerDeletion: true })] }));
    graph.seen(map("free", { ownerReferences: [ownedBy("owner")] }));
  });

  it("has all its dependents looked at, and itself", () => {
    expect(after(() => graph.seen(going, map("owner")))).toEqual(["check child", "check free", "check owner"]);
    expect(blockingDependents(graph.find("uid-of-owner") as GraphNode).map(nameOf)).toEqual(["child"]);
  });

  it("is told of only once", () => {
    graph.seen(going, map("owner"));
    expect(after(() => graph.seen(going, going))).toEqual([]);
  });

  it("is looked at when what blocks it goes", () => {
    graph.seen(going, map("owner"));
    expect(after(() => graph.gone(child()))).toEqual(["check owner"]);
  });

  it("is looked at when what blocked it does so no longer", () => {
    graph.seen(going, map("owner"));
    expect(after(() => graph.seen(child()))).toEqual(["check owner"]);
  });
});

it("has those that depend on the object let go of it when it is to leave orphans", () => {
  graph.seen(map("owner"));
  const going = map("owner", { deletionTimestamp, finalizers: ["orphan"] });
  expect(after(() => graph.seen(going, map("owner")))).toEqual(["orphan owner"]);
});
