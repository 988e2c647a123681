/** The judge's thread: follows a ledger by its news and answers questions about it, one after another. */
import { parentPort } from 'node:worker_threads'
import type { GainModelData } from '../model/gain-model.js'
import type { JudgedPages } from './judging.js'
import { MirroredLedger } from './ledger-news.js'
import type { JudgeAnswer, JudgeJob, JudgeQuestion, ToldModel } from './questions.js'
import { SteadyJudge } from './steady-judge.js'

/** How long a question may have to wait for a newer view. */
const WORK_MS = 5
/** The same for work that nobody waits for. */
const IDLE_WORK_MS = 2

const ledger = new MirroredLedger()
const judge = new SteadyJudge(ledger)
let told: GainModelData | undefined
let isCatchingUp = false
/** Made anew: what is sent is moved. */
const nothing = (): JudgedPages => ({
  docs: new Uint32Array(),
  priorities: new Float64Array(),
  deltaQualities: new Float64Array(),
  changeChances: new Float64Array(),
})

parentPort?.on('message', (question: JudgeQuestion) => {
  const given = answer(question)
  const { docs, priorities, deltaQualities, changeChances } = given.pages ?? nothing()
  // Of a million pages: moved and not copied.
  const buffers = [docs, priorities, deltaQualities, changeChances].map(({ buffer }) => buffer as ArrayBuffer)
  parentPort?.postMessage(given, given.pages === undefined ? [] : buffers)
  if (!isCatchingUp) setImmediate(catchUp)
  isCatchingUp = true
})

/** Questions come first: they are looked for between two portions. */
function catchUp(): void {
  const endMs = performance.now() + (judge.isBehind ? WORK_MS : IDLE_WORK_MS)
  while (judge.hasWork && performance.now() < endMs) judge.catchUp()
  isCatchingUp = judge.hasWork
  if (isCatchingUp) setImmediate(catchUp)
}

function answer({ id, news, job, kept }: JudgeQuestion): JudgeAnswer {
  try {
    ledger.take(news, () => {
      if (kept !== undefined) judge.takeUp(kept)
    })
    if (job.kind === 'keep') return { id, pages: nothing(), kept: judge.kept() }
    const pages = pagesOf(job)
    return { id, pages, model: newModel() }
  } catch (failure) {
    return { id, failure }
  }
}

/** That of the last answer, unless it is told already. */
function newModel(): ToldModel | undefined {
  const { frozen } = judge.judge.model
  const { data } = frozen.view.gains()
  if (data === told) return undefined
  told = data
  const { totals, openShare, trust } = frozen.parts
  return { data, totals, openShare, trust: trust.rows() }
}

function pagesOf(job: Exclude<JudgeJob, { kind: 'keep' }>) {
  switch (job.kind) {
    case 'best':
      return judge.best(job.request)
    case 'ranked':
      return judge.ranked(job.docs, job.request)
    case 'all':
      return judge.all(job.request)
    case 'learn':
      judge.learn()
      return nothing()
  }
}
