import path from 'node:path'
import webpack from 'webpack'
import { listLanguages, localesFolder, readCatalogue } from './catalogues.ts'
import { findPackage } from './workspace.ts'
import type { TextsInfo } from './textsLoader.ts'

/**
 * Writes `texts/<language>.json`: what a part says in another language, for the texts that are in its scripts. The host
 * loads it before it runs the part. What has no translation is said in English.
 */
export class TextsPlugin {
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  apply(compiler: webpack.Compiler): void {
    // The same sources are built into several parts, each with a catalogue of its own.
    new webpack.DefinePlugin({ DMP_PART: JSON.stringify(this.#name) }).apply(compiler)
    compiler.hooks.thisCompilation.tap('Texts', (compilation) => {
      compilation.hooks.processAssets.tap(
        { name: 'Texts', stage: webpack.Compilation.PROCESS_ASSETS_STAGE_SUMMARIZE },
        () => {
          const said = listSaid(compilation)
          for (const folder of said.keys()) compilation.contextDependencies.add(localesFolder(folder))
          for (const [language, texts] of translate(said))
            compilation.emitAsset(`texts/${language}.json`, new webpack.sources.RawSource(JSON.stringify(texts)))
        },
      )
    })
  }
}

/** The texts in the scripts of the part, by the folder of the package that says them. */
function listSaid(compilation: webpack.Compilation): Map<string, Set<string>> {
  // Nothing is dropped from what is not minified, and looking through it takes longer than compiling an edit.
  const isMinified = compilation.options.mode === 'production'
  const scripts = compilation
    .getAssets()
    .filter(({ name }) => isMinified && name.endsWith('.js'))
    .map(({ source }) => source.source().toString())
    .join('\n')
  const said = new Map<string, Set<string>>()
  for (const module of listModules(compilation)) {
    const { dmpTexts = [] } = (module.buildInfo ?? {}) as TextsInfo
    const file = (module as webpack.NormalModule).resource
    if (dmpTexts.length === 0) continue
    const folder = findPackage(file)
    const texts = said.get(folder) ?? new Set()
    said.set(folder, texts)
    // Most of the contract is not in a part: the minifier dropped its texts together with the calls.
    const isWhole = !isMinified || path.basename(folder) !== 'contract'
    for (const text of dmpTexts) if (isWhole || scripts.includes(longestPlainRun(text))) texts.add(text)
  }
  return said
}

/** Modules that were put together into one leave the list of the compilation, some of them. */
const listModules = (compilation: webpack.Compilation): readonly webpack.Module[] =>
  [...compilation.modules].flatMap((module) => [
    module,
    ...((module as { readonly modules?: Iterable<webpack.Module> }).modules ?? []),
  ])

function translate(said: ReadonlyMap<string, ReadonlySet<string>>): Map<string, Record<string, string>> {
  const catalogues = new Map<string, Record<string, string>>()
  for (const [folder, texts] of said)
    for (const language of listLanguages(folder)) {
      const known = readCatalogue(folder, language)
      const translated = [...texts].sort().flatMap((text) => (known[text] ? [[text, known[text]] as const] : []))
      catalogues.set(language, { ...Object.fromEntries(translated), ...catalogues.get(language) })
    }
  return catalogues
}

/** A piece of a text that reads the same in a script, however that quotes it. */
function longestPlainRun(text: string): string {
  return text.split(/[^\w .,:;!?()-]/).reduce((longest, run) => (run.length > longest.length ? run : longest), '')
}
