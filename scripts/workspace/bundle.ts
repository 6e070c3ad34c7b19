import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pnpm } from '../install.mjs'
import { writeBills } from './billsOfMaterials.ts'
import { buildStale, publishBuilt } from './builds.ts'
import { listFiles, root } from './files.ts'
import { runProcess } from './runProcess.ts'

/** The server, and what it imports of ours. */
const packages = ['server', 'shared/bucket', 'shared/contract', 'shared/dicom', 'shared/dimse', 'shared/release']
/** Some of its rules are imported; its packages are webpack and what goes with it, which no server needs. */
const withoutPackages = ['shared/build']
const manifests = ['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', 'LICENSE']
const ofTests = /\.(?:test|peers)\.ts$|InTests\.ts$|\/(?:testing|peers)\//

/** The files that a server runs from, as paths from the root. */
const listServerFiles = (): string[] => [
  ...manifests,
  ...[...packages, ...withoutPackages].flatMap((folder) => listFiles(folder).filter((file) => !ofTests.test(file))),
]

/**
 * Writes what runs in production, and nothing else, into an empty folder: sources of the server, its packages, the
 * built parts as a release store, and what all of it is made of. Nobody writes to that folder afterwards.
 */
export async function writeBundle(folder: string): Promise<void> {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty. A bundle holds nothing of an earlier one: name another folder.`)
  for (const file of listServerFiles()) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  await installPackages(folder)
  // Where releases are published is a setting, as it is for servers.
  process.env.DMP_RELEASES = join(folder, 'releases')
  await buildStale()
  await publishBuilt()
  await writeBills(join(folder, 'sbom'))
  keepInstalled(join(folder, 'sbom/server.cdx.json'), join(folder, 'node_modules/.pnpm'))
}

async function installPackages(folder: string): Promise<void> {
  const names = packages.map(
    (path) => (JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Named).name,
  )
  const options = ['--prod', '--frozen-lockfile', '--prefer-offline', ...names.flatMap((name) => ['--filter', name])]
  const { code, text } = await runProcess(
    'npx',
    ['--loglevel=error', '--prefer-offline', '-y', pnpm, 'install', ...options],
    {
      cwd: folder,
      isQuiet: true,
    },
  )
  if (code !== 0) throw new Error(`The packages of the server could not be installed: ${text.trim().slice(-600)}`)
}

interface Named {
  readonly name: string
}

interface Component {
  readonly 'bom-ref': string
  readonly group?: string
  readonly name: string
  readonly version?: string
}

interface Bill {
  readonly components: readonly Component[]
  readonly dependencies?: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[]
}

/** Takes out of a list what `shared/build` would bring, and the bundle does not have. */
function keepInstalled(file: string, installedIn: string): void {
  const installed = readdirSync(installedIn)
  const isThere = ({ group, name, version }: Component): boolean => {
    if (group === '@dmp') return true
    const folder = `${group === undefined ? '' : `${group}+`}${name}@${version}`
    return installed.some((each) => each === folder || each.startsWith(`${folder}_`))
  }
  const bill = JSON.parse(readFileSync(file, 'utf8')) as Bill
  const gone = new Set(bill.components.filter((each) => !isThere(each)).map((each) => each['bom-ref']))
  const components = bill.components.filter((each) => !gone.has(each['bom-ref']))
  const dependencies = bill.dependencies
    ?.filter(({ ref }) => !gone.has(ref))
    .map((each) => ({ ...each, ...(each.dependsOn && { dependsOn: each.dependsOn.filter((ref) => !gone.has(ref)) }) }))
  writeFileSync(file, `${JSON.stringify({ ...bill, components, dependencies }, null, 2)}\n`)
}
