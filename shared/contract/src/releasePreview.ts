import * as v from 'valibot'
import { endpoint, may } from './endpoint.ts'
import { Instant, exact, maybe } from './fields.ts'
import { limits } from './limits.ts'
import { Override, PreviewId } from './override.ts'
import { Previewers } from './previewers.ts'
import { Judgement } from './releaseDoor.ts'
import { PartName, ReleaseId } from './remote.ts'

const Text = v.string('Text.')
const Count = v.number('A number.')

/** What a change is called, such as a branch or the number of a merge request. */
export const ChangeName = v.pipe(
  Text,
  v.regex(/^[A-Za-z0-9][A-Za-z0-9._/#-]{0,79}$/, 'Name a change by up to 80 letters, digits and . _ / # -.'),
)

/** A stored release that named people may open beside what is live, for some days. */
export const Preview = v.object({
  id: PreviewId,
  part: PartName,
  releaseId: ReleaseId,
  /** The change that it shows; a preview of the same change takes its address. */
  change: maybe(Text),
  /** The path of its address, with the query. */
  path: Text,
  /** Who made it: a person by their address, a machine by its name and its owner's. */
  by: Text,
  madeDate: Instant,
  endsDate: Instant,
  /**
   * Email addresses of those who may open it, besides super administrators: told to these and to the machine that made
   * it, and empty for others.
   */
  users: v.array(Text, 'A list.'),
})
export type Preview = v.InferOutput<typeof Preview>

/** Bytes as they are sent (brotli): the first script, what the first page needs besides, and all files. */
export const PreviewWeight = v.object({ entry: Count, firstRoute: Count, all: Count })

/** A preview beside what is live now. */
export const PreviewReport = v.object({
  ...Preview.entries,
  /** As people know the part. */
  title: Text,
  version: Text,
  commit: Text,
  findings: v.array(Judgement, 'A list.'),
  weight: PreviewWeight,
  /** Null where the part was never live. */
  live: maybe(v.object({ releaseId: ReleaseId, version: Text, weight: PreviewWeight })),
  /** Modules of the host that it takes, each with its range. */
  needs: v.array(v.object({ module: Text, range: Text }), 'A list.'),
  /** How many calls of the contract it makes, and which what is live does not; null where the build says nothing. */
  calls: maybe(v.object({ count: Count, added: v.array(Text, 'A list.') })),
})
export type PreviewReport = v.InferOutput<typeof PreviewReport>

const days = () => `A preview lasts a whole number of days from 1 to ${limits.previewMaxDays}.`

/**
 * Refused where the platform's judgement is not good; the trial in a browser and sizes are told and refuse nothing. A
 * machine's people are among those that its API token names: all of them where left out.
 */
export const preview = endpoint({
  method: 'POST',
  path: '/Release/preview',
  summary: 'Let some people open a stored release beside what is live, for some days; nothing goes live.',
  needs: may('Release', 'Preview'),
  isForMachines: true,
  body: exact({
    part: PartName,
    releaseId: ReleaseId,
    days: v.optional(
      v.pipe(v.number(days), v.integer(days), v.minValue(1, days), v.maxValue(limits.previewMaxDays, days)),
      limits.previewDefaultDays,
    ),
    users: v.optional(Previewers),
    change: v.optional(ChangeName),
  }),
  answer: PreviewReport,
})

/** The one of this id, those of one release or change, or all of the part. */
export const endPreviews = endpoint({
  method: 'POST',
  path: '/Release/endPreviews',
  summary: 'End previews of one part at once, for everybody.',
  needs: may('Release', 'Preview'),
  isForMachines: true,
  body: exact({
    part: PartName,
    id: v.optional(PreviewId),
    releaseId: v.optional(ReleaseId),
    change: v.optional(ChangeName),
  }),
  answer: v.array(Preview, 'A list.'),
})

/** Those that have not ended, the newest first. */
export const listPreviews = endpoint({
  method: 'GET',
  path: '/Release/listPreviews',
  summary: 'Previews that have not ended, of one part or of all.',
  needs: may('Release', 'Preview'),
  isForMachines: true,
  query: exact({ part: v.optional(PartName) }),
  answer: v.array(Preview, 'A list.'),
})

/** What a person reads before they open a preview. 404 for all others, as for one that never was or that has ended. */
export const getPreview = endpoint({
  method: 'GET',
  path: '/Release/getPreview',
  summary: 'A preview beside what is live, for those who may open it.',
  needs: 'session',
  query: exact({ part: PartName, id: PreviewId }),
  answer: PreviewReport,
})

/**
 * Adds the release of a preview for this browser, as long as the session lives and the preview lasts. `releaseId` is
 * the release that the person agreed to: where the preview shows another one by now, they are asked again (409).
 */
export const openPreview = endpoint({
  method: 'POST',
  path: '/Release/openPreview',
  summary: 'Let this browser use the release of a preview.',
  needs: 'session',
  body: exact({ part: PartName, id: PreviewId, releaseId: ReleaseId }),
  answer: Override,
})
