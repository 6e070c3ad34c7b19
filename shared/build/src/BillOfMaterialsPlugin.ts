import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import webpack from 'webpack'

/** The file beside a build; it is stored with the release and served to nobody. */
export const billOfMaterials = 'sbom.cdx.json'

interface Package {
  readonly name: string
  readonly version: string
  readonly license?: unknown
}

/** What CycloneDX 1.6 calls a component, as far as a bundle knows it. */
interface Component {
  readonly type: 'library'
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl: string
  readonly licenses?: readonly object[]
}

/**
 * Writes `sbom.cdx.json`: the packages whose code is in the bundle. These are fewer than a `package.json` asks for, and
 * what a remote takes from the host is in the host's list. Equal builds write equal bytes.
 */
export class BillOfMaterialsPlugin {
  readonly #packages = new Map<string, Package | undefined>()

  apply(compiler: webpack.Compiler): void {
    compiler.hooks.thisCompilation.tap('BillOfMaterials', (compilation) => {
      compilation.hooks.processAssets.tap(
        { name: 'BillOfMaterials', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_REPORT },
        () => {
          const text = `${JSON.stringify(this.#createBill(compilation, compiler.context), null, 1)}\n`
          compilation.emitAsset(billOfMaterials, new webpack.sources.RawSource(text))
        },
      )
    })
  }

  #createBill(compilation: webpack.Compilation, folder: string): object {
    const own = this.#findPackage(folder)
    const files = [...compilation.modules].flatMap((module) =>
      compilation.chunkGraph.getNumberOfModuleChunks(module) > 0 ? listFiles(module) : [],
    )
    const packages = [...new Set(files.map((file) => this.#findPackage(path.dirname(file))))]
      .filter((found) => found !== undefined && found !== own)
      .map((found) => toComponent(found as Package))
    const components = new Map(packages.map((component) => [component.purl, component]))
    return {
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      version: 1,
      metadata: {
        lifecycles: [{ phase: 'build' }],
        tools: { components: [{ type: 'application', name: 'webpack', version: webpack.version }] },
        ...(own && { component: { ...toComponent(own), type: 'application' } }),
      },
      components: [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1)),
    }
  }

  /** The package that a folder belongs to. Files inside it that only name a kind of module have no version. */
  #findPackage(folder: string): Package | undefined {
    if (this.#packages.has(folder)) return this.#packages.get(folder)
    const file = path.join(folder, 'package.json')
    const parsed = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Package>) : {}
    const above = path.dirname(folder)
    // Directly in node_modules lies only what tools write there.
    const isEnd = above === folder || path.basename(folder) === 'node_modules'
    const found =
      parsed.name !== undefined && parsed.version !== undefined
        ? (parsed as Package)
        : isEnd
          ? undefined
          : this.#findPackage(above)
    this.#packages.set(folder, found)
    return found
  }
}

/** The files of a module; one that webpack joined has those of its parts. */
function listFiles(module: webpack.Module): string[] {
  const { modules } = module as { modules?: Iterable<webpack.Module> }
  const file = module.nameForCondition()
  return [
    ...(file !== null && file !== undefined && path.isAbsolute(file) ? [file] : []),
    ...[...(modules ?? [])].flatMap(listFiles),
  ]
}

function toComponent({ name, version, license }: Package): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    ...(typeof license === 'string' && { licenses: [toLicense(license)] }),
  }
}

const toLicense = (license: string): object =>
  / (?:AND|OR|WITH) /.test(license)
    ? { expression: license }
    : { license: /^[\w.+-]+$/.test(license) && license !== 'UNLICENSED' ? { id: license } : { name: license } }
