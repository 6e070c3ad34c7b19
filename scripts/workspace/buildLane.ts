import { build } from '../../shared/build/src/build.ts'
import { openFolderStore, publishParts } from '../../shared/release/src/index.ts'
import type { LaneReport } from './buildInLanes.ts'

const [folder = '', commit = ''] = process.argv.slice(2)
const report = (words: LaneReport): boolean => process.send?.(words) ?? false
/** The next part is built while the last one is compressed. */
let publishing: Promise<unknown> = Promise.resolve()

process.on('message', (name: string) => {
  void buildOne(name).then(
    () => report({ done: name }),
    (error: unknown) => report({ done: name, failure: error instanceof Error ? error.message : String(error) }),
  )
})
process.on('disconnect', () => void publishing.finally(() => process.exit()))

async function buildOne(name: string): Promise<void> {
  await build({ only: [name], log: (line) => report({ line }) })
  const publish = () => publishParts(openFolderStore(folder), { only: [name], commit })
  // What is wrong is said by the publishing that has to find it there.
  publishing = publishing.then(publish).catch(() => undefined)
}
