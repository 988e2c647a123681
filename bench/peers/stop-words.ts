/** The words that freshdex leaves out, which are those of Lucene: for peers that take a list. */
export const STOP_WORDS: readonly string[] = [
  ...['a', 'an', 'and', 'are', 'as', 'at', 'be', 'but', 'by', 'for', 'if', 'in', 'into', 'is', 'it', 'no', 'not', 'of'],
  ...[
    'on',
    'or',
    'such',
    'that',
    'the',
    'their',
    'then',
    'there',
    'these',
    'they',
    'this',
    'to',
    'was',
    'will',
    'with',
  ],
]

const all = new Set(STOP_WORDS)

export function isStopWord(word: string): boolean {
  return all.has(word)
}
