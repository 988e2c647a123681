/**
 * What refreshes are worth, in ΔQ_A times time, by their utility, stake · E[U(rate, age)]. Utility orders refreshes well but does not tell how much a page loses: one that
 * has changed goes on losing. On our histories what all pages lose together grows in proportion to the age of their copies, while the chance of a change comes
 * near 1 and stays there.
 *
 * A refresh that gains g at age t ends a loss that has grown from 0 to g, in the mean evenly: it is worth t D(t) - ∫ D = g t / 2 (Olston and Pandey, WWW
 * 2008, Eq. 4). What refreshes were worth together, as part of their utilities, is what utility is worth.
 */

/** Before any refresh: of documentation, a change costs a few hundredths of what is at stake. As heavy as this many refreshes. */
const FIRST_PER_UTILITY = 0.02
const FIRST_REFRESHES = 20

export class RefreshWorth {
  #refreshes = 0
  #utility = 0
  #worth = 0

  /** `gain`: ΔQ_A, at least 0. */
  note(utility: number, gain: number, ageMs: number): void {
    this.#refreshes++
    this.#utility += utility
    this.#worth += (gain * ageMs) / 2
  }

  get perUtility(): number {
    if (this.#utility === 0) return FIRST_PER_UTILITY
    const first = (FIRST_REFRESHES * this.#utility) / this.#refreshes
    return (this.#worth + FIRST_PER_UTILITY * first) / (this.#utility + first)
  }
}
