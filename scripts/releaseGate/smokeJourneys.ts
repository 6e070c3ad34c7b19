import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspectDeployment } from '../../e2e/support/inspect.ts'
import { findBrowser, playwright } from '../journeys/findBrowser.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import { root } from '../workspace/files.ts'
import { toPicture } from './pictures.ts'
import { toReason } from './toReason.ts'

/** How one smoke journey went. */
export interface JourneyResult {
  /** The parts that it is tagged with. */
  readonly parts: readonly string[]
  readonly title: string
  readonly hasPassed: boolean
  /** It needed a second try. */
  readonly isFlaky: boolean
  /** The failure, in a sentence. */
  readonly reason: string
  readonly seconds: number
  /** The rules of axe that the first screen breaks, with commas; undefined where nobody looked. */
  readonly violations?: string | undefined
  /** The first screen of a part that is tried; JPEG, in base64. */
  readonly firstScreen?: string | undefined
  /** The screen at which it failed. */
  readonly picture?: string | undefined
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly {
    readonly title: string
    readonly tags: readonly string[]
    readonly tests: readonly Test[]
  }[]
}

interface Test {
  readonly annotations?: readonly { readonly type: string; readonly description?: string }[]
  readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
  readonly results: readonly {
    readonly duration: number
    readonly errors: readonly { readonly message?: string }[]
    readonly attachments?: readonly { readonly name: string; readonly path?: string; readonly body?: string }[]
  }[]
}

/**
 * Runs the smoke journeys (`e2e/smoke`) against an address. Nothing is printed.
 *
 * @param report folder for the browser's report, made anew
 * @param tried the parts whose screens axe looks at
 */
export async function runSmokeJourneys(
  address: string,
  report: string,
  tried: readonly string[] = [],
): Promise<JourneyResult[]> {
  rmSync(report, { recursive: true, force: true })
  mkdirSync(report, { recursive: true })
  const results = join(report, 'results.json')
  const deployment = join(report, 'deployment.json')
  // Accounts of another deployment are not those of the demo.
  writeFileSync(deployment, JSON.stringify(await inspectDeployment({ address, env: {} })))
  const { text } = await runProcess(
    node,
    [
      playwright,
      'test',
      '-c',
      'e2e/playwright.config.ts',
      'smoke/',
      '--project=desktop',
      '--retries=1',
      '--reporter=json,html',
      `--output=${join(report, 'traces')}`,
    ],
    {
      isQuiet: true,
      cwd: root,
      env: {
        ...Object.fromEntries(
          Object.keys(process.env)
            .filter((name) => name.startsWith('E2E_'))
            .map((name) => [name, undefined]),
        ),
        BASE_URL: address,
        E2E_TRIED: tried.join(','),
        E2E_DEPLOYMENT: deployment,
        E2E_BROWSER: await findBrowser(),
        PLAYWRIGHT_JSON_OUTPUT_NAME: results,
        PLAYWRIGHT_HTML_OUTPUT_DIR: join(report, 'report'),
        FORCE_COLOR: '0',
      },
    },
  )
  let suites: Suite
  try {
    suites = JSON.parse(readFileSync(results, 'utf8')) as Suite
  } catch {
    throw new Error(
      `The smoke journeys did not run. Their last output:\n${text.trim().split('\n').slice(-15).join('\n')}`,
    )
  }
  const journeys = await toResults(suites)
  if (journeys.length === 0)
    throw new Error(`No smoke journey ran. Their last output:\n${text.trim().split('\n').slice(-15).join('\n')}`)
  return journeys
}

async function toResults({ suites = [], specs = [] }: Suite): Promise<JourneyResult[]> {
  const own = specs.flatMap(({ title, tags, tests }) => tests.map((test) => toResult(title, tags, test)))
  return [...(await Promise.all(own)), ...(await Promise.all(suites.map(toResults))).flat()]
}

async function toResult(
  title: string,
  tags: readonly string[],
  { status, results, annotations = [] }: Test,
): Promise<JourneyResult> {
  const attachments = results.flatMap((result) => result.attachments ?? [])
  const read = async (name: string): Promise<string | undefined> => {
    const path = attachments.findLast((one) => one.name === name)?.path
    return path === undefined ? undefined : toPicture(readFileSync(path))
  }
  return {
    firstScreen: await read('first screen'),
    picture: status === 'unexpected' ? await read('screenshot') : undefined,
    parts: tags.map((tag) => tag.replace(/^@/, '')).filter((tag) => tag === 'host' || tag.startsWith('remote-')),
    title,
    hasPassed: status === 'expected' || status === 'flaky',
    isFlaky: status === 'flaky',
    reason:
      status === 'skipped'
        ? (annotations.findLast(({ type }) => type === 'skip')?.description ?? 'it did not run')
        : toReason(results.flatMap(({ errors }) => errors.map(({ message }) => message ?? ''))),
    violations: annotations.findLast(({ type }) => type === 'axe')?.description,
    seconds: Math.round(results.reduce((sum, { duration }) => sum + duration, 0) / 100) / 10,
  }
}
