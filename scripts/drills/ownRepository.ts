import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import {
  listReleaseRefs,
  openFolderStore,
  publishAll,
  readRegistry,
  readSnapshot,
} from '../../shared/release/src/index.ts'
import { release } from '../../shared/release/src/cli.ts'
import { releaseGate } from '../releaseGate/releaseGate.ts'
import { startTemporaryServer } from '../releaseGate/temporaryServer.ts'
import { checkoutStore } from '../workspace/builds.ts'
import { packPackages } from '../workspace/packages.ts'
import { node, runProcess, type ProcessResult } from '../workspace/runProcess.ts'
import { createStandaloneFiles } from '../workspace/standaloneRemote.ts'
import { writeFiles } from '../workspace/files.ts'
import type { TestTotals } from '../workspace/testTotals.ts'

const part = 'remote-report'

/** A command of the team, in its repository, with what it has there. */
type Run = (...words: string[]) => Promise<ProcessResult>

/**
 * A team of another company follows its README, with packed packages and nothing of this repository: install, check,
 * publish; it cannot make live what the platform did not try; once it did, the part is on everybody's page.
 */
export async function ownRepository(): Promise<TestTotals> {
  const composed = await readSnapshot(openFolderStore(checkoutStore), (await publishAll(checkoutStore)).live)
  const folder = mkdtempSync(join(tmpdir(), 'dmp-team-'))
  const product = await startTemporaryServer(openFolderStore(checkoutStore), composed)
  const steps: string[] = []
  const began = performance.now()
  const done = (text: string) => steps.push(`${text} (${Math.round((performance.now() - began) / 1000)} s)`)
  try {
    const packages = await packPackages(join(folder, 'packages'))
    writeFiles(folder, createStandaloneFiles(part, packages))
    const run = createRun(folder, product.store.folder)
    expectCode(await run('npm', 'install', '--no-audit', '--no-fund', '--silent'), 0, 'npm install')
    done('The repository is installed from packed packages')

    expectCode(await run('npm', 'run', '--silent', 'check', '--', '--json'), 0, 'npm run check')
    await refusesWrongTypes(folder, run)
    done('Declaration, types, tests and build are checked, and a wrong type is refused')

    const releaseId = await publishSigned(folder, product.store.folder, run)
    done('The team registered a key: what is not signed by it is refused, what is signed is in the store')

    const early = await run('npm', 'run', '--silent', 'release', '--', 'activate', '--release', releaseId)
    expectCode(early, 3, 'activate before the trial')
    if (!early.text.includes(`check ${part} --release ${releaseId}`))
      throw new Error(`The refusal does not say what to do: ${early.text}`)
    done('What the platform did not try cannot go live')

    const platform = { store: product.store.location, by: 'the platform', preflight: releaseGate }
    const code = await release(['check', part, '--release', releaseId], platform)
    if (code !== 0) throw new Error(`The platform refuses ${part} ${releaseId}.`)
    done('The platform tried it in a browser, beside what is live')

    expectCode(await run('npm', 'run', '--silent', 'release', '--', 'activate', '--release', releaseId), 0, 'activate')
    await isOnThePage(product.url, releaseId)
    const registry = await readRegistry(product.store)
    const live = registry && listReleaseRefs(await readSnapshot(product.store, registry.live))
    if (!live?.some((ref) => ref.name === part && ref.releaseId === releaseId)) throw new Error(`${part} is not live.`)
    expectCode(await run('npm', 'run', '--silent', 'release', '--', 'status'), 0, 'status')
    done('The team made it live')
    for (const step of steps) console.log(`  ${step}`)
    return { passed: steps.length, failed: 0 }
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The team has its own folder, Node and npm, and a place for releases; no variable of ours beside that. */
function createRun(folder: string, store: string, secrets: Readonly<Record<string, string>> = {}): Run {
  const env = Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /^(?:DMP_|TEST_)/.test(name))
      .map((name) => [name, undefined]),
  )
  return (command = '', ...words) =>
    runProcess(command, words, {
      cwd: folder,
      isQuiet: true,
      env: { ...env, ...secrets, DMP_RELEASES: store, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    })
}

/** From the first key to a signed release. */
async function publishSigned(folder: string, store: string, run: Run): Promise<string> {
  const release = (by: Run, ...words: string[]) => by('npm', 'run', '--silent', 'release', '--', ...words)
  const made = expectCode(await release(run, 'key', 'new', '--json'), 0, 'key new')
  const { privateKey, publicKey } = JSON.parse(made.text) as { privateKey: string; publicKey: string }
  expectCode(await release(run, 'key', 'add', '--name', 'ci', '--public', publicKey), 0, 'key add')

  const unsigned = expectCode(await release(run, 'publish', '--json'), 0, 'publish without the key')
  const { releaseId } = (JSON.parse(unsigned.text) as { release: { releaseId: string } }).release
  const refused = expectCode(
    await release(run, 'activate', '--release', releaseId),
    3,
    'activate of what is not signed',
  )
  if (!refused.text.includes('is not signed by a key')) throw new Error(`It was refused for ${refused.text}`)

  const inCi = createRun(folder, store, { DMP_RELEASE_KEY: privateKey })
  const signed = expectCode(await release(inCi, 'publish', '--json'), 0, 'publish with the key')
  const { signature } = JSON.parse(signed.text) as { signature: { key: string | null } }
  if (signature.key !== 'ci') throw new Error(`The release is signed by ${signature.key}.`)
  return releaseId
}

/** Types are part of the check: the build alone would strip them. */
async function refusesWrongTypes(folder: string, run: Run): Promise<void> {
  const file = join(folder, 'src/wrong.ts')
  writeFileSync(file, "export const count: number = 'one'\n")
  const { text } = expectCode(await run('npm', 'run', '--silent', 'check', '--', '--json'), 1, 'check of a wrong type')
  rmSync(file)
  const { steps } = JSON.parse(text) as { steps: { name: string; passed: boolean }[] }
  const failed = steps.filter(({ passed }) => !passed).map(({ name }) => name)
  if (failed.join() !== 'types') throw new Error(`A wrong type was refused by: ${failed.join(', ') || 'nothing'}.`)
}

/** The next page of the deployment names the release. */
async function isOnThePage(url: string, releaseId: string): Promise<void> {
  const page = await (await fetch(`${url}/login`)).text()
  if (!page.includes(releaseId)) throw new Error(`The page does not name ${part} ${releaseId}.`)
}

function expectCode(result: ProcessResult, code: number, what: string): ProcessResult {
  if (result.code !== code) throw new Error(`${what} ended with ${result.code}, not ${code}.\n${result.text}`)
  return result
}
