/** What the advice of `next` amounts to, or what is missing for a better one and what helps, for people to read. */
import { counted, percent } from '../../base/wording.js'
import type { Advice } from '../refresh-options.js'

interface AdviceFacts extends Pick<Advice, 'basis' | 'learntShare' | 'expectedGain'> {
  readonly pages: number
  /** Whether any page has a stake. */
  readonly hasStakes: boolean
}

export function adviceSentence(facts: AdviceFacts): string {
  if (facts.basis === 'no-history') return 'There are no documents yet: write some, and ask again.'
  return [recovered(facts), missing(facts)].filter((sentence) => sentence !== '').join(' ')
}

function recovered({ pages, expectedGain, basis, learntShare, hasStakes }: AdviceFacts): string {
  if (pages === 0) return 'No page is named: none is asked for, or each must wait or was refreshed lately.'
  if (basis === 'no-queries') return ''
  if (!hasStakes)
    // Queries that have no curve yet may have answers.
    return learntShare < 1 ? '' : 'No page answers what people ask, so pages are named by age and history alone.'
  const verb = pages === 1 ? 'recovers' : 'recover'
  const subject = pages === 1 ? 'This page' : `These ${counted(pages, 'page')}`
  return `${subject} ${verb} ${percent(expectedGain)} of what can be gained now.`
}

function missing({ basis, learntShare }: AdviceFacts): string {
  if (basis === 'no-queries')
    return (
      'No queries are known, so all pages count alike: ' +
      'let people search, or give what they search for to workload.record or workload.load.'
    )
  if (learntShare >= 1) return ''
  return `${percent(1 - learntShare)} of the searches are not taken into account yet: ask again, or set waitMs higher.`
}
