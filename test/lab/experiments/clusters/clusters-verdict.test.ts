/** What a report of clusters says first, and from where its pages are. */
import { describe, expect, it } from 'vitest'
import { domainRows } from '../../../../src/lab/experiments/clusters/domains.js'
import type { PolicyRow } from '../../../../src/lab/experiments/clusters/run.js'
import { type ClusterPolicy, OTHER_POLICIES, SAMPLED_POLICIES } from '../../../../src/lab/experiments/clusters/spec.js'
import { clustersVerdict } from '../../../../src/lab/experiments/clusters/verdict.js'

function row(policy: ClusterPolicy, resourceShare: number, changeRatios: readonly number[]): PolicyRow {
  const changeRatio = changeRatios.reduce((sum, ratio) => sum + ratio, 0) / changeRatios.length
  return { ...{ policy, features: 'combined', resourceShare, changeRatio, changeRatios } } as unknown as PolicyRow
}

/** 0.1 for all policies that are not named. */
function rowsAt(share: number, ratios: Partial<Record<ClusterPolicy, readonly number[]>>): PolicyRow[] {
  return [...SAMPLED_POLICIES, ...OTHER_POLICIES, 'oracle' as const].map((policy) =>
    row(policy, share, ratios[policy] ?? (policy === 'oracle' ? [1, 1, 1] : [0.1, 0.1, 0.1])),
  )
}

describe('the verdict of clusters', () => {
  it('names the best by clusters and the best of the others, and says what may be chance', () => {
    const rows = [
      ...rowsAt(0.1, { 'cls-sad': [0.3, 0.31, 0.32], 'cls-gad': [0.2, 0.2, 0.2], rr: [0.2, 0.21, 0.22] }),
      ...rowsAt(0.2, { 'cls-gad': [0.3, 0.1, 0.2], freq: [0.2, 0.3, 0.2] }),
      // By features of one kind alone it is no contender.
      { ...row('cls-nad', 0.1, [0.9, 0.9, 0.9]), features: 'url' as const },
    ]
    // Differences of -0.1, 0.2 and 0: a standard deviation of 0.1528, and t = 4.3027.
    expect(clustersVerdict(rows)).toBe(
      'At R 10% cls-sad finds most changes, a ChangeRatio of 0.310: 0.100 more than rr, the best without clusters ' +
        '(95% interval over the cycles 0.100 to 0.100); cls-gad, as an index weighs, has 0.200. First is freq at R ' +
        '20% (within chance).',
    )
    expect(clustersVerdict(rows.filter(({ resourceShare }) => resourceShare === 0.2))).toBe(
      'At R 20% freq finds most changes, a ChangeRatio of 0.233: 0.033 more than cls-gad, the best by clusters (95% ' +
        'interval over the cycles -0.346 to 0.413, so it may be chance).',
    )
  })

  it('says what it can of one cycle, and nothing of none', () => {
    expect(clustersVerdict(rowsAt(0.1, {}).map((one) => ({ ...one, changeRatios: [0.1] })))).toContain(
      '(of one cycle, ',
    )
    expect(clustersVerdict([])).toBeUndefined()
  })
})

describe('Table 1', () => {
  it('counts pages, hosts and sites by top-level domain, most pages first', () => {
    const urls = [
      'https://a.com/x/1',
      'https://a.com/y/2',
      'https://b.com/3',
      'https://c.edu/4',
      '/five',
      'http://10.0.0.1/',
    ]
    const sites = ['a.com/x', 'a.com/y', 'b.com', 'c.edu', '', '10.0.0.1']
    expect(domainRows(urls, sites)).toEqual([
      { domain: 'com', hosts: 2, sites: 3, pages: 3, share: 0.5 },
      { domain: '', hosts: 2, sites: 2, pages: 2, share: 1 / 3 },
      { domain: 'edu', hosts: 1, sites: 1, pages: 1, share: 1 / 6 },
    ])
    expect(domainRows([], [])).toEqual([])
  })
})
