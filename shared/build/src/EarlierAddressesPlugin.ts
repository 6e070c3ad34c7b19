import MiniCssExtractPlugin from 'mini-css-extract-plugin'
import webpack from 'webpack'

/**
 * A part's later scripts and styles come from the folder of its release, unless the page knows one of an earlier
 * release in which the file is the same (`host/src/remotes/since.ts`): browsers that were here then have it from there.
 * What else a part does with its addresses stays, such as finding what the page has asked for already.
 */
export class EarlierAddressesPlugin {
  apply(compiler: webpack.Compiler): void {
    const ask = (element: string, attribute: string): string =>
      `if (globalThis.dmpAddressOf) ${element}.${attribute} = globalThis.dmpAddressOf(${element}.${attribute});`
    compiler.hooks.compilation.tap('EarlierAddresses', (compilation) => {
      webpack.runtime.LoadScriptRuntimeModule.getCompilationHooks(compilation).createScript.tap(
        'EarlierAddresses',
        (source) => `${source}\n${ask('script', 'src')}`,
      )
      MiniCssExtractPlugin.getCompilationHooks(compilation).beforeTagInsert.tap(
        'EarlierAddresses',
        (source, { tag }) => `${source}\n${ask(tag, 'href')}`,
      )
    })
  }
}
