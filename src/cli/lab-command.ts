import type { Command } from 'commander'
import { addLabClustersCommand } from './lab-clusters-command.js'
import { addLabEstimateCommand } from './lab-estimate-command.js'
import { addLabForecastCommand } from './lab-forecast-command.js'
import { addLabFrontierCommand } from './lab-frontier-command.js'
import { addLabLongevityCommand } from './lab-longevity-command.js'
import { addLabOverheadCommand } from './lab-overhead-command.js'
import { addLabQualityCommand } from './lab-quality-command.js'
import { addLabScheduleCommand } from './lab-schedule-command.js'

/** To the command `lab`. */
export function addLabCommands(command: Command): void {
  addLabQualityCommand(command)
  addLabForecastCommand(command)
  addLabFrontierCommand(command)
  addLabScheduleCommand(command)
  addLabLongevityCommand(command)
  addLabClustersCommand(command)
  addLabEstimateCommand(command)
  addLabOverheadCommand(command)
}
