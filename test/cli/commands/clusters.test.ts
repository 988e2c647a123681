/** The command clusters. */
import { describe, expect, it } from 'vitest'
import { refused } from '../program.js'
import { newPagesForEach, START } from './refreshed-pages.js'

const pages = newPagesForEach()
const { place } = pages

describe('freshdex clusters', () => {
  it('builds, lists and explains', async () => {
    const never = await place.run('clusters', 'list', pages.name)
    expect(never).toEqual({ status: 0, stdout: 'the documents were never clustered\n', stderr: '' })
    expect((await place.run('clusters', 'explain', pages.name, '/ferry')).stdout).toMatch(/^in no cluster/m)
    const built = await place.run('clusters', 'build', pages.name, '--clusters', '2', '--seed', '3')
    expect(built).toMatchObject({ status: 0, stderr: '' })
    expect(built.stdout).toMatch(/^3 documents in 2 clusters, mean cosine \d\.\d{3}\n$/)
    const options = ['--clusters', '2', '--seed', '3', '--at', '2026-11-01', '--json']
    const report = JSON.parse((await place.run('clusters', 'build', pages.name, ...options)).stdout)
    expect(report).toMatchObject({ at: START, seed: 3, documents: 3, clusters: 2 })
    const listed = JSON.parse((await place.run('clusters', 'list', pages.name, '--json')).stdout)
    expect(listed.last).toEqual(report)
    expect(listed.clusters.map(({ size }: { size: number }) => size)).toEqual([2, 1])
    const { stdout } = await place.run('clusters', 'list', pages.name)
    expect(stdout).toMatch(/^cluster 1 +2 documents, \d refreshed before$/m)
    expect(stdout).toMatch(/^ {2}probability 0\.\d{3} of a change/m)
    const explained = JSON.parse((await place.run('clusters', 'explain', pages.name, '/ferry', '--json')).stdout)
    expect(listed.clusters).toContainEqual(explained.cluster)
    expect((await place.run('clusters', 'explain', pages.name, '/ferry')).stdout).toMatch(/^cluster \d/m)
    const next = ['next', pages.name, '--budget', '3', '--policy', 'cluster-sampling', '--json']
    expect(await place.run(...next)).toMatchObject({ status: 0 })
  })

  it('refuses what it cannot do', async () => {
    expect(await place.run('clusters', 'explain', pages.name, '/nowhere')).toEqual(
      refused('no document has the key "/nowhere"', 1),
    )
    for (const wrong of ['0', '65536', 'many', '1.5'])
      expect(await place.run('clusters', 'build', pages.name, '--clusters', wrong)).toMatchObject({ status: 2 })
    expect(await place.run('clusters', 'build', `${pages.name}-no`)).toMatchObject({ status: 1 })
  })
})
