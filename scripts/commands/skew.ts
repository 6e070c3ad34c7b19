import { hundredReleases } from '../guard/hundred.ts'
import { skew } from '../guard/skew.ts'
import { orEnd } from '../stage.ts'

await orEnd(async () => {
  const counts = [await skew(), await hundredReleases()]
  process.exitCode = counts.every(({ failed }) => failed === 0) ? 0 : 1
})
