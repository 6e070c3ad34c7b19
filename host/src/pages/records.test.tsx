import { recordScreens } from '@dmp/kit/records'
import { PublicFrame } from '../shell/PublicFrame.tsx'
import { Shell } from '../shell/Shell.tsx'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { readDeclarations } from '../testing/readDeclarations.ts'
import { HostPages } from './HostPages.tsx'

recordScreens({
  App: HostPages,
  frames: { Shell: <Shell>Page</Shell> },
  publicFrames: { PublicFrame: <PublicFrame>Page</PublicFrame> },
  prepare: () =>
    placeSnapshot(
      ...readDeclarations()
        .filter(({ name }) => name !== 'host')
        .map((declaration) => createRemote(declaration.name, declaration)),
    ),
})
