import { describe, expect, it } from 'vitest'
import { type Candidate, chooseRefreshes } from '../../../src/refresh/choose/next.js'

const HOSTS = ['a', 'a', 'b', 'a', 'c', 'b', 'b']

function* candidates(taken: number[] = []): Generator<Candidate> {
  for (let doc = 0; doc < HOSTS.length; doc++) {
    taken.push(doc)
    yield { doc, priority: 10 - doc }
  }
}

function planned(request: { budget: number; perHost?: number }): number[] {
  const hostOf = (doc: number) => HOSTS[doc] as string
  return chooseRefreshes({ candidates: candidates(), hostOf, ...request }).map(({ doc }) => doc)
}

describe('a plan', () => {
  it.each<[{ budget: number; perHost?: number }, number[]]>([
    [{ budget: 0 }, []],
    [{ budget: 3 }, [0, 1, 2]],
    [{ budget: 99 }, [0, 1, 2, 3, 4, 5, 6]],
    [{ budget: 4, perHost: 1 }, [0, 2, 4]],
    [{ budget: 4, perHost: 2 }, [0, 1, 2, 4]],
    [{ budget: 99, perHost: 2 }, [0, 1, 2, 4, 5]],
  ])('with %j has the pages %j', (request, docs) => {
    expect(planned(request)).toEqual(docs)
  })

  it('takes no more candidates than it needs, and keeps their priorities', () => {
    const taken: number[] = []
    expect(chooseRefreshes({ candidates: candidates(taken), budget: 2 })).toEqual([
      { doc: 0, priority: 10 },
      { doc: 1, priority: 9 },
    ])
    expect(taken).toEqual([0, 1])
    chooseRefreshes({ candidates: candidates(taken), budget: 0 })
    expect(taken).toEqual([0, 1])
  })

  it.each<[{ budget: number; perHost?: number }, string]>([
    [{ budget: -1 }, 'budget must be an integer of at least 0, received -1'],
    [{ budget: 1.5 }, 'budget must be an integer of at least 0, received 1.5'],
    [{ budget: Number.NaN }, 'budget must be'],
    [{ budget: 1, perHost: 0 }, 'perHost must be an integer of at least 1, received 0'],
  ])('with %j is refused', (request, message) => {
    expect(() => planned(request)).toThrow(message)
  })
})
