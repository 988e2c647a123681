/** The table `judgements`: what the last judgement said of documents. The view `refresh_priorities` shows it. */
import type { Database } from 'better-sqlite3'
import type { JudgementRows } from '../refresh/choose/judgements.js'

/** Writes within a transaction of the caller. */
export function prepareJudgementWriter(db: Database): (rows: JudgementRows) => void {
  const put = db.prepare(`INSERT OR REPLACE INTO judgements
    (doc, priority, expected_gain, current_probability, judged_ms) VALUES (?, ?, ?, ?, ?)`)
  return ({ docs, priorities, expectedGains, currentProbabilities, judgedMs }) => {
    docs.forEach((doc, row) => {
      put.run(doc, priorities[row], expectedGains[row], currentProbabilities[row], judgedMs)
    })
  }
}
