import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { listDemoPatients, namesInLog } from '../logs/namesInLog.ts'
import { secretsInLog } from '../logs/secretsInLog.ts'
import { root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import { parsePlaywrightTotals, type TestTotals } from '../workspace/testTotals.ts'
import { compressPictures } from './compressPictures.ts'
import type { DemoServer } from './demoServer.ts'
import { journeys as suite } from './findBrowser.ts'
import { prepareJourneys, type JourneyOptions } from './prepareJourneys.ts'
import { formatHead, keepRun, listRefusals, readRun, type RunRecord } from './runRecord.ts'
import { judgeSecondTries } from './steadiness.ts'

/** Lines of a log that are printed as examples of what it must not hold. */
const shownLines = 10

export interface RunOptions extends JourneyOptions {
  readonly isQuiet?: boolean
  /** A monitor sees for itself, at its next round, whether a journey is unsteady. */
  readonly isMonitor?: boolean
}

/** The record is absent where the run did not come so far. */
export interface JourneyRun extends TestTotals {
  readonly record?: RunRecord
}

/**
 * Runs the journeys against BASE_URL, else against a demo server of their own; options go to Playwright (`--grep
 * @smoke`).
 */
export async function runJourneys(
  options: readonly string[],
  { isQuiet = false, isMonitor = false, overrides }: RunOptions = {},
): Promise<JourneyRun> {
  let server: DemoServer | undefined
  const folder = mkdtempSync(join(tmpdir(), 'dmp-secrets-'))
  try {
    const prepared = await prepareJourneys(folder, { isMonitor, overrides })
    const { address, deployment, environment, runFile, secretsFile } = prepared
    server = prepared.server
    if (!isQuiet) console.log(formatHead(deployment).join('\n'))
    const startedAt = Date.now()
    const result = await runProcess(node, [...suite, ...options], { env: environment, isQuiet })
    for (const pictures of foldersWithNewPictures(options)) await compressPictures(pictures, startedAt)
    const { passed, failed, flaky, failures: failedJourneys = [] } = parsePlaywrightTotals(result)
    const record = existsSync(runFile) ? readRun(runFile) : undefined
    const judged = await judgeSecondTries(isMonitor ? [] : (record?.journeys ?? []), environment, folder)
    const failures = [
      ...judged.failed,
      ...listRefusals(deployment),
      ...keepRecord(runFile, { isOwnDemo: server !== undefined, isQuiet }),
      ...(server
        ? findLeaks(server.output(), await listDemoPatients(address), readFileSync(secretsFile, 'utf8').split('\n'))
        : []),
    ]
    if (!isQuiet) failures.forEach((failure) => console.error(failure))
    return {
      passed: passed + flaky - judged.failed.length,
      failed: failed + failures.length,
      failures: [...failedJourneys, ...failures],
      unsteady: judged.unsteady,
      ...(record ? { record } : {}),
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    if (!isQuiet) console.error(message)
    return { passed: 0, failed: 1, failures: [message] }
  } finally {
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Keeps the record of the run and says where it is. In a demo of the suite's own everything is there, so that a journey
 * that was left out is a failure; returns one sentence for all of them.
 */
function keepRecord(runFile: string, { isOwnDemo = false, isQuiet = false }): string[] {
  if (!existsSync(runFile)) return []
  const record = readRun(runFile)
  const kept = keepRun(record)
  cpSync(kept, join(root, 'e2e', 'playwright-report', 'run.json'))
  const report = `Report: e2e/playwright-report/index.html · by clause: e2e/playwright-report/clauses.html · JUnit: e2e/test-results/junit.xml · to compare: ${relative(root, kept)}`
  if (!isQuiet) console.log(report)
  const skipped = record.journeys.filter(({ outcome }) => outcome === 'skipped')
  return isOwnDemo && skipped.length > 0
    ? [
        `${skipped.length} journeys were left out, though the demo has everything: ${skipped[0]?.name}: ${skipped[0]?.reason}`,
      ]
    : []
}

/** Where this run wrote pictures that are kept. */
export function foldersWithNewPictures(options: readonly string[]): string[] {
  const isAccepting = options.some((option) => option.startsWith('--update-snapshots'))
  return [...(isAccepting ? ['e2e/looks'] : []), ...(process.env.E2E_PICTURES ? [process.env.E2E_PICTURES] : [])]
}

/** P23: what the server's log must not hold; one message for names of patients and one for secrets. */
export function findLeaks(log: string, patients: readonly string[], secrets: readonly string[]): string[] {
  const toMessage = (about: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`${about}:\n${lines.slice(0, shownLines).join('\n')}`]
  return [
    ...toMessage("The server's log contains patient names", namesInLog(log, patients)),
    ...toMessage("The server's log contains passwords, tokens or codes of the run", secretsInLog(log, secrets)),
  ]
}
