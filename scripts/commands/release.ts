import { userInfo } from 'node:os'
import { release } from '../../shared/release/src/cli.ts'
import { readSecretVariable, trimToUndefined } from '../../shared/release/src/secretVariable.ts'
import { readSigner } from '../../shared/release/src/signing/keyPair.ts'
import { toBucketAccess } from '../../shared/release/src/store/openStore.ts'
import { releaseGate } from '../releaseGate/releaseGate.ts'
import { releaseStoreLocation } from '../workspace/builds.ts'

process.exitCode = await release(process.argv.slice(2), {
  store: releaseStoreLocation(),
  access: toBucketAccess(process.env),
  by: userInfo().username,
  preflight: releaseGate,
  address: trimToUndefined(process.env.DMP_PUBLIC_URL) ?? `http://localhost:${process.env.PORT || 4000}`,
  readSigner: () => readSigner(process.env),
  door: {
    to: trimToUndefined(process.env.DMP_RELEASE_TO),
    readToken: () => readSecretVariable(process.env, 'DMP_RELEASE_TOKEN'),
  },
})
