/** A thread of the lab that squares: what it does with each task is in the task. */
import { setTimeout } from 'node:timers/promises'
import { FreshdexError } from '../../../dist/base/errors.js'
import { answerTasks } from '../../../dist/lab/frame/threads.js'

answerTasks(async ({ offset }, { value: given, act }, tell) => {
  tell(0.5)
  let value = given
  if (act === 'refuse') throw new RangeError(`${value} is refused`)
  if (act === 'damaged') throw new FreshdexError('CORRUPT', `${value} is damaged`)
  if (act === 'end') process.exit(0)
  if (act === 'hang') await setTimeout(1e9)
  // Later tasks are done before earlier ones.
  if (act === 'slow') for (let turn = 0; turn < 2e7; turn++) value += turn % 2 === 0 ? 1 : -1
  return { square: offset + value * value }
})
