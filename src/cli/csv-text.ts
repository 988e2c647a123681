/** Comma-separated values, as RFC 4180 has them; a cell ends on the line where it begins. */

/** The cells of a line. Throws for a quote that is not closed, or not the whole cell. */
export function parseCsvLine(line: string): string[] {
  const cells: string[] = []
  for (let at = 0; at <= line.length; at++) {
    if (line[at] !== '"') {
      const comma = line.indexOf(',', at)
      const end = comma === -1 ? line.length : comma
      cells.push(line.slice(at, end))
      at = end
      continue
    }
    const quoted = /"((?:[^"]|"")*)"(?=,|$)/y
    quoted.lastIndex = at
    const found = quoted.exec(line)
    if (found === null) throw new Error('a quote must enclose a whole cell, and be closed on its line')
    cells.push(found[1]!.replaceAll('""', '"'))
    at = quoted.lastIndex
  }
  return cells
}

export function csvLine(cells: readonly (string | number)[]): string {
  return cells.map((cell) => csvCell(String(cell))).join(',')
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
