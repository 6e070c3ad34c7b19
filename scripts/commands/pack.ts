import { relative, resolve } from 'node:path'
import { packPackages } from '../workspace/packages.ts'
import { exitOnError } from '../workspace/runProcess.ts'

/** `npm run pack -- dist/packages`: the packages that a team's own repository installs. */
await exitOnError(async () => {
  const folder = resolve(process.argv[2] ?? 'dist/packages')
  for (const [name, file] of await packPackages(folder)) console.log(`${name.padEnd(16)} ${relative('.', file)}`)
})
