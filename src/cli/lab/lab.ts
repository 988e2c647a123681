import type { Command } from 'commander'

/** In the order of the help. As in freshdex.ts, only the one is loaded that is asked for. */
const EXPERIMENTS: Readonly<Record<string, () => Promise<(lab: Command) => void>>> = {
  quality: async () => (await import('./quality.js')).addLabQualityCommand,
  forecast: async () => (await import('./forecast.js')).addLabForecastCommand,
  frontier: async () => (await import('./frontier.js')).addLabFrontierCommand,
  schedule: async () => (await import('./schedule.js')).addLabScheduleCommand,
  longevity: async () => (await import('./longevity.js')).addLabLongevityCommand,
  clusters: async () => (await import('./clusters.js')).addLabClustersCommand,
  estimate: async () => (await import('./estimate.js')).addLabEstimateCommand,
  overhead: async () => (await import('./overhead.js')).addLabOverheadCommand,
}

/** `asked`: the name of an experiment; any other word loads all. */
export async function addLabCommand(program: Command, asked: string): Promise<void> {
  const command = program.command('lab').description('experiments: what policies are worth, on your own history')
  const wanted = Object.hasOwn(EXPERIMENTS, asked) ? [EXPERIMENTS[asked]!] : Object.values(EXPERIMENTS)
  for (const add of await Promise.all(wanted.map((load) => load()))) add(command)
}
