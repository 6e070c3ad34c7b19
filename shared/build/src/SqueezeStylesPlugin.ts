import webpack from 'webpack'

const name = 'SqueezeStyles'

/** Takes out of a part's styles what is there for people who read them: pages carry the first ones themselves. */
export class SqueezeStylesPlugin {
  apply(compiler: webpack.Compiler): void {
    compiler.hooks.compilation.tap(name, (compilation) => {
      const stage = webpack.Compilation.PROCESS_ASSETS_STAGE_OPTIMIZE_SIZE
      compilation.hooks.processAssets.tap({ name, stage }, (assets) => {
        for (const [file, source] of Object.entries(assets))
          if (file.endsWith('.css'))
            compilation.updateAsset(file, new webpack.sources.RawSource(squeezeStyles(source.source().toString())))
      })
    })
  }
}

/** The same rules without comments, and without spaces that say nothing. */
export function squeezeStyles(css: string): string {
  let [squeezed, plain] = ['', '']
  for (const { text, isQuoted } of listPieces(css)) {
    if (isQuoted) squeezed += squeeze(plain) + text
    plain = isQuoted ? '' : plain + text
  }
  return (squeezed + squeeze(plain)).trim()
}

/** Texts between quotation marks, and what is between these, without comments. */
function* listPieces(css: string): Generator<{ readonly text: string; readonly isQuoted: boolean }> {
  let from = 0
  for (let at = 0; at < css.length; at += 1) {
    const isComment = css.startsWith('/*', at)
    const isQuoted = css[at] === '"' || css[at] === "'"
    if (!isComment && !isQuoted) continue
    yield { text: css.slice(from, at), isQuoted: false }
    from = isComment ? endOfComment(css, at) : endOfText(css, at)
    if (isQuoted) yield { text: css.slice(at, from), isQuoted }
    at = from - 1
  }
  yield { text: css.slice(from), isQuoted: false }
}

function endOfComment(css: string, at: number): number {
  const end = css.indexOf('*/', at + 2)
  return end < 0 ? css.length : end + 2
}

function endOfText(css: string, at: number): number {
  let end = at + 1
  while (end < css.length && css[end] !== css[at]) end += css[end] === '\\' ? 2 : 1
  return end + 1
}

/** A space before a colon means another element, one after a colon or a bracket of rules nothing. */
const squeeze = (css: string): string =>
  css
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replaceAll(';}', '}')
