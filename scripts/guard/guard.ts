import type { Trial } from '../../shared/release/src/commands/command.ts'
import { judge, verdictOn } from '../../shared/release/src/judge.ts'
import { trialFrom } from './trial.ts'

/** Stands before every release that would become live: what `npm run release` asks. */
export const guard: Trial = ({ store, snapshot, changed, by, isAfresh }) => {
  const names = changed.map(({ name }) => name)
  const judging = { by, trial: trialFrom(store) }
  return isAfresh ? judge(store, snapshot, names, judging) : verdictOn(store, snapshot, names, judging)
}
