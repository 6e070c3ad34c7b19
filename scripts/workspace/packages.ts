import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { loadCompiler, pureContract } from '../../shared/build/src/pureContract.ts'
import { root } from './files.ts'
import { node, runProcess } from './runProcess.ts'

/** What a team's own repository is built from, each after those that it needs. */
export const packedPackages = ['contract', 'kit', 'build', 'bucket', 'release', 'command'] as const
type PackageName = (typeof packedPackages)[number]

type Exports = Record<string, string>

/** Of a `package.json` of the workspace, what a published one needs. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly bin?: Readonly<Record<string, string>>
  readonly sideEffects?: boolean | readonly string[]
  readonly exports: Readonly<Exports>
  readonly dependencies?: Readonly<Record<string, string>>
  /** What the tests of a team bring along, beside the kit. */
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, unknown>>
}

const compiler = loadCompiler()

/**
 * Makes a tarball of each package that other repositories install: JavaScript and types in place of TypeScript.
 * Returns the files by package name.
 *
 * @param folder where the tarballs go
 */
export async function packPackages(folder: string): Promise<Map<string, string>> {
  mkdirSync(folder, { recursive: true })
  const work = mkdtempSync(join(tmpdir(), 'dmp-packages-'))
  try {
    await emitTypes(work)
    const files = new Map<string, string>()
    for (const name of packedPackages) {
      const from = join(root, 'shared', name)
      const to = join(work, name)
      const manifest = readManifest(name)
      emitScripts(name, to)
      copyOther(from, to)
      writeFileSync(join(to, 'package.json'), `${JSON.stringify(toPublished(manifest, readVersions()), null, 2)}\n`)
      files.set(manifest.name, await pack(to, folder))
    }
    return files
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

const readManifest = (name: PackageName): Manifest =>
  JSON.parse(readFileSync(join(root, 'shared', name, 'package.json'), 'utf8')) as Manifest

const readVersions = (): Record<string, string> =>
  Object.fromEntries(packedPackages.map(readManifest).map(({ name, version }) => [name, version]))

/** The `package.json` that goes into the tarball: exports of JavaScript and types, versions instead of `workspace:`. */
export function toPublished(manifest: Manifest, versions: Readonly<Record<string, string>>): Record<string, unknown> {
  const {
    name,
    version,
    bin,
    sideEffects,
    exports,
    dependencies = {},
    peerDependencies,
    peerDependenciesMeta,
  } = manifest
  return {
    name,
    version,
    license: 'UNLICENSED',
    type: 'module',
    engines: { node: '>=22' },
    files: ['dist', '*.mjs', 'jest', 'locales', 'tsconfig*.json', 'README.md', 'CHANGELOG.md'],
    ...(sideEffects === undefined ? {} : { sideEffects }),
    ...(bin === undefined ? {} : { bin: mapValues(bin, toScript) }),
    exports: mapValues(exports, toExport),
    dependencies: Object.fromEntries(
      Object.entries(dependencies).map(([dependency, range]) => [
        dependency,
        range.startsWith('workspace:') ? (versions[dependency] ?? range) : range,
      ]),
    ),
    ...(peerDependencies && { peerDependencies, peerDependenciesMeta }),
  }
}

const toScript = (file: string): string => file.replace(/^\.\/src\/(.*)\.tsx?$/, './dist/$1.js')

const toExport = (file: string): unknown =>
  file.startsWith('./src/')
    ? { types: toScript(file).replace(/\.js$/, '.d.ts'), default: toScript(file) }
    : toScript(file)

const mapValues = <T>(record: Readonly<Exports>, map: (value: string) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

/** Sources, without tests and what only tests share. */
const listSources = (name: PackageName): string[] =>
  globSync('**/*.{ts,tsx}', { cwd: join(root, 'shared', name, 'src') }).filter(
    (file) => !/\.(?:test|d)\.tsx?$|InTests\.tsx?$/.test(file) && (name === 'kit' || !file.startsWith('testing/')),
  )

function emitScripts(name: PackageName, to: string): void {
  const folder = join(root, 'shared', name, 'src')
  for (const file of listSources(name)) {
    const { outputText } = compiler.transpileModule(readFileSync(join(folder, file), 'utf8'), {
      fileName: join(folder, file),
      compilerOptions: {
        target: compiler.ScriptTarget.ES2022,
        module: compiler.ModuleKind.ESNext,
        jsx: compiler.JsxEmit.ReactJSX,
        verbatimModuleSyntax: true,
        rewriteRelativeImportExtensions: true,
      },
      // In the workspace the build marks the contract; whoever bundles the package has it marked already.
      ...(name === 'contract' ? { transformers: pureContract() } : {}),
    })
    write(join(to, 'dist', file.replace(/\.tsx?$/, '.js')), outputText)
  }
}

/** Types of all packages in one run, because they know one another. */
async function emitTypes(work: string): Promise<void> {
  const configuration = join(root, '.cache/packages/tsconfig.json')
  const out = join(work, 'types')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: out,
    rootDir: join(root, 'shared'),
    types: ['node', 'jest', '@testing-library/jest-dom'],
  }
  write(
    configuration,
    JSON.stringify({
      extends: join(root, 'tsconfig.web.json'),
      compilerOptions,
      files: [
        join(root, 'shared/kit/src/css.d.ts'),
        ...packedPackages.flatMap((name) => listSources(name).map((file) => join(root, 'shared', name, 'src', file))),
      ],
    }),
  )
  const { code, text } = await runProcess(node, [join(root, 'node_modules/typescript/bin/tsc'), '-p', configuration], {
    isQuiet: true,
  })
  if (code !== 0) throw new Error(`The types of the packages were not made.\n${text}`)
  for (const name of packedPackages)
    for (const file of globSync('**/*.d.ts', { cwd: join(out, name, 'src') }))
      write(join(work, name, 'dist', file), toPublishedTypes(readFileSync(join(out, name, 'src', file), 'utf8')))
}

/** Types name the files beside them by what is published, and no styles. */
export const toPublishedTypes = (text: string): string =>
  text
    .replaceAll(/^import ['"][^'"]+\.css['"];?\n/gm, '')
    .replaceAll(/((?:from |import\()['"]\.{1,2}\/[^'"]+)\.tsx?(['"])/g, '$1.js$2')

/** Styles and plain scripts beside those that were made, and what lies beside `src`. */
function copyOther(from: string, to: string): void {
  for (const file of globSync('**/*.{css,js,json}', { cwd: join(from, 'src') })) {
    mkdirSync(dirname(join(to, 'dist', file)), { recursive: true })
    cpSync(join(from, 'src', file), join(to, 'dist', file))
  }
  for (const name of ['README.md', 'CHANGELOG.md', 'jest-web.mjs', 'jest', 'locales', 'tsconfig.loader.json'])
    if (existsSync(join(from, name))) cpSync(join(from, name), join(to, name), { recursive: true })
  // The loader's compiler wants one file that is there.
  const loader = join(to, 'tsconfig.loader.json')
  if (existsSync(loader)) writeFileSync(loader, readFileSync(loader, 'utf8').replace('src/index.ts', 'dist/index.d.ts'))
}

async function pack(from: string, to: string): Promise<string> {
  const { code, text } = await runProcess(
    process.platform === 'win32' ? 'npm.cmd' : 'npm',
    ['pack', '--silent', '--pack-destination', to],
    { cwd: from, isQuiet: true },
  )
  const file = text.trim().split('\n').at(-1) ?? ''
  if (code !== 0 || !file.endsWith('.tgz')) throw new Error(`${basename(from)} was not packed. ${text.trim()}`)
  return join(to, file)
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
