/** What a report says, whichever way it is shown: as text on a terminal, or as an HTML page. */

import { type Table, tableText } from './table.js'

export interface Report {
  readonly title: string
  /** What was found, in a sentence: which of the things compared is best, and how sure that is. */
  readonly verdict?: string
  /** One line for a terminal that says what was replayed. The HTML page has the settings instead. */
  readonly summary: string
  /** What was asked, as names and values. */
  readonly settings: readonly (readonly [name: string, value: string])[]
  /** Paragraphs that a reader needs before the sections, on a terminal as well. */
  readonly notes?: readonly string[]
  readonly sections: readonly Section[]
}

export interface Section {
  readonly heading: string
  /** The heading of the table on a terminal. A section without it is on the HTML page only. */
  readonly printed?: string
  /** Paragraphs of plain text, for the HTML page. */
  readonly notes?: readonly string[]
  /** SVG, as drawPlot() makes it, alone or with what is written below it. */
  readonly plots?: readonly (string | CaptionedPlot)[]
  readonly table?: Table
  /** On the HTML page, only the heading is shown until somebody opens it. */
  readonly isFolded?: boolean
}

export interface CaptionedPlot {
  readonly svg: string
  /** Names the figure of the paper, if it is one. */
  readonly caption: string
}

/** The report for a terminal: its summary, its notes and the tables that are printed. */
export function reportText({ verdict, summary, notes = [], sections }: Report): string {
  const tables = sections.flatMap(({ printed, table }) =>
    printed === undefined || table === undefined ? [] : [`${printed}\n${tableText(table)}`],
  )
  return [...(verdict === undefined ? [] : [verdict]), summary, ...notes, ...tables].join('\n\n')
}
