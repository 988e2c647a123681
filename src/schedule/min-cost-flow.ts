/**
 * The cheapest way to send units through a network, by successive shortest paths: each unit takes the cheapest path
 * that is left, which may reroute earlier units. Potentials keep all reduced costs at 0 or more, so that Dijkstra's
 * algorithm finds the path. It stops at the sink, and only the nodes that it reached change. Costs are whole numbers,
 * since rounding would make reduced costs negative.
 */
export class MinCostFlow {
  readonly #sink: number
  /** By node: its first arc, or -1. */
  readonly #firsts: Int32Array
  /** Arc 2n and its reverse 2n + 1 belong together. */
  readonly #nexts: Int32Array
  readonly #targets: Int32Array
  readonly #capacities: Int32Array
  readonly #costs: Float64Array
  #arcs = 0
  readonly #potentials: Float64Array
  readonly #distances: Float64Array
  readonly #arrivals: Int32Array
  readonly #isSettled: Uint8Array
  readonly #heap: NodeHeap

  constructor({ nodes, arcs, sink }: { readonly nodes: number; readonly arcs: number; readonly sink: number }) {
    this.#sink = sink
    this.#firsts = new Int32Array(nodes).fill(-1)
    this.#nexts = new Int32Array(2 * arcs)
    this.#targets = new Int32Array(2 * arcs)
    this.#capacities = new Int32Array(2 * arcs)
    this.#costs = new Float64Array(2 * arcs)
    this.#potentials = new Float64Array(nodes)
    this.#distances = new Float64Array(nodes).fill(Number.POSITIVE_INFINITY)
    this.#arrivals = new Int32Array(nodes)
    this.#isSettled = new Uint8Array(nodes)
    this.#heap = new NodeHeap()
  }

  /**
   * REQUIRES: cost is a whole number of at least 0, and there are no more arcs than were announced. Returns the arc.
   */
  addArc(from: number, to: number, capacity: number, cost: number): number {
    const arc = this.#arcs
    this.#arcs += 2
    this.#setArc(arc, from, to, capacity, cost)
    this.#setArc(arc + 1, to, from, 0, -cost)
    return arc
  }

  /** Units that go through an arc. */
  flow(arc: number): number {
    return this.#capacities[arc + 1]!
  }

  /** Sends one unit from a node to the sink; returns false when no path is left. */
  send(source: number): boolean {
    const reached = this.#shortestPath(source)
    const length = this.#distances[this.#sink]!
    const isSent = this.#isSettled[this.#sink] === 1
    if (isSent) this.#augment(source)
    for (const node of reached) {
      if (isSent && this.#isSettled[node] === 1) this.#potentials[node]! += this.#distances[node]! - length
      this.#distances[node] = Number.POSITIVE_INFINITY
      this.#isSettled[node] = 0
    }
    return isSent
  }

  #setArc(arc: number, from: number, to: number, capacity: number, cost: number): void {
    this.#targets[arc] = to
    this.#capacities[arc] = capacity
    this.#costs[arc] = cost
    this.#nexts[arc] = this.#firsts[from]!
    this.#firsts[from] = arc
  }

  /** Fills distances and arrivals as far as the sink; returns all nodes that have a distance. */
  #shortestPath(source: number): number[] {
    const reached = [source]
    this.#distances[source] = 0
    this.#heap.clear()
    // Nodes at the same distance as the last one need no heap: many reduced costs are 0.
    const near = [source]
    while (near.length > 0 || this.#heap.size > 0) {
      const node = near.pop() ?? this.#heap.takeNearest()
      if (this.#isSettled[node] === 1) continue
      this.#isSettled[node] = 1
      if (node === this.#sink) break
      for (let arc = this.#firsts[node]!; arc !== -1; arc = this.#nexts[arc]!) {
        if (this.#capacities[arc] === 0) continue
        const target = this.#targets[arc]!
        const cost = this.#costs[arc]! + this.#potentials[node]! - this.#potentials[target]!
        const distance = this.#distances[node]! + cost
        if (distance >= this.#distances[target]!) continue
        if (this.#distances[target] === Number.POSITIVE_INFINITY) reached.push(target)
        this.#distances[target] = distance
        this.#arrivals[target] = arc
        if (cost === 0) near.push(target)
        else this.#heap.add(target, distance)
      }
    }
    return reached
  }

  #augment(source: number): void {
    for (let node = this.#sink; node !== source; ) {
      const arc = this.#arrivals[node]!
      this.#capacities[arc]!--
      this.#capacities[arc ^ 1]!++
      node = this.#targets[arc ^ 1]!
    }
  }
}

/** Nodes by distance. A node may be in it several times; the nearest comes first. */
class NodeHeap {
  readonly #nodes: number[] = []
  readonly #distances: number[] = []

  get size(): number {
    return this.#nodes.length
  }

  clear(): void {
    this.#nodes.length = 0
    this.#distances.length = 0
  }

  add(node: number, distance: number): void {
    const nodes = this.#nodes
    const distances = this.#distances
    let at = nodes.length
    nodes.push(node)
    distances.push(distance)
    for (let parent = (at - 1) >> 1; at > 0 && distances[parent]! > distance; parent = (at - 1) >> 1) {
      nodes[at] = nodes[parent]!
      distances[at] = distances[parent]!
      at = parent
    }
    nodes[at] = node
    distances[at] = distance
  }

  /** REQUIRES: size > 0. */
  takeNearest(): number {
    const nodes = this.#nodes
    const distances = this.#distances
    const nearest = nodes[0]!
    const node = nodes.pop()!
    const distance = distances.pop()!
    const size = nodes.length
    if (size === 0) return nearest
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && distances[child + 1]! < distances[child]!) child++
      if (distances[child]! >= distance) break
      nodes[at] = nodes[child]!
      distances[at] = distances[child]!
      at = child
    }
    nodes[at] = node
    distances[at] = distance
    return nearest
  }
}
