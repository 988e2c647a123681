/** All commands of the program, in the order of the help. */
import type { LateCommands } from './command.js'

export const COMMANDS: LateCommands = {
  index: async () => (await import('./commands/index.js')).index,
  search: async () => (await import('./commands/search.js')).search,
  get: async () => (await import('./commands/get.js')).get,
  next: async () => (await import('./commands/next.js')).next,
  plan: async () => (await import('./commands/plan.js')).plan,
  review: async () => (await import('./commands/review.js')).review,
  explain: async () => (await import('./commands/explain.js')).explain,
  observe: async () => (await import('./commands/observe.js')).observe,
  signal: async () => (await import('./commands/signal.js')).signal,
  frontier: async () => (await import('./commands/frontier.js')).frontier,
  policies: async () => (await import('./commands/policies.js')).policies,
  clusters: async () => (await import('./commands/clusters.js')).clusters,
  workload: async () => (await import('./commands/workload.js')).workload,
  schedule: async () => (await import('./commands/schedule.js')).schedule,
  stats: async () => (await import('./commands/stats.js')).stats,
  check: async () => (await import('./commands/check.js')).check,
  compact: async () => (await import('./commands/compact.js')).compact,
  backup: async () => (await import('./commands/backup.js')).backup,
  export: async () => (await import('./commands/export.js')).exportDocuments,
  salvage: async () => (await import('./commands/salvage.js')).salvageIndex,
  import: async () => (await import('./commands/import.js')).imports,
  lab: async () => (await import('./lab/lab.js')).lab,
  completion: async () => (await import('./commands/completion.js')).completionOf(COMMANDS),
  demo: async () => (await import('./commands/demo.js')).demo,
}
