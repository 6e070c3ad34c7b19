import type { Trial } from '../../shared/release/src/commands/command.ts'
import { judge, verdictOn } from '../../shared/release/src/judge.ts'
import { createBrowserTrial } from './browserTrial.ts'

/** Stands before every release that would become live: what `npm run release` asks. */
export const releaseGate: Trial = ({ store, snapshot, changed, by, isAfresh }) => {
  const names = changed.map(({ name }) => name)
  const judging = { by, trial: createBrowserTrial(store) }
  return isAfresh ? judge(store, snapshot, names, judging) : verdictOn(store, snapshot, names, judging)
}
