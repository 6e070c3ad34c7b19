import { resolve } from 'node:path'
import { writeBundle } from '../workspace/bundle.ts'
import { exitOnError } from '../workspace/runProcess.ts'

/** `npm run bundle -- dist/bundle`: the folder that `deploy/Containerfile` puts into an image. */
await exitOnError(async () => {
  const folder = resolve(process.argv[2] ?? 'dist/bundle')
  await writeBundle(folder)
  console.log(`${folder} is ready: node server/src/main.ts, with the settings of docs/operations.md.`)
})
