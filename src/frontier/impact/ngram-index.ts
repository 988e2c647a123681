/**
 * Which pages not yet fetched match a query: an inverted index over the n-grams of their URLs and anchors (Crawl
 * ordering by search impact, section 5.3). Pairs enter through a buffer and then lie in runs, each at least four times
 * as long as the next, which are merged as they grow: short ones at once, long ones in steps. In the runs a page is
 * known by its slot. A removed page leaves an empty slot behind; when there are many empty slots, the next merging
 * clears all away.
 */
import { numberOption } from '../../base/checks.js'
import type { Steps } from '../../base/turns.js'
import { GONE, NgramRun } from './ngram-run.js'
import { matchesNeeded, type Ngrams } from './ngrams.js'

const NOBODY = 0xffff_ffff
const MAX_PAGE = 2 ** 31 - 1
const LENGTH_RATIO = 4
/** Room for pairs that are in no run yet: its first and its last size. */
const FEWEST_WAITING = 2 ** 10
const MOST_WAITING = 2 ** 16
/** Pairs that are merged at once; more wait for `merging`, unless there are too many runs. */
const MOST_AT_ONCE = 2 ** 15
const MOST_RUNS = 32
/** Slots without a page are cleared away when there are this many and they are a quarter of all. */
const FEWEST_CLEARED = 1024
const SLOTS_PER_STEP = 4096

/** The pairs of one n-gram of a query: a range in every run. */
interface NgramPairs {
  readonly ranges: readonly (readonly [run: NgramRun, first: number, end: number])[]
  readonly length: number
}

/** Pages are small integers, as they are rows of a table. */
export class NgramIndex {
  #slotOfPage = new Uint32Array(0)
  #pageOfSlot = new Uint32Array(0)
  #slots = 0
  #pages = 0
  #runs: NgramRun[] = []
  #waitingNgrams = new Float64Array(FEWEST_WAITING)
  #waitingSlots = new Uint32Array(FEWEST_WAITING)
  #waiting = 0
  /** What is being sorted in steps, and is in no run yet. */
  #sorting: { readonly ngrams: Float64Array; readonly slots: Uint32Array } | undefined

  /** Pages in the index. */
  get size(): number {
    return this.#pages
  }

  get memoryBytes(): number {
    const tables = this.#slotOfPage.byteLength + this.#pageOfSlot.byteLength
    const sorting = this.#sorting === undefined ? 0 : this.#sorting.ngrams.byteLength + this.#sorting.slots.byteLength
    const waiting = this.#waitingNgrams.byteLength + this.#waitingSlots.byteLength + sorting
    return this.#runs.reduce((sum, run) => sum + run.memoryBytes, tables + waiting)
  }

  has(page: number): boolean {
    return (this.#slotOfPage[page] ?? NOBODY) !== NOBODY
  }

  /** Adds n-grams to those that a page has already: for a new anchor, its own n-grams suffice. */
  add(page: number, ngrams: Ngrams): void {
    numberOption('page', page, 0, { min: 0, max: MAX_PAGE, integer: true })
    const slot = this.has(page) ? this.#slotOfPage[page]! : this.#addSlot(page)
    for (let nth = 0; nth < ngrams.length; nth++) {
      if (this.#waiting === this.#waitingSlots.length) this.#makeRoom()
      this.#waitingNgrams[this.#waiting] = ngrams[nth]!
      this.#waitingSlots[this.#waiting] = slot
      this.#waiting++
    }
  }

  /** Takes a page out with all its n-grams; false when it was not in. */
  remove(page: number): boolean {
    if (!this.has(page)) return false
    this.#pageOfSlot[this.#slotOfPage[page]!] = NOBODY
    this.#slotOfPage[page] = NOBODY
    this.#pages--
    return true
  }

  /**
   * The pages, ascending, that have at least the share `rho` of a query's n-grams, and at least one; none for a query
   * without n-grams. A page that has m of n n-grams has one of any n - m + 1 of them, so only pages in the shortest
   * lists are candidates.
   */
  matching(query: Ngrams, rho = 1): Uint32Array {
    const needed = matchesNeeded(query.length, rho)
    if (query.length === 0) return new Uint32Array()
    this.#sealAll()
    const lists = Array.from(query, (ngram) => this.#pairsOf(ngram)).sort((a, b) => a.length - b.length)
    const seeds = query.length - needed + 1
    const found = counted(lists.slice(0, seeds).map(slotsOf))
    let candidates = found.slots.length
    for (let nth = seeds; nth < lists.length && candidates > 0; nth++) {
      countThose(found, candidates, lists[nth]!)
      candidates = keepThose(found, candidates, needed - (lists.length - 1 - nth))
    }
    candidates = keepThose(found, candidates, needed)
    const pages = found.slots.subarray(0, candidates).map((slot) => this.#pageOfSlot[slot]!)
    return pages.filter((page) => page !== NOBODY).sort()
  }

  /** Makes one run of all, without removed pages, which makes searches fastest. */
  compact(): void {
    this.#sealAll()
    while (this.#runs.length > 1) this.#mergeLast()
    if (this.#pages === this.#slots) return
    const numbers = this.#renumberSlots()
    this.#runs = this.#runs.map((run) => run.renumbered(numbers))
  }

  /** Removes empty slots; returns the new number of each slot, or GONE. */
  #renumberSlots(): Uint32Array {
    const numbers = new Uint32Array(this.#slots).fill(GONE)
    let kept = 0
    for (let slot = 0; slot < this.#slots; slot++) {
      const page = this.#pageOfSlot[slot]!
      if (page === NOBODY) continue
      numbers[slot] = kept
      this.#pageOfSlot[kept] = page
      this.#slotOfPage[page] = kept
      kept++
    }
    this.#slots = kept
    this.#pageOfSlot = this.#pageOfSlot.slice(0, kept)
    return numbers
  }

  /** Clears empty slots away in steps, where there are many. Pages may be added and removed in between. */
  *#clearing(): Steps<void> {
    const cleared = this.#slots - this.#pages
    if (cleared < FEWEST_CLEARED || cleared * 4 < this.#slots) return
    const [runs, slots, pageOfSlot] = [this.#runs, this.#slots, this.#pageOfSlot]
    const known = runs.slice()
    const numbers = new Uint32Array(slots).fill(GONE)
    let kept = 0
    for (let slot = 0; slot < slots; slot++) {
      if (pageOfSlot[slot] !== NOBODY) numbers[slot] = kept++
      if (slot % SLOTS_PER_STEP === 0) yield
    }
    const renumbered: NgramRun[] = []
    for (const run of known) renumbered.push(yield* run.renumbering(numbers))
    // Runs that have become others meanwhile are cleared by a later call.
    const isSame = this.#runs === runs && runs.length === known.length && runs.every((run, at) => run === known[at])
    if (!isSame || this.#sorting !== undefined) return
    const slotOf = (slot: number) => (slot < slots ? numbers[slot]! : kept + slot - slots)
    this.#runs = renumbered
    this.#renumberWaiting(slotOf)
    // A slot whose page was removed meanwhile stays, empty.
    for (let slot = 0; slot < this.#slots; slot++) {
      const [to, page] = [slotOf(slot), this.#pageOfSlot[slot]!]
      if (to === GONE) continue
      this.#pageOfSlot[to] = page
      if (page !== NOBODY) this.#slotOfPage[page] = to
    }
    this.#slots = kept + this.#slots - slots
    this.#pageOfSlot = this.#pageOfSlot.slice(0, this.#slots)
  }

  #renumberWaiting(slotOf: (slot: number) => number): void {
    let kept = 0
    for (let at = 0; at < this.#waiting; at++) {
      const slot = slotOf(this.#waitingSlots[at]!)
      if (slot === GONE) continue
      this.#waitingNgrams[kept] = this.#waitingNgrams[at]!
      this.#waitingSlots[kept++] = slot
    }
    this.#waiting = kept
  }

  #addSlot(page: number): number {
    if (page >= this.#slotOfPage.length)
      this.#slotOfPage = grown(this.#slotOfPage, page + 1).fill(NOBODY, this.#slotOfPage.length)
    if (this.#slots === this.#pageOfSlot.length) this.#pageOfSlot = grown(this.#pageOfSlot, this.#slots + 1)
    const slot = this.#slots++
    this.#slotOfPage[page] = slot
    this.#pageOfSlot[slot] = page
    this.#pages++
    return slot
  }

  #makeRoom(): void {
    if (this.#waiting >= MOST_WAITING) {
      this.#seal()
      return
    }
    const [ngrams, slots] = [new Float64Array(4 * this.#waiting), new Uint32Array(4 * this.#waiting)]
    ngrams.set(this.#waitingNgrams)
    slots.set(this.#waitingSlots)
    this.#waitingNgrams = ngrams
    this.#waitingSlots = slots
  }

  /** Seals what waits and gives the room back: a caller that searches has no more to add for now. */
  #sealAll(): void {
    const sorting = this.#sorting
    this.#sorting = undefined
    if (sorting !== undefined) this.#push(NgramRun.sorted(sorting.ngrams, sorting.slots))
    if (this.#waiting === 0) return
    this.#seal()
    this.#waitingNgrams = new Float64Array(FEWEST_WAITING)
    this.#waitingSlots = new Uint32Array(FEWEST_WAITING)
  }

  #seal(): void {
    const ngrams = this.#waitingNgrams.subarray(0, this.#waiting)
    const run = NgramRun.sorted(ngrams, this.#waitingSlots.subarray(0, this.#waiting))
    this.#waiting = 0
    this.#push(run)
  }

  #push(run: NgramRun): void {
    this.#runs.push(run)
    while (this.#isUneven(this.#runs.length - 1)) {
      const pairs = this.#runs.at(-2)!.length + this.#runs.at(-1)!.length
      if (pairs > MOST_AT_ONCE && this.#runs.length <= MOST_RUNS) return
      this.#mergeLast()
    }
  }

  /**
   * Sorts what waits, merges runs that have grown and clears empty slots away, in steps. Pages may be added and removed
   * in between.
   */
  *merging(): Steps<void> {
    yield* this.#sealing()
    for (let at = this.#runs.length - 1; at > 0; at = Math.min(at - 1, this.#runs.length - 1)) {
      if (!this.#isUneven(at)) continue
      const [one, other] = [this.#runs[at - 1]!, this.#runs[at]!]
      const merged = yield* one.mergingWith(other)
      // Runs that have become others meanwhile are merged by a later call.
      if (this.#runs[at - 1] === one && this.#runs[at] === other) this.#runs.splice(at - 1, 2, merged)
    }
    yield* this.#clearing()
  }

  *#sealing(): Steps<void> {
    if (this.#waiting === 0 || this.#sorting !== undefined) return
    const sorting = {
      ngrams: this.#waitingNgrams.slice(0, this.#waiting),
      slots: this.#waitingSlots.slice(0, this.#waiting),
    }
    this.#sorting = sorting
    this.#waiting = 0
    const run = yield* NgramRun.sorting(sorting.ngrams, sorting.slots)
    // Whoever could not wait has sorted it meanwhile.
    if (this.#sorting !== sorting) return
    this.#sorting = undefined
    // Whoever asked for steps merges it in steps.
    this.#runs.push(run)
  }

  /** Whether the run is too long for the one before it. */
  #isUneven(at: number): boolean {
    return at > 0 && this.#runs[at - 1]!.length < LENGTH_RATIO * this.#runs[at]!.length
  }

  #mergeLast(): void {
    const last = this.#runs.pop()!
    this.#runs.push(this.#runs.pop()!.mergedWith(last))
  }

  #pairsOf(ngram: number): NgramPairs {
    let length = 0
    const ranges: [NgramRun, number, number][] = []
    for (const run of this.#runs) {
      const [first, end] = run.rangeOf(ngram)
      if (first === end) continue
      ranges.push([run, first, end])
      length += end - first
    }
    return { ranges, length }
  }
}

/** Slots, ascending, and how many of the n-grams looked at each one has. */
interface CountedSlots {
  readonly slots: Uint32Array
  readonly counts: Uint32Array
}

/** The slots of one n-gram, ascending. An n-gram that was given to a page twice may lie in two runs. */
function slotsOf({ ranges, length }: NgramPairs): Uint32Array {
  const slots = new Uint32Array(length)
  let at = 0
  for (const [run, first, end] of ranges) {
    run.copySlots(first, end, slots, at)
    at += end - first
  }
  return ranges.length < 2 ? slots : counted([slots.sort()]).slots
}

/** How often each slot occurs in the lists. REQUIRES: a single list is sorted. */
function counted(lists: readonly Uint32Array[]): CountedSlots {
  const slots = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0))
  let length = 0
  for (const list of lists) {
    slots.set(list, length)
    length += list.length
  }
  if (lists.length > 1) slots.sort()
  const counts = new Uint32Array(length)
  let kept = -1
  for (let at = 0; at < length; at++) {
    if (kept < 0 || slots[at] !== slots[kept]) slots[++kept] = slots[at]!
    counts[kept]!++
  }
  return { slots: slots.subarray(0, kept + 1), counts }
}

/** Adds 1 to the count of those among the first `candidates` slots that have the n-gram. */
function countThose({ slots, counts }: CountedSlots, candidates: number, { ranges }: NgramPairs): void {
  const froms = ranges.map(([, first]) => first)
  for (let at = 0; at < candidates; at++) {
    const slot = slots[at]!
    for (let nth = 0; nth < ranges.length; nth++) {
      const [run, , end] = ranges[nth]!
      const place = run.firstSlotFrom(slot, froms[nth]!, end)
      froms[nth] = place
      if (place === end || run.slotAt(place) !== slot) continue
      counts[at]!++
      break
    }
  }
}

/** Moves the slots with at least `atLeast` n-grams to the front; returns their number. */
function keepThose({ slots, counts }: CountedSlots, candidates: number, atLeast: number): number {
  let kept = 0
  for (let at = 0; at < candidates; at++) {
    if (counts[at]! < atLeast) continue
    slots[kept] = slots[at]!
    counts[kept] = counts[at]!
    kept++
  }
  return kept
}

/** A copy with room for `length` entries, and at least half as much more. */
function grown(column: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(Math.max(length, Math.ceil(column.length * 1.5)))
  longer.set(column)
  return longer
}
