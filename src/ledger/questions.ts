/**
 * How much of what people ask is open, by weight: what no document answers, as of the last fit, and what none did until
 * a refresh brought the answer, of which half is forgotten in a year. Answers that came with new documents do not
 * count: they say nothing of what refreshes may bring.
 */
import { MAX_TIME_MS } from '../base/time.js'

/** How much of what people ask is open, as refreshes may answer it: parts of the workload, by weight, from 0 to 1. */
export interface OpenQuestions {
  /** No document answers it, as of the last fit. */
  readonly unanswered: number
  /** None did until a refresh brought the answer: as it counted at `answeredMs`. */
  readonly answered: number
  readonly answeredMs: number
}

const HALF_LIFE_MS = 365 * 86_400_000

export const NO_QUESTIONS: OpenQuestions = { unanswered: 0, answered: 0, answeredMs: 0 }

/** 0 to 1. */
export function openShare({ unanswered, answered }: OpenQuestions): number {
  return Math.min(1, unanswered + answered)
}

/** A fit has found this part without an answer. */
export function withUnanswered(questions: OpenQuestions, unanswered: number): OpenQuestions {
  return unanswered === questions.unanswered ? questions : { ...questions, unanswered }
}

/** Refreshes have answered this part, which is no more without an answer. */
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
export function soundQuestions([unanswered, answered, answeredMs]: readonly unknown[]): OpenQuestions {
  const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1
  const isTime = typeof answeredMs === 'number' && Math.abs(answeredMs) <= MAX_TIME_MS
  return {
    unanswered: isShare(unanswered) ? unanswered : 0,
    ...(isShare(answered) && isTime ? { answered, answeredMs } : { answered: 0, answeredMs: 0 }),
  }
}
