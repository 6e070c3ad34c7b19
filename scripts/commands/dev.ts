import { watchProduct } from '../dev/watchProduct.ts'
import { serveRemote } from '../dev/serveRemote.ts'
import { exitOnError } from '../workspace/runProcess.ts'

const args = process.argv.slice(2)
const after = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined)
const [name] = args.filter((word, index) => !word.startsWith('--') && !args[index - 1]?.startsWith('--'))

await exitOnError(() =>
  name === undefined
    ? watchProduct(args.filter((word) => /^--inspect(?:-brk)?(?:=\S{1,60})?$/.test(word)))
    : serveRemote({
        name,
        host: after('--host'),
        folder: after('--folder'),
        port: Number(after('--port') ?? 0),
      }),
)
