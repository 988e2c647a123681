import { describe, expect, it } from 'vitest'
import { type Contender, verdictSentence, verdicts } from '../../../../src/lab/experiments/quality/verdict.js'

/** Losses by budget; samples are a tenth around them, alike for all. */
function contender(policy: string, losses: readonly (number | null)[], mode: Contender['mode'] = 'online'): Contender {
  const budgets = losses.map((share, at) => ({
    budgetShare: [0.01, 0.1][at]!,
    share,
    bySample: Float64Array.from({ length: 200 }, (_, sample) => (share ?? 0) * (0.9 + sample / 1000)),
  }))
  return { policy, mode, budgets }
}

describe('the verdict', () => {
  it('names who loses least over the budgets, by how much, and where it did not', () => {
    const [verdict] = verdicts([
      contender('ours', [0.4, 0.1]),
      contender('theirs', [0.3, 0.3]),
      contender('oracle', [0, 0]),
    ])
    expect(verdict).toMatchObject({ mode: 'online', winner: 'ours', second: { policy: 'theirs' } })
    expect(verdict!.lossShare).toBeCloseTo(0.2, 12)
    expect(verdict!.second!.ratio).toBeCloseTo(2 / 3, 12)
    // What the samples have in common cancels out.
    for (const end of verdict!.second!.interval!) expect(end).toBeCloseTo(2 / 3, 9)
    expect(verdict!.notAt).toEqual([{ budgetShare: 0.01, policy: 'theirs', isSure: true }])
    expect(verdictSentence(verdict!, 'ours')).toBe(
      'Online, ours, the default, won: over all budgets it leaves 20% of the loss, 0.67 times what theirs leaves ' +
        '(95% interval 0.67 to 0.67); it did not win at 1% (theirs).',
    )
  })

  it('says when it may be chance', () => {
    const other = contender('theirs', [0.21, 0.21])
    const turned = { ...other, budgets: other.budgets.map((one) => ({ ...one, bySample: one.bySample.toReversed() })) }
    const [verdict] = verdicts([contender('ours', [0.2, 0.2]), turned])
    expect(verdictSentence(verdict!, 'theirs')).toMatch(
      /^Online, ours won: .* 0.95 times what theirs, the default, leaves \(95% .*, so it may be chance\); it won/,
    )
  })

  it('says what the default leaves where it is neither first nor second', () => {
    const [verdict] = verdicts([contender('a', [0.1, 0.1]), contender('ours', [0.4, 0.4]), contender('b', [0.2, 0.2])])
    expect(verdictSentence(verdict!, 'ours')).toMatch(/; it won at every budget; ours, the default, leaves 40%\.$/)
  })

  it('is given for each mode, and not where nothing is lost', () => {
    const found = verdicts([
      contender('a', [0.2, 0.1]),
      contender('b', [0.1, 0.1], 'offline'),
      contender('c', [null, null], 'signals'),
    ])
    expect(found.map(({ mode, winner, second }) => [mode, winner, second])).toEqual([
      ['online', 'a', undefined],
      ['offline', 'b', undefined],
    ])
    expect(verdictSentence(found[0]!, 'a')).toContain('Nothing else ran.')
    // A policy that ran at fewer budgets cannot be compared.
    expect(verdicts([contender('a', [0.2, 0.1]), contender('b', [0.01])])[0]!.winner).toBe('a')
  })
})
