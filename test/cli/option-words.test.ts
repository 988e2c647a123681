import { expect, it } from 'vitest'
import { inOptionWords } from '../../src/cli/option-words.js'
import { flag, integer, onUnlessNegated, optional, span } from '../../src/cli/options.js'

const OPTIONS = {
  budget: optional('<n>', 'a number', integer(0)),
  minInterval: optional('<span>', 'a span', span),
  maxStaleness: optional('<span>', 'a span', span),
  perHost: optional('<n>', 'a number', integer(1)),
  field: optional('<name>', 'a name'),
  newPages: onUnlessNegated('a switch'),
  docs: flag('a switch'),
}

it.each([
  ['minIntervalMs must be at most maxStalenessMs, 5', '--min-interval must be at most --max-staleness, 5'],
  ['budget must be an integer, received 1.5', '--budget must be an integer, received 1.5'],
  ["choose 'x', or say newPages: false", "choose 'x', or say --no-new-pages"],
  ['fields must name 1 to 32 properties', '--field must name 1 to 32 properties'],
  ['a plan needs a budget: how many fetches', 'a plan needs a budget: how many fetches'],
  ['there is no document with the key "perHost"', 'there is no document with the key "perHost"'],
  ['cycleMs must be at most maxStalenessMs', 'cycleMs must be at most --max-staleness'],
])('says %j in the words of a command', (message, expected) => {
  expect(inOptionWords(message, OPTIONS)).toBe(expected)
})
