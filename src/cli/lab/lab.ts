import type { CommandGroup } from '../command.js'

export const lab: CommandGroup = {
  name: 'lab',
  summary: 'experiments: what policies are worth, on your own history',
  commands: {
    quality: async () => (await import('./quality.js')).labQuality,
    forecast: async () => (await import('./forecast.js')).labForecast,
    frontier: async () => (await import('./frontier.js')).labFrontier,
    schedule: async () => (await import('./schedule.js')).labSchedule,
    longevity: async () => (await import('./longevity.js')).labLongevity,
    clusters: async () => (await import('./clusters.js')).labClusters,
    estimate: async () => (await import('./estimate.js')).labEstimate,
    overhead: async () => (await import('./overhead.js')).labOverhead,
  },
}
