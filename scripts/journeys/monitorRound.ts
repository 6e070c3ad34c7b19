import type { Input, Answer } from '../../shared/contract/src/endpoint.ts'
import type { addRound, judgeRound } from '../../shared/contract/src/releaseRounds.ts'
import { createApi } from '../../e2e/support/api.ts'
import type { JourneyRun, RunOptions } from './runJourneys.ts'
import { titleOf, toRound } from './round.ts'
import type { RunRecord } from './runRecord.ts'
import { chooseJourneys } from './steadiness.ts'

/** Tells a deployment of rounds, by an API token with the scope `monitor`. */
export interface Teller {
  addRound(round: Input<typeof addRound>): Promise<Answer<typeof addRound>>
  judgeRound(judgement: Input<typeof judgeRound>): Promise<Answer<typeof judgeRound>>
}

export function createTeller(address: string, token: string): Teller {
  const call = createApi(address, token)
  return {
    addRound: (round) => call('POST', 'Release/addRound', round),
    judgeRound: (judgement) => call('POST', 'Release/judgeRound', judgement),
  }
}

type Run = (options: readonly string[], more?: Pick<RunOptions, 'overrides'>) => Promise<JourneyRun>

/** How a round went, and what came of it, a line each. */
export interface MonitorRound extends JourneyRun {
  readonly notes: readonly string[]
}

/**
 * One round: the journeys that only read, each that fails once more right away. The deployment is told; where it asks
 * for that, the failed journeys are tried with the release before, at the same time of day and by the same network.
 */
export async function runRound(run: Run, teller: Teller | undefined): Promise<MonitorRound> {
  const round = await run(['--grep', '@smoke', '--retries', '1'])
  if (teller === undefined || round.record === undefined) return { ...round, notes: [] }
  try {
    return { ...round, notes: await tell(run, teller, round.record) }
  } catch (error) {
    return { ...round, notes: [`The deployment could not be told: ${error instanceof Error ? error.message : error}`] }
  }
}

async function tell(run: Run, teller: Teller, record: RunRecord): Promise<string[]> {
  const { id, trials } = await teller.addRound(toRound(record, 'monitor'))
  const notes: string[] = []
  for (const { part, previous, cookie } of trials) {
    const failed = record.journeys.filter(({ outcome, parts }) => outcome === 'failed' && parts?.includes(part))
    const trial = await run([...chooseJourneys(failed), '--retries', '0'], { overrides: cookie })
    // A trial that met another release proves nothing.
    const hasPrevious = trial.record?.parts.some(({ name, releaseId }) => name === part && releaseId === previous)
    const passed = (hasPrevious ? trial.record?.journeys : [])?.filter(({ outcome }) => outcome === 'passed') ?? []
    const { because } = await teller.judgeRound({ id, part, passed: passed.map(titleOf) })
    notes.push(because)
  }
  return notes
}
