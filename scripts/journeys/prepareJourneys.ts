import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspectDeployment } from '../../e2e/support/inspect.ts'
import type { Deployment } from '../../e2e/support/deployment.ts'
import { requestOverrides } from './composition.ts'
import { startDemoServer, type DemoServer } from './demoServer.ts'
import { findBrowser } from './findBrowser.ts'
import { formatPart } from './runRecord.ts'
import { prepareVideoRecorder } from './videoRecorder.ts'

/**
 * Journeys may be repeated twenty times within an hour, from one address: no real user registers that often. Those of
 * transfers would wait a minute each.
 */
const relaxedRateLimits = { DMP_LIMIT_FACTOR: '20', DMP_TRANSFER_DELAY_SECONDS: '0' }

export interface JourneyOptions {
  /** The cookie that gives every browser of the run other releases, instead of that of E2E_COMPOSITION. */
  readonly overrides?: string | undefined
  readonly isMonitor?: boolean
}

/** All that journeys need: a browser, a deployment, and what is known about it. */
export interface PreparedJourneys {
  readonly address: string
  readonly deployment: Deployment
  /** The demo of this run; undefined where BASE_URL names a deployment. */
  readonly server: DemoServer | undefined
  readonly environment: Record<string, string>
  /** Where the run is recorded. */
  readonly runFile: string
  readonly secretsFile: string
}

/** @param folder of this run alone, which whoever made it removes */
export async function prepareJourneys(
  folder: string,
  { overrides: trial, isMonitor = false }: JourneyOptions = {},
): Promise<PreparedJourneys> {
  const secretsFile = writeSecretsFile(folder)
  const browser = await findBrowser()
  const recorder = process.env.E2E_VIDEO === '1' ? await prepareVideoRecorder(folder) : undefined
  const server = process.env.BASE_URL ? undefined : await startDemoServer(relaxedRateLimits)
  try {
    const [address, isOwnDemo] = [process.env.BASE_URL ?? server?.url ?? '', server !== undefined]
    const overrides = trial ?? (await requestOverrides(address, process.env.E2E_COMPOSITION))
    const deployment = await inspectDeployment({ address, cookie: overrides })
    const [deploymentFile, runFile] = [join(folder, 'deployment.json'), join(folder, 'run.json')]
    writeFileSync(deploymentFile, JSON.stringify(deployment), { mode: 0o600 })
    const versions = deployment.parts.map(formatPart).join(', ')
    const environment = toJourneyEnvironment({
      address,
      browser,
      versions,
      overrides,
      secretsFile,
      recorder,
      deploymentFile,
      runFile,
      isOwnDemo,
      isMonitor,
    })
    return { address, deployment, server, environment, runFile, secretsFile }
  } catch (error) {
    await server?.stop()
    throw error
  }
}

/** Journeys add what they type and get to it. */
function writeSecretsFile(folder: string): string {
  const file = join(folder, 'secrets')
  writeFileSync(file, 'DemoPassw0rd!\n', { mode: 0o600 })
  return file
}

interface JourneySetup {
  readonly address: string
  readonly browser: string
  readonly versions: string
  readonly overrides: string
  readonly secretsFile: string
  /** What the journeys know about the deployment. */
  readonly deploymentFile: string
  /** Where the run is recorded. */
  readonly runFile: string
  readonly isOwnDemo: boolean
  readonly isMonitor?: boolean
  /** Undefined: no videos are recorded. */
  readonly recorder: Readonly<Record<string, string>> | undefined
}

/** The variables that Playwright's configuration and the journeys read. */
export function toJourneyEnvironment(setup: JourneySetup): Record<string, string> {
  return {
    ...setup.recorder,
    E2E_VIDEO: setup.recorder ? '1' : '0',
    BASE_URL: setup.address,
    E2E_BROWSER: setup.browser,
    E2E_VERSIONS: setup.versions,
    E2E_OVERRIDES: setup.overrides,
    E2E_SECRETS: setup.secretsFile,
    E2E_DEPLOYMENT: setup.deploymentFile,
    E2E_RUN: setup.runFile,
    E2E_MONITOR: setup.isMonitor ? '1' : '0',
    E2E_RECEIVER: setup.isOwnDemo ? '1' : (process.env.E2E_RECEIVER ?? '0'),
    FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
  }
}
