import { skew } from '../guard/skew.ts'
import { orEnd } from '../stage.ts'

await orEnd(async () => {
  const { failed } = await skew()
  process.exitCode = failed === 0 ? 0 : 1
})
