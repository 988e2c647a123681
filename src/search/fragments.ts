/**
 * Which pieces of a text to show for a query: those that have the most of its parts, close together. A pure function of
 * the text and its marks; docs/search-model.md defines it. All offsets are UTF-16 units.
 */

/** A word of a text that a query asks for. */
export interface TextMark {
  readonly begin: number
  readonly end: number
  /** Which part of the query it is; undefined for the words of a phrase behind its first. */
  readonly part: number | undefined
  /** Where the occurrence ends that the word belongs to: behind the last word of a phrase. */
  readonly wholeEnd: number
}

/** A piece of a text. */
export interface Fragment {
  readonly begin: number
  readonly end: number
}

export interface FragmentLimits {
  /** The most units of all pieces together. */
  readonly length: number
  /** The most pieces. */
  readonly fragments: number
}

export interface ChosenFragments {
  /** In the order of the text; they do not overlap. */
  readonly pieces: readonly Fragment[]
  /** How many parts of the query they were chosen for. */
  readonly parts: number
}

/** Beyond so many marks of a text the rest is not looked at: a word that stands everywhere stands early, too. */
const MAX_MARKS = 5000

/** `marks` ascend by `begin`. REQUIRES: a text that is not all white space. */
export function chooseFragments(text: string, marks: readonly TextMark[], limits: FragmentLimits): ChosenFragments {
  const scored = marks.filter(({ part }) => part !== undefined).slice(0, MAX_MARKS)
  const cores: Fragment[] = []
  const covered = new Set<number>()
  while (cores.length < limits.fragments) {
    const window = bestWindow(scored, cores, covered, Math.max(1, Math.floor(limits.length / limits.fragments)))
    if (window === undefined) break
    cores.push(window.core)
    for (const part of window.parts) covered.add(part)
  }
  if (cores.length === 0) {
    const begin = text.search(/\S/)
    return { pieces: widened(text, [{ begin, end: begin }], limits.length), parts: 0 }
  }
  cores.sort((a, b) => a.begin - b.begin)
  return { pieces: widened(text, cores, limits.length), parts: covered.size }
}

interface Window {
  readonly core: Fragment
  readonly parts: ReadonlySet<number>
}

/**
 * The window of at most `size` units, from the beginning of one mark to the end of another, that has the most parts
 * that are not covered yet; of these the narrowest, and of these the first.
 */
function bestWindow(
  marks: readonly TextMark[],
  taken: readonly Fragment[],
  covered: ReadonlySet<number>,
  size: number,
): Window | undefined {
  let best: Window | undefined
  const isFree = (begin: number, end: number) => taken.every((core) => end <= core.begin || begin >= core.end)
  marks.forEach((first, at) => {
    if (covered.has(first.part as number) || !isFree(first.begin, first.wholeEnd)) return
    const parts = new Set([first.part as number])
    let end = first.wholeEnd
    for (let next = at + 1; next < marks.length; next++) {
      const mark = marks[next] as TextMark
      if (mark.begin - first.begin >= size) break
      if (covered.has(mark.part as number) || parts.has(mark.part as number)) continue
      if (mark.wholeEnd - first.begin > size || !isFree(first.begin, mark.wholeEnd)) continue
      parts.add(mark.part as number)
      end = Math.max(end, mark.wholeEnd)
    }
    const isBetter =
      best === undefined ||
      parts.size > best.parts.size ||
      (parts.size === best.parts.size && end - first.begin < best.core.end - best.core.begin)
    if (isBetter) best = { core: { begin: first.begin, end }, parts }
  })
  return best
}

/** The pieces around the cores: equally long, of whole words where that is possible; those that meet become one. */
function widened(text: string, cores: readonly Fragment[], length: number): Fragment[] {
  const budget = Math.floor(length / cores.length)
  const pieces: Fragment[] = []
  cores.forEach((core, at) => {
    const before = pieces.at(-1)
    const from = before?.end ?? 0
    const to = cores[at + 1]?.begin ?? text.length
    const piece = trimmed(text, around(text, core, { begin: from, end: to }, budget), core)
    if (before !== undefined && text.slice(before.end, piece.begin).trim() === '')
      pieces[pieces.length - 1] = { begin: before.begin, end: piece.end }
    else pieces.push(piece)
  })
  return pieces
}

/** At most `budget` units around a core, within the room that there is. */
function around(text: string, core: Fragment, room: Fragment, budget: number): Fragment {
  const spare = budget - (core.end - core.begin)
  if (spare <= 0) return { begin: core.begin, end: wholeUntil(text, core.begin + budget, core.begin) }
  let begin = Math.max(room.begin, core.begin - Math.floor(spare / 2))
  const end = Math.min(room.end, core.end + spare - (core.begin - begin))
  begin = Math.max(room.begin, core.begin - (spare - (end - core.end)))
  return {
    begin: begin === room.begin ? begin : wordFrom(text, begin, core.begin),
    end: end === room.end ? end : wordUntil(text, end, core.end),
  }
}

const SPACE = /\s/

/** Where a whole word begins, from `begin` on and no later than `limit`; where there is none, a whole character. */
function wordFrom(text: string, begin: number, limit: number): number {
  if (SPACE.test(text.charAt(begin - 1))) return begin
  for (let at = begin; at < limit; at++) if (SPACE.test(text.charAt(at))) return at + 1
  let at = begin
  while (at < limit && isInsideCharacter(text, at)) at++
  return at
}

/** Where a whole word ends, at `end` or before and no earlier than `limit`; where there is none, a whole character. */
function wordUntil(text: string, end: number, limit: number): number {
  if (SPACE.test(text.charAt(end))) return end
  for (let at = end; at > limit; at--) if (SPACE.test(text.charAt(at - 1))) return at - 1
  return wholeUntil(text, end, limit)
}

function wholeUntil(text: string, end: number, limit: number): number {
  let at = end
  while (at > limit && isInsideCharacter(text, at)) at--
  return at
}

const EXTENDS = /^[\p{M}\p{Emoji_Modifier}\u200c\u200d]/u

/** Whether a cut here would part a surrogate pair, or a character from its marks. */
function isInsideCharacter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  const unit = text.charCodeAt(at)
  if (unit < 0x300) return false
  if (unit >= 0xdc00 && unit <= 0xdfff) return true
  return text.charCodeAt(at - 1) === 0x200d || EXTENDS.test(text.slice(at, at + 2))
}

/** Without white space at its ends, as far as the core leaves that. */
function trimmed(text: string, piece: Fragment, core: Fragment): Fragment {
  let { begin, end } = piece
  while (begin < core.begin && SPACE.test(text.charAt(begin))) begin++
  while (end > core.end && SPACE.test(text.charAt(end - 1))) end--
  return { begin, end }
}
