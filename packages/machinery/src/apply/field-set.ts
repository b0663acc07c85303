import { compareElements, type Path, type PathElement } from "./path-element.ts";

interface FieldNode {
  readonly element: PathElement;
  /** Whether the set has this path itself, not only paths below it. */
  readonly isMember: boolean;
  /** Never empty. */
  readonly children: FieldSet | undefined;
}

/** A set of paths into an object, as a tree. Having a field says nothing of the fields above or below it. Never changes. */
export class FieldSet {
  static readonly empty = new FieldSet(new Map());
  readonly #nodes: ReadonlyMap<string, FieldNode>;

  private constructor(nodes: ReadonlyMap<string, FieldNode>) {
    this.#nodes = nodes;
  }

  static of(...paths: readonly Path[]): FieldSet {
    const builder = new FieldSetBuilder();
    for (const path of paths) builder.insert(path);
    return builder.build();
  }

  /** Of nodes with distinct elements; those that hold nothing are left out. */
  static fromNodes(nodes: Iterable<FieldNode>): FieldSet {
    const kept = new Map<string, FieldNode>();
    for (const node of nodes) {
      const children = node.children?.isEmpty === false ? node.children : undefined;
      if (node.isMember || children !== undefined) kept.set(node.element.id, { ...node, children });
    }
    return kept.size === 0 ? FieldSet.empty : new FieldSet(kept);
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  /** In the order in which they are written. */
  nodes(): readonly FieldNode[] {
    return [...this.#nodes.values()].toSorted((a, b) => compareElements(a.element, b.element));
  }

  has(path: Path): boolean {
    const [first, ...rest] = path;
    const node = first && this.#nodes.get(first.id);
    if (node === undefined) return false;
    return rest.length === 0 ? node.isMember : (node.children?.has(rest) ?? false);
  }

  hasElement(element: PathElement): boolean {
    return this.#nodes.get(element.id)?.isMember ?? false;
  }

  /** What is below an element. */
  below(element: PathElement): FieldSet {
    return this.#nodes.get(element.id)?.children ?? FieldSet.empty;
  }

  equals(other: FieldSet): boolean {
    return this.difference(other).isEmpty && other.difference(this).isEmpty;
  }

  union(other: FieldSet): FieldSet {
    const nodes = new Map(this.#nodes);
    for (const [id, theirs] of other.#nodes) {
      const ours = nodes.get(id);
      nodes.set(id, ours === undefined ? theirs : unionOf(ours, theirs));
    }
    return FieldSet.fromNodes(nodes.values());
  }

  intersection(other: FieldSet): FieldSet {
    return this.#mapped(({ element, isMember, children }) => ({
      element,
      isMember: isMember && other.hasElement(element),
      children: children?.intersection(other.below(element)),
    }));
  }

  /** Takes away exactly the paths of the other set: what is below them stays. */
  difference(other: FieldSet): FieldSet {
    return this.#mapped(({ element, isMember, children }) => ({
      element,
      isMember: isMember && !other.hasElement(element),
      children: children?.difference(other.below(element)),
    }));
  }

  /** Takes away the paths of the other set and everything below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    return this.#mapped(({ element, isMember, children }) => {
      if (other.hasElement(element)) return { element, isMember: false, children: undefined };
      return { element, isMember, children: children?.recursiveDifference(other.below(element)) };
    });
  }

  /** The paths that have no other path of the set below them. */
  leaves(): FieldSet {
    return this.#mapped(({ element, isMember, children }) => ({
      element,
      isMember: isMember && children === undefined,
      children: children?.leaves(),
    }));
  }

  /** Every path, those of one level before those below it, as conflicts are listed. */
  *paths(above: Path = []): Generator<Path> {
    const nodes = this.nodes();
    for (const { element, isMember } of nodes) if (isMember) yield [...above, element];
    for (const { element, children } of nodes) if (children) yield* children.paths([...above, element]);
  }

  #mapped(change: (node: FieldNode) => FieldNode): FieldSet {
    return FieldSet.fromNodes([...this.#nodes.values()].map(change));
  }
}

function unionOf(a: FieldNode, b: FieldNode): FieldNode {
  const children = a.children && b.children ? a.children.union(b.children) : (a.children ?? b.children);
  return { element: a.element, isMember: a.isMember || b.isMember, children };
}

interface BuilderNode {
  readonly element: PathElement;
  isMember: boolean;
  children: FieldSetBuilder | undefined;
}

/** Collects paths. */
export class FieldSetBuilder {
  readonly #nodes = new Map<string, BuilderNode>();

  /** The path of the whole object is in no set: nobody owns that. */
  insert(path: Path, from = 0): void {
    const element = path[from];
    if (element === undefined) return;
    const node = this.#node(element);
    if (from === path.length - 1) node.isMember = true;
    else (node.children ??= new FieldSetBuilder()).insert(path, from + 1);
  }

  build(): FieldSet {
    return FieldSet.fromNodes(
      [...this.#nodes.values()].map(({ element, isMember, children }) => ({
        element,
        isMember,
        children: children?.build(),
      })),
    );
  }

  #node(element: PathElement): BuilderNode {
    let node = this.#nodes.get(element.id);
    if (node === undefined) {
      node = { element, isMember: false, children: undefined };
      this.#nodes.set(element.id, node);
    }
    return node;
  }
}
