/** Policies with options on the command line: as listed, as the library takes them, and what is refused. */
import { POLICY_CARDS } from 'freshdex'
import { describe, expect, it } from 'vitest'
import { optionWord, readPolicy } from '../../../src/cli/input/policy-choice.js'
import { createPolicy } from '../../../src/refresh/policies/registry.js'

const DAY_MS = 86_400_000

describe('a policy with options', () => {
  it.each([
    ['oldest-first', 'oldest-first'],
    ['longevity-curve:risk=30', { name: 'longevity-curve', risk: 30 }],
    ['longevity-curve:threshold=1d,weight=stake', { name: 'longevity-curve', threshold: DAY_MS, weight: 'stake' }],
    ['longevity-bound:learning=5', { name: 'longevity-bound', learning: 5 }],
    ['longevity-bound:learning=5d', { name: 'longevity-bound', learningMs: 5 * DAY_MS }],
    ['lambda-crawl:refreshes-per-day=100', { name: 'lambda-crawl', refreshesPerDay: 100 }],
    ['user-centric:decayed=true', { name: 'user-centric', decayed: true }],
    ['cluster-sampling:by=site,fairness=0.2', { name: 'cluster-sampling', by: 'site', fairness: 0.2 }],
  ])('%s is what the library takes', (text, choice) => {
    expect(readPolicy(text)).toEqual(choice)
  })

  it.each([
    ['newest-first', /one of quality-utility, .*oldest-first; options follow a colon/],
    ['longevity-curve:rsk=3', /The options of longevity-curve are threshold, risk, learning, weight, fragments\./],
    ['oldest-first:risk=3', /oldest-first has no options/],
    ['longevity-curve:risk=high', /risk of longevity-curve must be a number\./],
    ['longevity-curve:weight=all', /weight of longevity-curve must be none or stake/],
    ['longevity-curve:learning=soon', /must be a number, or a number and s, m, h, d or w/],
    ['user-centric:decayed=often', /decayed of user-centric must be true or false/],
    ['longevity-curve:', /The options of longevity-curve are/],
  ])('%s is refused in words that name what there is', (text, message) => {
    expect(() => readPolicy(text)).toThrow(message)
  })
})

describe('the listed options', () => {
  it.each(POLICY_CARDS.map((card) => [card.name, card.options] as const))(
    'of %s are those it takes',
    (name, options) => {
      let taken = ''
      try {
        createPolicy(name, { nonsense: 1 } as never)
      } catch (error) {
        taken = (error as Error).message
      }
      const listed = /known: (.*)$/.exec(taken)?.[1] ?? ''
      expect(
        listed
          .split(', ')
          .filter((word) => word !== '')
          .toSorted(),
      ).toEqual(options.map((option) => option.name).toSorted())
      for (const option of options) {
        const value = { number: '1', time: '1d', choice: option.choices?.[0], flag: 'true' }[option.kind]
        const { name: _, ...read } = readPolicy(`${name}:${optionWord(option)}=${value}`) as { name: string }
        expect(() => createPolicy(name, read as never)).not.toThrow()
      }
    },
  )
})
