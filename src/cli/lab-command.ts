import type { Command } from 'commander'
import { addLabEstimateCommand } from './lab-estimate-command.js'
import { addLabForecastCommand } from './lab-forecast-command.js'
import { addLabLongevityCommand } from './lab-longevity-command.js'
import { addLabOverheadCommand } from './lab-overhead-command.js'
import { addLabQualityCommand } from './lab-quality-command.js'
import { addLabScheduleCommand } from './lab-schedule-command.js'

export function addLabCommand(program: Command): void {
  const command = program.command('lab').description('experiments: what policies are worth, on your own history')
  addLabQualityCommand(command)
  addLabForecastCommand(command)
  addLabScheduleCommand(command)
  addLabLongevityCommand(command)
  addLabEstimateCommand(command)
  addLabOverheadCommand(command)
}
