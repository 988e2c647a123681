/** The judge's thread: follows a ledger by its news and answers questions about it, one after another. */
import { parentPort } from 'node:worker_threads'
import { type JudgedPages, LedgerJudge } from './judging.js'
import { MirroredLedger } from './ledger-news.js'
import type { JudgeAnswer, JudgeJob, JudgeQuestion } from './questions.js'

const ledger = new MirroredLedger()
const judge = new LedgerJudge(ledger)
let toldVersion = -1
/** Made anew: what is sent is moved. */
const nothing = (): JudgedPages => ({
  docs: new Uint32Array(),
  priorities: new Float64Array(),
  deltaQualities: new Float64Array(),
  changeChances: new Float64Array(),
})

parentPort?.on('message', ({ id, news, job }: JudgeQuestion) => {
  const told = answer(id, news, job)
  const { docs, priorities, deltaQualities, changeChances } = told.pages ?? nothing()
  // Of a million pages: moved and not copied.
  const buffers = [docs, priorities, deltaQualities, changeChances].map(({ buffer }) => buffer as ArrayBuffer)
  parentPort?.postMessage(told, told.pages === undefined ? [] : buffers)
})

function answer(id: number, news: JudgeQuestion['news'], job: JudgeJob): JudgeAnswer {
  try {
    ledger.take(news)
    const pages = pagesOf(job)
    const { version } = judge.model
    const model = version === toldVersion ? undefined : judge.model.view.gains().data
    toldVersion = version
    return { id, pages, model }
  } catch (failure) {
    return { id, failure }
  }
}

function pagesOf(job: JudgeJob) {
  switch (job.kind) {
    case 'best':
      return judge.best(job.request)
    case 'ranked':
      return judge.ranked(job.docs, job.request)
    case 'all':
      return judge.all(job.request)
    case 'learn':
      judge.model.view.gains()
      return nothing()
  }
}
