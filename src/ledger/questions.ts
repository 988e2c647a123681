/**
 * How much of what people ask is open, by weight: what no document answers, as of the last fit, and what none did until
 * a refresh brought the answer, of which half is forgotten in a year. Answers that came with new documents do not
 * count: they say nothing of what refreshes may bring.
 */
import { isAmount } from '../base/checks.js'
import { DAY_MS, MAX_TIME_MS } from '../base/time.js'

/** Parts of the workload, by weight, from 0 to 1. */
export interface OpenQuestions {
  /** No document answers it, as of the last fit. */
  readonly unanswered: number
  /** No document answered it until a refresh brought the answer: the part as it counted at `answeredMs`. */
  readonly answered: number
  readonly answeredMs: number
}

const HALF_LIFE_MS = 365 * DAY_MS

export const NO_QUESTIONS: OpenQuestions = { unanswered: 0, answered: 0, answeredMs: 0 }

/** What is open of all that is asked, from 0 to 1. */
export function openShare({ unanswered, answered }: OpenQuestions): number {
  return Math.min(1, unanswered + answered)
}

/** A fit has found this part without an answer. */
export function withUnanswered(questions: OpenQuestions, unanswered: number): OpenQuestions {
  return unanswered === questions.unanswered ? questions : { ...questions, unanswered }
}

/** Refreshes have answered this part, which was without an answer before. */
export function withAnswered(questions: OpenQuestions, atMs: number, part: number): OpenQuestions {
  if (part === 0) return questions
  const { unanswered, answered, answeredMs } = questions
  const left = 2 ** (-Math.max(0, atMs - answeredMs) / HALF_LIFE_MS)
  return {
    unanswered: Math.max(0, unanswered - part),
    answered: Math.min(1, answered * left + part),
    answeredMs: answered === 0 ? atMs : Math.max(atMs, answeredMs),
  }
}

/**
 * Values of the catalog, whatever they are, in the order of OpenQuestions. What makes no sense is as if nothing were
 * known: the next fits and refreshes tell.
 */
export function validQuestions([unanswered, answered, answeredMs]: readonly unknown[]): OpenQuestions {
  const isTime = typeof answeredMs === 'number' && Math.abs(answeredMs) <= MAX_TIME_MS
  return {
    unanswered: isAmount(unanswered, 1) ? unanswered : 0,
    ...(isAmount(answered, 1) && isTime ? { answered, answeredMs } : { answered: 0, answeredMs: 0 }),
  }
}
