import { Option } from 'commander'
import { DEFAULT_POLICY, POLICY_NAMES } from '../refresh/registry.js'

export function policyOption(): Option {
  return new Option('--policy <name>', 'what makes a document worth a refresh, see freshdex policies')
    .choices(POLICY_NAMES)
    .default(DEFAULT_POLICY)
}
