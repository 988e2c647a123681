/** Every policy through the public entry, and what is written about it. */
import { readdirSync, readFileSync } from 'node:fs'
import { Freshdex, POLICY_CARDS, POLICY_NAMES } from 'freshdex'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VARIANTS } from './variants.js'

const DAY_MS = 86_400_000
const START_MS = 20_000 * DAY_MS
const PAGES = Array.from({ length: 12 }, (_, id) => ({ id, text: `harbour page ${id} with the ferry times` }))

let index: Freshdex<(typeof PAGES)[number]>

/** The first six pages are rewritten every week, the others stay as they are. */
beforeAll(async () => {
  index = await Freshdex.open<(typeof PAGES)[number]>(':memory:', { key: 'id', fields: { text: {} } })
  index.workload.record('ferry', { count: 10 })
  await index.write({ put: PAGES }, { at: START_MS })
  await index.refresh.fit()
  for (let week = 1; week <= 6; week++) {
    const put = PAGES.map((page) =>
      page.id < 6 ? { ...page, text: `ferry ${week} news of ${page.id} ${week}` } : page,
    )
    await index.write({ put }, { at: START_MS + 7 * week * DAY_MS })
  }
})

afterAll(() => index.close())

describe.each(VARIANTS)('an index asked by %s', (_label, policy) => {
  it('names documents, and explains each', async () => {
    const at = START_MS + 60 * DAY_MS
    const best = (await index.refresh.next({ budget: 5, at, policy })).pages
    expect(best).toHaveLength(5)
    expect(best.map(({ priority }) => priority)).toEqual(best.map(({ priority }) => priority).toSorted((a, b) => b - a))
    for (const { key, priority } of best) {
      expect(index.refresh.priority(key, { at, policy })).toBe(priority)
      const told = index.refresh.explain(key, { at, policy })!
      expect(told.policy.name).toBe(typeof policy === 'string' ? policy : policy.name)
      expect(told.priority).toBe(priority)
    }
  })
})

describe('policies that see changes', () => {
  it.each(POLICY_NAMES.filter((name) => name !== 'oldest-first' && name !== 'longevity-bound'))(
    'of which %s prefers pages that change',
    async (policy) => {
      const best = (await index.refresh.next({ budget: 6, at: START_MS + 60 * DAY_MS, policy })).pages
      expect(best.map(({ key }) => key as number).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5])
    },
  )
})

describe('what is written about policies', () => {
  const text = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')
  const page = text('docs/policies.md')

  it.each(POLICY_CARDS.map((card) => [card.name, card] as const))('has the card of %s', (name, card) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`))
    expect(row).toContain(`| ${card.purpose} |`)
    expect(row).toContain(`| ${card.bytesPerPage} |`)
    const section = page.split(/^### /m).find((part) => part.startsWith(`${name}\n`))
    expect(section).toContain(card.formula)
    if (card.paper !== '-') expect(section).toContain(card.paper)
  })

  it('names no other policy', () => {
    const named = [...page.matchAll(/^### (.+)$/gm)].map(([, name]) => name)
    expect(named).toEqual(POLICY_NAMES)
  })

  it('says in each file what the card says', () => {
    // What all policies share lies beside them.
    const shared = ['policy.ts', 'policy-options.ts', 'registry.ts', 'with-signals.ts']
    const files = readdirSync(new URL('../../src/refresh/policies', import.meta.url))
    expect(files.filter((file) => !shared.includes(file)).sort()).toEqual(
      POLICY_NAMES.map((name) => `${name}.ts`).sort(),
    )
    for (const { name, bytesPerPage } of POLICY_CARDS)
      expect([name, /State: (\d+) bytes/.exec(text(`src/refresh/policies/${name}.ts`))?.[1]]).toEqual([
        name,
        String(bytesPerPage),
      ])
  })

  it('is in the API and the command line, too', () => {
    for (const name of POLICY_NAMES) expect([name, text('docs/api.md').includes(`\`'${name}'\``)]).toEqual([name, true])
  })
})
