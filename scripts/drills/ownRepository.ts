import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
import { createPlainRemote } from './plainRemote.ts'
import { openPlatform } from './platform.ts'
import type { TestTotals } from '../workspace/testTotals.ts'

const part = 'remote-report'
const plainPart = 'remote-plain'

/** A command of the team, in its repository, with what it has there. */
type Run = (...words: string[]) => Promise<ProcessResult>

/**
 * A team of another company follows docs/own-repository.md, with packed packages, an API token for its part, and
 * nothing else: no access to this repository nor to the store. It installs, checks and publishes over the API; it
 * cannot make live what the platform did not try; once it did, the part is on everybody's page. With its token ended,
 * the team can do nothing.
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
    const platform = await openPlatform(product.url)
    const token = await platform.makeToken(['publish', 'preview', 'canary', 'activate', 'rollback'], [part, plainPart])
    const runWith = (secrets: Readonly<Record<string, string>>) =>
      createRun(folder, { DMP_RELEASE_TO: product.url, DMP_RELEASE_TOKEN: token.token, ...secrets })
    const run = runWith({})
    expectCode(await run('npm', 'install', '--no-audit', '--no-fund', '--silent'), 0, 'npm install')
    done('The repository is installed from packed packages')

    await checksItself(folder, run)
    await needsAnAddress(runWith)
    done('Declaration, types, tests, build and calls are checked; a wrong type and a call of its own are refused')

    const store = { store: product.store.location, by: 'the platform', preflight: releaseGate }
    const releaseId = await publishSigned(runWith, (publicKey) =>
      release(['key', 'add', part, '--name', 'ci', '--public', publicKey], store),
    )
    done('The platform registered a key: what it did not sign is refused, what it signed is there')

    const change = ['preview', '--release', releaseId, '--change', 'pr-1', '--summary']
    const shown = expectCode(await run('npm', 'run', '--silent', 'release', '--', ...change), 0, 'preview')
    if (!shown.text.includes(`[Open the preview](${product.url}/report?dmp-preview=${part}.`))
      throw new Error(`The summary does not give the address: ${shown.text}`)
    done('Its change stands at one address, beside what is live')

    const early = await run('npm', 'run', '--silent', 'release', '--', 'activate', '--release', releaseId)
    expectCode(early, 3, 'activate before the trial')
    if (!early.text.includes(`check ${part} --release ${releaseId}`))
      throw new Error(`The refusal does not say what to do: ${early.text}`)
    done('What the platform did not try cannot go live')

    const code = await release(['check', part, '--release', releaseId], store)
    if (code !== 0) throw new Error(`The platform refuses ${part} ${releaseId}.`)
    done('The platform tried it in a browser, beside what is live')

    expectCode(await run('npm', 'run', '--silent', 'release', '--', 'activate', '--release', releaseId), 0, 'activate')
    await isOnThePage(product.url, releaseId)
    const registry = await readRegistry(product.store)
    const live = registry && listReleaseRefs(await readSnapshot(product.store, registry.live))
    if (!live?.some((ref) => ref.name === part && ref.releaseId === releaseId)) throw new Error(`${part} is not live.`)
    expectCode(await run('npm', 'run', '--silent', 'release', '--', 'status'), 0, 'status')
    done('The team made it live')

    await publishesPlain(folder, run)
    done('A remote of plain Module Federation came by its manifest; only its trial and its weight stand in the way')

    await platform.endToken(token.id)
    const ended = await run('npm', 'run', '--silent', 'release', '--', 'rollback', '--reason', 'too late')
    expectCode(ended, 3, 'rollback with an ended token')
    done('With its token ended, the team can do nothing any more')
    for (const step of steps) console.log(`  ${step}`)
    return { passed: steps.length, failed: 0 }
  } finally {
    await product.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The team has its own folder, Node and npm, and these variables; no other of ours. */
function createRun(folder: string, variables: Readonly<Record<string, string>>): Run {
  const env = Object.fromEntries(
    Object.keys(process.env)
      .filter((name) => /^(?:DMP_|TEST_)/.test(name))
      .map((name) => [name, undefined]),
  )
  return (command = '', ...words) =>
    runProcess(command, words, {
      cwd: folder,
      isQuiet: true,
      env: { ...env, ...variables, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
    })
}

/** From the first key, which the platform's team registers, to a signed release. */
async function publishSigned(
  runWith: (secrets: Readonly<Record<string, string>>) => Run,
  register: (publicKey: string) => Promise<number>,
): Promise<string> {
  const run = runWith({})
  const command = (by: Run, ...words: string[]) => by('npm', 'run', '--silent', 'release', '--', ...words)
  const made = expectCode(await command(run, 'key', 'new', '--json'), 0, 'key new')
  const { privateKey, publicKey } = JSON.parse(made.text) as { privateKey: string; publicKey: string }
  if ((await register(publicKey)) !== 0) throw new Error('The key could not be registered.')

  const unsigned = expectCode(await command(run, 'publish', '--json'), 0, 'publish without the key')
  const { releaseId } = (JSON.parse(unsigned.text) as { release: { releaseId: string } }).release
  const refused = expectCode(
    await command(run, 'activate', '--release', releaseId),
    3,
    'activate of what is not signed',
  )
  if (!refused.text.includes('is not signed by a key')) throw new Error(`It was refused for ${refused.text}`)

  const inCi = runWith({ DMP_RELEASE_KEY: privateKey })
  const signed = expectCode(await command(inCi, 'publish', '--json'), 0, 'publish with the key')
  const { judged } = JSON.parse(signed.text) as { judged: { findings: { check: string; passed: boolean }[] } }
  const open = judged.findings.filter(({ passed }) => !passed).map(({ check }) => check)
  if (open.join() !== `journey ${part}`) throw new Error(`Besides the trial stands in the way: ${open.join(', ')}.`)
  return releaseId
}

/** What nothing of ours built is published by its folder, and judged like any other. */
async function publishesPlain(folder: string, run: Run): Promise<void> {
  writeFiles(folder, createPlainRemote(plainPart, 'plain'))
  expectCode(await run(node, 'plain/build.mjs'), 0, 'the build of plain Module Federation')
  const words = ['publish', plainPart, '--from', 'plain/dist', '--json']
  const { text } = expectCode(await run('npm', 'run', '--silent', 'release', '--', ...words), 0, 'publish --from')
  const { judged } = JSON.parse(text) as { judged: { findings: { check: string; passed: boolean }[] } }
  const open = judged.findings.filter(({ passed }) => !passed).map(({ check }) => check)
  if (open.some((check) => check !== 'budget' && check !== `journey ${plainPart}`))
    throw new Error(`Of plain Module Federation stands in the way: ${open.join(', ')}.`)
}

/** With a style of its own it passes; what would fail on people's pages does not. */
async function checksItself(folder: string, run: Run): Promise<void> {
  writeFiles(folder, {
    'src/list/list.css': '.report-list { margin: 0 }\n',
    'src/styles.ts': "import './list/list.css'\n",
  })
  expectCode(await run('npm', 'run', '--silent', 'check', '--', '--json'), 0, 'npm run check')
  await refusesOwnCall(folder, run)
  await refusesWrongTypes(folder, run)
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

/** A call that the contract does not have could not be compared with the server. */
async function refusesOwnCall(folder: string, run: Run): Promise<void> {
  const [file, index] = [join(folder, 'src/ownCall.ts'), join(folder, 'src/index.ts')]
  const before = readFileSync(index, 'utf8')
  const call = "{ method: 'GET', path: '/Report/list', summary: 'Reports.', needs: 'session' }"
  writeFileSync(file, `import { endpoint } from '@dmp/contract/endpoint'\n\nexport const list = endpoint(${call})\n`)
  writeFileSync(index, `${before}export { list } from './ownCall.ts'\n`)
  const { text } = expectCode(await run('npm', 'run', '--silent', 'build'), 1, 'build of a call of its own')
  rmSync(file)
  writeFileSync(index, before)
  if (!text.includes('src/ownCall.ts makes a call of its own')) throw new Error(`It was refused for ${text}`)
}

/** A variable that is empty in CI is no delivery. */
async function needsAnAddress(runWith: (secrets: Readonly<Record<string, string>>) => Run): Promise<void> {
  const publish = ['npm', 'run', '--silent', 'release', '--', 'publish']
  const { text } = expectCode(await runWith({ DMP_RELEASE_TO: '' })(...publish), 2, 'publish without an address')
  if (!text.includes('Name the deployment: DMP_RELEASE_TO')) throw new Error(`It was refused for ${text}`)
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
