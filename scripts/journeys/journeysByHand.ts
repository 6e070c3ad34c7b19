import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exitOnError } from '../workspace/runProcess.ts'
import { prepareJourneys, type PreparedJourneys } from './prepareJourneys.ts'

/** What `e2e/support/startByHand.ts` is told: the variables of the journeys. */
export type JourneyVariables = PreparedJourneys['environment']

/** Prepares journeys for a Playwright that somebody started, and takes everything away when that one ends. */
const folder = mkdtempSync(join(tmpdir(), 'dmp-secrets-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
// The terminal tells both; Playwright ends its own work first.
process.on('SIGINT', () => undefined)
await exitOnError(async () => {
  const left = new Promise<void>((resolve) => process.once('disconnect', () => resolve()))
  const { environment, server } = await prepareJourneys(folder)
  process.send?.(environment satisfies JourneyVariables)
  await left
  await server?.stop()
})
