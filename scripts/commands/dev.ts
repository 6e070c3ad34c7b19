import { everything } from '../dev/everything.ts'
import { oneRemote } from '../dev/oneRemote.ts'
import { orEnd } from '../stage.ts'

const words = process.argv.slice(2)
const after = (name: string): string | undefined => (words.includes(name) ? words[words.indexOf(name) + 1] : undefined)
const [name] = words.filter((word, index) => !word.startsWith('--') && !words[index - 1]?.startsWith('--'))

await orEnd(() =>
  name === undefined
    ? everything()
    : oneRemote({ name, host: after('--host'), folder: after('--folder'), port: Number(after('--port') ?? 0) }),
)
