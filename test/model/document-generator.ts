/** New documents, and new versions of old ones: from no change at all to nearly all lines. */
import { inventLine, inventText, inventWord } from '../support/corpus.js'
import type { SeededRandom } from '../support/seed.js'
import type { Configuration } from './configurations.js'
import type { NaiveDocument, NaiveKey } from './naive-index.js'

/** String and number keys of the same digits are different documents, so both kinds are drawn. */
export function generateKey(random: SeededRandom): NaiveKey {
  const number = random.between(0, 999)
  const way = random.next()
  if (way < 0.4) return `https://example.org/${number}`
  if (way < 0.6) return number - 100
  return way < 0.8 ? String(number) : `ключ ${number} 🌊`
}

export function generateDocument(random: SeededRandom, configuration: Configuration, key: NaiveKey): NaiveDocument {
  const document: NaiveDocument = { id: key, note: random.between(0, 1_000_000) }
  for (const [field, { name }] of configuration.twin.fields.entries()) {
    const value = generateValue(random, configuration, field)
    if (value !== undefined) document[name] = value
  }
  return withWeight(random, configuration, document)
}

function generateValue(random: SeededRandom, configuration: Configuration, field: number): unknown {
  const way = random.next()
  if (way < 0.03) return undefined
  if (way < 0.06) return random.pick([null, '', '!', ' \n ', []])
  const lines = random.between(1, configuration.lines[field] as number)
  const text = inventText(random, configuration.shape, lines)
  if (way < 0.2) return text.replaceAll('\n', random.pick([' ', ', ', '\r\n', '\n\n']))
  return way < 0.28 ? text.split('\n') : text
}

/** Few different weights, so that documents tie. */
function withWeight(random: SeededRandom, { weight }: Configuration, document: NaiveDocument): NaiveDocument {
  if (weight === undefined || random.chance(0.2)) return document
  return { ...document, [weight]: random.chance(0.7) ? random.between(0, 3) / 2 : random.next() * 4 }
}

/** The next version of a document under the same key. */
export function editDocument(random: SeededRandom, configuration: Configuration, before: NaiveDocument): NaiveDocument {
  const way = random.next()
  if (way < 0.08) return structuredClone(before)
  if (way < 0.16) return withWeight(random, configuration, { ...before, note: random.between(0, 1_000_000) })
  if (way < 0.22) return generateDocument(random, configuration, before.id as NaiveKey)
  const { name } = random.pick(configuration.twin.fields)
  const value = before[name]
  let text = Array.isArray(value) ? value.join('\n') : String(value ?? '')
  for (let edits = random.pick([1, 1, 2, 4]); edits > 0; edits--) text = editText(random, configuration, text)
  return { ...before, [name]: text }
}

function editText(random: SeededRandom, { shape }: Configuration, text: string): string {
  const lines = text.split('\n')
  const at = random.between(0, lines.length - 1)
  const line = lines[at] as string
  const edit = random.pick(['word', 'word', 'insert', 'remove', 'move', 'duplicate', 'most', 'spacing', 'append'])
  if (edit === 'word') lines[at] = replaceWord(random, line, inventWord(random, shape))
  else if (edit === 'insert') lines.splice(at, 0, inventLine(random, shape))
  else if (edit === 'remove') lines.splice(at, 1)
  else if (edit === 'move') lines.splice(random.between(0, lines.length - 1), 0, ...lines.splice(at, 1))
  else if (edit === 'duplicate') lines.splice(random.between(0, lines.length), 0, line)
  else if (edit === 'spacing') lines[at] = line.replace(' ', random.chance(0.5) ? '  ' : ', ')
  else if (edit === 'append') lines[at] = `${line} ${inventWord(random, shape)}`
  else return lines.map((old) => (random.chance(0.8) ? inventLine(random, shape) : old)).join('\n')
  return lines.join('\n')
}

function replaceWord(random: SeededRandom, line: string, word: string): string {
  const words = line.split(' ')
  words[random.between(0, words.length - 1)] = word
  return words.join(' ')
}
