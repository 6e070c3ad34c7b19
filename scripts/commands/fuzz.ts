import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { fuzz } from '../fuzz/fuzz.ts'
import { plantAndSearch } from '../fuzz/identity/plantAndSearch.ts'
import { exitOnError, printHeading } from '../workspace/runProcess.ts'

await exitOnError(async () => {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string' },
      seed: { type: 'string' },
      target: { type: 'string', multiple: true },
      copies: { type: 'string' },
    },
  })
  const minutes = Number(values.minutes ?? 1)
  if (!(minutes > 0))
    throw new Error(`--minutes ${values.minutes} is not a time. Example: npm run fuzz -- --minutes 60`)
  const seed = values.seed ?? randomBytes(4).toString('hex')
  if (values.copies !== undefined) return judgeCopies(Number(values.copies), seed)
  printHeading(`fuzzing for ${minutes} min with seed ${seed}`)
  const { passed, failed } = await fuzz({ seconds: minutes * 60, seed, ...(values.target && { only: values.target }) })
  console.log(`\n${passed} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
})

/** `--copies 5000`: facts of a person are planted in so many objects, and looked for in their de-identified copies. */
async function judgeCopies(objects: number, seed: string): Promise<void> {
  if (!(objects > 0)) throw new Error('--copies needs a number of objects. Example: npm run fuzz -- --copies 5000')
  printHeading(`planting facts of a person in ${objects} objects with seed ${seed}`)
  const { copied, planted, refused, found } = await plantAndSearch(objects, seed)
  console.log(`  ${copied} copies of objects in which ${planted} facts were found; in the copies ${found.length}`)
  for (const [sentence, count] of refused) console.log(`  ${count} refused: ${sentence}`)
  for (const line of found) console.log(`  ✗ ${line}`)
  console.log(`\n${copied - found.length} passed, ${found.length} failed`)
  process.exitCode = found.length === 0 ? 0 : 1
}
