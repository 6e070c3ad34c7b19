import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser, playwright } from './findBrowser.ts'
import { describeComposition, requestOverrides } from './composition.ts'
import { parsePlaywrightTotals, type TestTotals } from '../workspace/testTotals.ts'
import { namesInLog, listDemoPatients } from '../logs/namesInLog.ts'
import { compressPictures } from './compressPictures.ts'
import { startDemoServer, type DemoServer } from './demoServer.ts'
import { prepareVideoRecorder } from './videoRecorder.ts'
import { secretsInLog } from '../logs/secretsInLog.ts'
import { node, runProcess } from '../workspace/runProcess.ts'

/**
 * Journeys of one address may be repeated twenty times within the hour: as many registrations as that, no person makes.
 */
const patient = { DMP_LIMIT_FACTOR: '20' }

/**
 * Runs the journeys against BASE_URL, else against a product of their own; options go to Playwright (`--grep @smoke`).
 */
export async function runJourneys(options: string[]): Promise<TestTotals> {
  let product: DemoServer | undefined
  const kept = mkdtempSync(join(tmpdir(), 'dmp-secrets-'))
  const secrets = join(kept, 'secrets')
  writeFileSync(secrets, 'DemoPassw0rd!\n', { mode: 0o600 })
  try {
    const browser = await findBrowser()
    const recorder = process.env.E2E_VIDEO === '1' ? await prepareVideoRecorder(kept) : undefined
    product = process.env.BASE_URL ? undefined : await startDemoServer(patient)
    const address = process.env.BASE_URL ?? product?.url ?? ''
    const overrides = await requestOverrides(address, process.env.E2E_COMPOSITION)
    const versions = await describeComposition(address, overrides)
    console.log(`Against ${address}: ${versions}`)
    const began = Date.now()
    const outcome = await runProcess(node, [playwright, 'test', '-c', 'e2e/playwright.config.ts', ...options], {
      env: {
        ...recorder,
        E2E_VIDEO: recorder ? '1' : '0',
        BASE_URL: address,
        E2E_BROWSER: browser,
        E2E_VERSIONS: versions,
        E2E_OVERRIDES: overrides,
        E2E_SECRETS: secrets,
        FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
      },
    })
    if (options.some((option) => option.startsWith('--update-snapshots'))) await compressPictures('e2e/looks', began)
    if (process.env.E2E_PICTURES) await compressPictures(process.env.E2E_PICTURES, began)
    console.log(
      'Report: e2e/playwright-report/index.html · by clause: e2e/playwright-report/clauses.html · JUnit: e2e/test-results/junit.xml',
    )
    const count = parsePlaywrightTotals(outcome)
    const named = product ? namesInLog(product.output(), await listDemoPatients(address)) : []
    if (named.length > 0) console.error(`The server's log names patients:\n${named.slice(0, 10).join('\n')}`)
    const told = product ? secretsInLog(product.output(), readFileSync(secrets, 'utf8').split('\n')) : []
    if (told.length > 0)
      console.error(`The server's log holds passwords, tokens or codes of the run:\n${told.slice(0, 10).join('\n')}`)
    return { ...count, failed: count.failed + (named.length > 0 ? 1 : 0) + (told.length > 0 ? 1 : 0) }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  } finally {
    await product?.stop()
    rmSync(kept, { recursive: true, force: true })
  }
}
