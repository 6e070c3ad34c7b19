import { userInfo } from 'node:os'
import { release } from '../../shared/release/src/cli.ts'
import { accessOf } from '../../shared/release/src/storeAt.ts'
import { releaseGate } from '../releaseGate/releaseGate.ts'
import { releaseStoreLocation } from '../workspace/builds.ts'

process.exitCode = await release(process.argv.slice(2), {
  store: releaseStoreLocation(),
  access: accessOf(process.env),
  by: userInfo().username,
  trial: releaseGate,
})
