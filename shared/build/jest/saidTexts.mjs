import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isForPeople } from '@dmp/build/shownTexts'
import { letTextsSayThemselves } from '@dmp/build/textsLoader'

const require = createRequire(import.meta.url)
const swc = require(require.resolve('@swc/jest', { paths: [process.cwd(), import.meta.dirname] }))

const sources = ['findMessages', 'jsxText', 'shownTexts', 'syntaxTree', 'textsLoader']
  .map((name) => readFileSync(require.resolve(`@dmp/build/${name}`), 'utf8'))
  .join('')

/** SWC after the build's own step, by which texts say themselves: a screen test knows which of them were said. */
export default {
  createTransformer(options) {
    const inner = swc.createTransformer(options)
    // What a test draws of its own is said by it, and not what it expects.
    const prepare = (source, file) =>
      /\.tsx?$/.test(file) ? letTextsSayThemselves(file, source, { elementsOnly: !isForPeople(file) }).source : source
    return {
      ...inner,
      process: (source, file, ...rest) => inner.process(prepare(source, file), file, ...rest),
      processAsync: (source, file, ...rest) => inner.processAsync(prepare(source, file), file, ...rest),
      getCacheKey: (source, file, ...rest) =>
        createHash('sha1')
          .update(inner.getCacheKey(source, file, ...rest))
          .update(sources)
          .digest('hex'),
    }
  },
}
