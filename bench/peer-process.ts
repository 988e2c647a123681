/** Runs the program of a peer with a task. */
import { spawnSync } from 'node:child_process'
import type { AnswerReport, BuildReport, PeerTask, WriteReport } from './peer-contract.js'
import type { Command } from './peer-programs.js'

/** No peer may hold up all others. */
const LONGEST_MS = 30 * 60_000

export function runPeer(command: Command, task: Extract<PeerTask, { step: 'build' }>): BuildReport
export function runPeer(command: Command, task: Extract<PeerTask, { step: 'prepare' }>): object
export function runPeer(command: Command, task: Extract<PeerTask, { step: 'write' }>): WriteReport
export function runPeer(command: Command, task: Extract<PeerTask, { step: 'ask' }>): AnswerReport
export function runPeer([program, ...args]: Command, task: PeerTask): object {
  const { status, signal, error, stdout, stderr } = spawnSync(program, [...args, JSON.stringify(task)], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    timeout: LONGEST_MS,
  })
  if (error !== undefined) throw error
  if (status !== 0) throw new Error(`${args.at(-1) ?? program} ended with ${signal ?? `status ${status}`}: ${stderr}`)
  return JSON.parse(stdout) as object
}
