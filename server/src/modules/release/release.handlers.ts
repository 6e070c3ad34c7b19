import type { release } from '@dmp/contract'
import contractPackage from '@dmp/contract/package.json' with { type: 'json' }
import { rollback } from '@dmp/release/activate'
import { promoteCanary, stopCanary } from '@dmp/release/canary'
import { endKeeping, keepRelease } from '@dmp/release/kept'
import { setTrust } from '@dmp/release/trust'
import { hashCallShape } from '@dmp/release/preflight/calls'
import { Superseded, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import type { Context } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound } from '../../core/errors.ts'
import { arrivalHandlers } from './door/arrivals.ts'
import { assertMayMove, assertMayPart } from './door/assertMayPart.ts'
import { answeredCalls, isOffered } from './door/judge.ts'
import { assertMayPromote, moveHandlers } from './door/moves.ts'
import { toAuthorName } from './door/publications.ts'
import { errorHandlers } from './errors/errors.ts'
import { figureHandlers } from './figures/figures.ts'
import { noticeHandlers } from './notices/notices.ts'
import { openPreviewHandlers, previewHandlers } from './preview/preview.handlers.ts'
import { createRefuse } from './refuseStore.ts'
import { reportHandler } from './reports.ts'
import { roundHandlers } from './rounds.ts'
import { listHistory, getStatus } from './status.ts'

export const releaseHandlers = (deps: Dependencies, store: ReleaseStore): Handlers<typeof release> => {
  const { db, write } = deps
  const refuse = createRefuse(store)

  /** Makes a move that a person decided, together with its record. */
  const decide = async (
    context: Context,
    event: AuditEvent,
    { part, releaseId, reason }: { part: string; releaseId: string; reason?: string | undefined },
    move: (author: { by: string; from: string; reason?: string }) => Promise<unknown>,
  ): Promise<null> => {
    assertMayPart(context.viewer, part)
    await assertMayMove(store, context.viewer, part, event).catch(refuse)
    const by = await toAuthorName(db, context.viewer)
    await write(context, async ({ audit }) => {
      await audit({ event, subject: { part, releaseId, ...(reason === undefined ? {} : { reason }) } })
      await move({ by, from: releaseId, ...(reason === undefined ? {} : { reason }) }).catch(refuse)
    })
    return null
  }

  return {
    status: () => getStatus(db, store, deps.settings).catch(refuse),
    history: () => listHistory(store).catch(refuse),
    rollback: (input, context) =>
      decide(context, 'ReleaseRolledBack', input, (author) => rollback(store, { ...author, part: input.part })),
    promoteCanary: async (input, context) => {
      assertMayPart(context.viewer, input.part)
      const judged = await assertMayPromote(deps, store, context.viewer, input)
      return decide(context, 'CanaryPromoted', input, (author) =>
        promoteCanary(store, input.part, { ...author, ...judged }),
      )
    },
    stopCanary: (input, context) =>
      decide(context, 'CanaryStopped', input, (author) => stopCanary(store, input.part, author)),

    keep: async (input, context) => {
      const { part: name, releaseId, isKept } = input
      return decide(context, isKept ? 'ReleaseKept' : 'ReleaseNoLongerKept', input, async (author) => {
        await assertOffered(store, name, releaseId)
        await (isKept ? keepRelease(store, { name, releaseId }, author) : endKeeping(store, { name, releaseId }))
      })
    },

    setTrust: (input, context) =>
      decide(context, input.isGuest ? 'PartMadeGuest' : 'PartTrusted', input, (author) =>
        trustPart(store, input, author),
      ),

    report: reportHandler(deps, store),
    ...roundHandlers(deps, store),
    ...arrivalHandlers(deps, store),
    ...moveHandlers(deps, store),
    ...errorHandlers(deps, store),
    ...figureHandlers(deps, store),
    ...noticeHandlers(deps, store),
    ...previewHandlers(deps, store),
    ...openPreviewHandlers(deps, store),

    contract: async () => ({ version: contractVersion, calls: toHashes() }),
    getCallShape: async ({ name }) => {
      const shape = Object.hasOwn(answeredCalls, name) ? answeredCalls[name] : undefined
      if (shape === undefined) throw notFound()
      return { name, hash: hashCallShape(shape), shape: JSON.stringify(shape) }
    },
  }
}

const { version: contractVersion } = contractPackage

/** The calls of this server, each with the hash of its shape. */
const toHashes = () =>
  (hashes ??= Object.entries(answeredCalls).map(([name, shape]) => ({ name, hash: hashCallShape(shape) })))
let hashes: { name: string; hash: string }[] | undefined

async function trustPart(
  store: ReleaseStore,
  { part, releaseId, isGuest }: { part: string; releaseId: string; isGuest: boolean },
  { by, reason }: { by: string; reason?: string },
): Promise<void> {
  if (!part.startsWith('remote-')) throw notFound()
  await assertOffered(store, part, releaseId)
  await setTrust(store, { part, isGuest }, { by, ...(reason === undefined ? {} : { reason }) })
}

/** Throws where the release is neither live nor a canary: somebody was faster. */
async function assertOffered(store: ReleaseStore, part: string, releaseId: string): Promise<void> {
  if (!(await isOffered(store, part, releaseId)))
    throw new Superseded(`Release ${releaseId} of ${part} is neither live nor a canary.`)
}
