import { watchProduct } from '../dev/watchProduct.ts'
import { serveRemoteSources } from '../dev/serveRemoteSources.ts'
import { exitOnError } from '../workspace/runProcess.ts'

const words = process.argv.slice(2)
const after = (name: string): string | undefined => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
const [name] = words.filter((word, index) => !word.startsWith('--') && !words[index - 1]?.startsWith('--'))

await exitOnError(() =>
  name === undefined
    ? watchProduct()
    : serveRemoteSources({
        name,
        host: after('--host'),
        folder: after('--folder'),
        port: Number(after('--port') ?? 0),
      }),
)
