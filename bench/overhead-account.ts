/** The parts that `report.overhead` tells of a write, added up. */
import type { Freshdex } from 'freshdex'
import type { Page } from './snapshot-data.js'

/** CPU, in microseconds. */
export interface AccountUs {
  readonly indexUs: number
  readonly measureUs: number
  readonly fitUs: number
  readonly ledgerUs: number
}

type Overhead = Awaited<ReturnType<Freshdex<Page>['write']>>['overhead']

const PARTS = ['indexUs', 'measureUs', 'fitUs', 'ledgerUs'] as const

export class AccountSum {
  readonly #sums = { indexUs: 0, measureUs: 0, fitUs: 0, ledgerUs: 0 }

  add(overhead: Overhead): void {
    for (const part of PARTS) this.#sums[part] += overhead[part]
  }

  get sums(): AccountUs {
    return { ...this.#sums }
  }
}
