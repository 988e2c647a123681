/** What stands before the text of a page: YAML between `---`, TOML between `+++`. Only its title is of use here. */
export function splitFrontMatter(page: string): { readonly title: string; readonly body: string } {
  const mark = page.slice(0, 3)
  if ((mark !== '---' && mark !== '+++') || page.slice(3).split('\n', 1)[0]!.trim() !== '')
    return { title: '', body: page }
  const lines = page.split('\n')
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === mark)
  if (end === -1) return { title: '', body: page }
  const entry = lines.slice(1, end).find((line) => /^title\s*[:=]/.test(line)) ?? ''
  return { title: unquoted(entry.replace(/^title\s*[:=]/, '').trim()), body: lines.slice(end + 1).join('\n') }
}

function unquoted(value: string): string {
  const quote = value[0]
  if (value.length < 2 || (quote !== '"' && quote !== "'") || !value.endsWith(quote)) return value
  const inside = value.slice(1, -1)
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1') : inside.replaceAll("''", "'")
}
