import { userInfo } from 'node:os'
import { release } from '../../shared/release/src/cli.ts'
import { accessOf } from '../../shared/release/src/storeAt.ts'
import { guard } from '../guard/guard.ts'
import { releasePlace } from '../releases.ts'

process.exitCode = await release(process.argv.slice(2), {
  store: releasePlace(),
  access: accessOf(process.env),
  by: userInfo().username,
  trial: guard,
})
