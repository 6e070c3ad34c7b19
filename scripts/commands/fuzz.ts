import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzz } from '../fuzz/fuzz.ts'
import { exitOnError, printHeading } from '../workspace/runProcess.ts'

await exitOnError(async () => {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, seed: { type: 'string' }, target: { type: 'string', multiple: true } },
  })
  const minutes = Number(values.minutes ?? 1)
  if (!(minutes > 0))
    throw new Error(`--minutes ${values.minutes} is not a time. Example: npm run fuzz -- --minutes 60`)
  const seed = values.seed ?? randomBytes(4).toString('hex')
  printHeading(`fuzzing for ${minutes} min with seed ${seed}`)
  const { passed, failed } = await fuzz({ seconds: minutes * 60, seed, ...(values.target && { only: values.target }) })
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
})
