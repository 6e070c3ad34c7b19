import { relative } from 'node:path'
import { writeBills } from '../workspace/billsOfMaterials.ts'
import { root } from '../workspace/files.ts'
import { exitOnError } from '../workspace/runProcess.ts'

await exitOnError(async () => {
  for (const file of await writeBills()) console.log(relative(root, file))
})
