/** What pages cost, as text: `key<TAB>price`. Blank lines are passed over. */
import { describe } from '../describe.js'
import { requiredLines } from './input-lines.js'
import { LineRefused } from './line-fault.js'

/** By key, as text. */
export type DocumentPrices = ReadonlyMap<string, number>

/** LineRefused for the first line that says something else. */
export async function readDocumentPrices(file: string): Promise<DocumentPrices> {
  const prices = new Map<string, number>()
  for await (const { source, number: line, text } of requiredLines(file)) {
    if (text.trim() === '') continue
    const [key = '', price, ...rest] = text.split('\t')
    const value = Number(price)
    if (
      price === undefined ||
      price.trim() === '' ||
      rest.length > 0 ||
      !(value > 0 && value < Number.POSITIVE_INFINITY)
    )
      throw new LineRefused({
        ...{ source, line },
        message: `it must be a key, a tab and a price above 0, received ${describe(text)}`,
      })
    prices.set(key, value)
  }
  return prices
}
