import type { Preflight } from '../../shared/release/src/commands/command.ts'
import { preflight, getVerdict } from '../../shared/release/src/preflight/preflight.ts'
import { createBrowserTrial } from './browserTrial.ts'

/** Stands before every release that would become live: what `npm run release` asks. */
export const releaseGate: Preflight = ({ store, snapshot, changed, by, isAfresh }) => {
  const names = changed.map(({ name }) => name)
  const judging = { by, trial: createBrowserTrial(store) }
  return isAfresh ? preflight(store, snapshot, names, judging) : getVerdict(store, snapshot, names, judging)
}
